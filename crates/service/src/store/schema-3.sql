ALTER TABLE people ADD COLUMN seen BIGINT NOT NULL DEFAULT 0;

UPDATE people SET seen = created;

ALTER TABLE games ADD COLUMN first_changed BIGINT NOT NULL DEFAULT 0;

ALTER TABLE games ADD COLUMN second_changed BIGINT NOT NULL DEFAULT 0;

UPDATE games SET first_changed = changed, second_changed = changed;

ALTER TABLE games ADD COLUMN turn_address TEXT NOT NULL DEFAULT '';

ALTER TABLE games ADD COLUMN lease_owner TEXT NOT NULL DEFAULT '';

ALTER TABLE games ADD COLUMN lease_until BIGINT NOT NULL DEFAULT 0;

ALTER TABLE attempts ADD COLUMN rating_weight DOUBLE PRECISION NOT NULL DEFAULT 0;

ALTER TABLE attempts ADD COLUMN unrated TEXT NOT NULL DEFAULT '';

ALTER TABLE attempts ADD COLUMN puzzle_moved BIGINT NOT NULL DEFAULT 0;

ALTER TABLE attempts ADD COLUMN seen_before BIGINT NOT NULL DEFAULT 0;

UPDATE attempts SET rating_weight = 1, puzzle_moved = 1 WHERE rating_after IS NOT NULL;

UPDATE attempts SET seen_before = 1 WHERE study IS NOT NULL AND EXISTS (
  SELECT 1 FROM attempts AS earlier WHERE earlier.person = attempts.person AND earlier.puzzle = attempts.puzzle
  AND COALESCE(earlier.study, '') <> attempts.study AND earlier.started < attempts.started
);

CREATE TABLE address_salts (
  day BIGINT NOT NULL PRIMARY KEY,
  salt TEXT NOT NULL
);

CREATE TABLE rating_marks (
  puzzle TEXT NOT NULL,
  address TEXT NOT NULL,
  person TEXT NOT NULL,
  day BIGINT NOT NULL,
  PRIMARY KEY (puzzle, address, person)
);

CREATE INDEX rating_marks_of_day ON rating_marks (day);

CREATE TABLE exposures (
  person TEXT NOT NULL,
  puzzle TEXT NOT NULL,
  seen BIGINT NOT NULL,
  PRIMARY KEY (person, puzzle)
);

CREATE TABLE storage_use (
  day BIGINT NOT NULL,
  who TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  PRIMARY KEY (day, who)
);

CREATE TABLE jobs (
  name TEXT NOT NULL PRIMARY KEY,
  owner TEXT NOT NULL,
  lease_until BIGINT NOT NULL,
  finished BIGINT NOT NULL
);

CREATE INDEX people_by_activity ON people (seen);

CREATE INDEX participants_of_person ON participants (person);

CREATE INDEX transfers_of_person ON transfers (person);

CREATE INDEX attempts_undecided ON attempts (started) WHERE outcome IS NULL;

CREATE INDEX attempts_of_puzzle ON attempts (puzzle);

CREATE INDEX games_under_way ON games (changed) WHERE over = 0;

CREATE INDEX games_with_programs ON games (changed) WHERE first_program IS NOT NULL OR second_program IS NOT NULL;

CREATE INDEX games_of_nobody ON games (changed) WHERE COALESCE(first_person, second_person, first_program, second_program) IS NULL;

CREATE INDEX found_by_age ON found_puzzles (found);
