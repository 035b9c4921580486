ALTER TABLE people ADD COLUMN seen BIGINT NOT NULL DEFAULT 0;

UPDATE people SET seen = created;

ALTER TABLE games ADD COLUMN first_changed BIGINT NOT NULL DEFAULT 0;

ALTER TABLE games ADD COLUMN second_changed BIGINT NOT NULL DEFAULT 0;

UPDATE games SET first_changed = changed, second_changed = changed;

ALTER TABLE games ADD COLUMN turn_address TEXT NOT NULL DEFAULT '';

ALTER TABLE games ADD COLUMN lease_owner TEXT NOT NULL DEFAULT '';

ALTER TABLE games ADD COLUMN lease_until BIGINT NOT NULL DEFAULT 0;
