CREATE TABLE settings (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE people (
  id TEXT NOT NULL PRIMARY KEY,
  created BIGINT NOT NULL,
  rating DOUBLE PRECISION NOT NULL,
  deviation DOUBLE PRECISION NOT NULL,
  volatility DOUBLE PRECISION NOT NULL,
  counted BIGINT NOT NULL,
  solved BIGINT NOT NULL,
  streak_count BIGINT NOT NULL,
  streak_best BIGINT NOT NULL,
  streak_puzzle TEXT
);

CREATE TABLE puzzles (
  id TEXT NOT NULL PRIMARY KEY,
  rating DOUBLE PRECISION NOT NULL,
  deviation DOUBLE PRECISION NOT NULL,
  volatility DOUBLE PRECISION NOT NULL,
  counted BIGINT NOT NULL,
  solved BIGINT NOT NULL
);

CREATE TABLE studies (
  id TEXT NOT NULL PRIMARY KEY,
  created BIGINT NOT NULL,
  title TEXT NOT NULL,
  consent TEXT NOT NULL,
  puzzles TEXT NOT NULL,
  limit_seconds BIGINT NOT NULL,
  closed BIGINT NOT NULL
);

CREATE TABLE participants (
  study TEXT NOT NULL REFERENCES studies (id),
  person TEXT NOT NULL REFERENCES people (id),
  code TEXT NOT NULL,
  consented BIGINT NOT NULL,
  PRIMARY KEY (study, person)
);

CREATE TABLE attempts (
  id TEXT NOT NULL PRIMARY KEY,
  person TEXT NOT NULL REFERENCES people (id),
  puzzle TEXT NOT NULL,
  mode TEXT NOT NULL,
  study TEXT REFERENCES studies (id),
  started BIGINT NOT NULL,
  moves TEXT NOT NULL,
  plies BIGINT,
  back_plies BIGINT,
  state TEXT NOT NULL,
  counts BIGINT NOT NULL,
  hint TEXT,
  outcome TEXT,
  seconds DOUBLE PRECISION,
  longer_by BIGINT NOT NULL,
  finished BIGINT,
  rating_before DOUBLE PRECISION,
  rating_after DOUBLE PRECISION,
  changes BIGINT NOT NULL
);

CREATE INDEX attempts_of_person ON attempts (person, puzzle, started);

CREATE INDEX attempts_of_study ON attempts (study, person);

CREATE TABLE opinions (
  person TEXT NOT NULL REFERENCES people (id),
  puzzle TEXT NOT NULL,
  study TEXT NOT NULL,
  interest BIGINT NOT NULL,
  difficulty BIGINT NOT NULL,
  given BIGINT NOT NULL,
  PRIMARY KEY (person, puzzle, study)
);

CREATE INDEX opinions_of_puzzle ON opinions (puzzle);

CREATE TABLE transfers (
  code TEXT NOT NULL PRIMARY KEY,
  person TEXT NOT NULL REFERENCES people (id),
  expires BIGINT NOT NULL
);
