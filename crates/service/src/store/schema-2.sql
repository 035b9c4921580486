CREATE TABLE games (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  created BIGINT NOT NULL,
  first_person TEXT,
  second_person TEXT,
  first_program TEXT,
  second_program TEXT,
  invite TEXT,
  seed BIGINT NOT NULL,
  setup TEXT NOT NULL,
  moves TEXT NOT NULL,
  given_up BIGINT,
  over BIGINT NOT NULL,
  program_to_move BIGINT NOT NULL,
  first_notes TEXT NOT NULL,
  second_notes TEXT NOT NULL,
  changed BIGINT NOT NULL,
  changes BIGINT NOT NULL
);

CREATE INDEX games_of_first ON games (first_person, changed);

CREATE INDEX games_of_second ON games (second_person, changed);

CREATE INDEX games_of_programs ON games (program_to_move);

CREATE TABLE reviews (
  game TEXT NOT NULL PRIMARY KEY REFERENCES games (id),
  made BIGINT NOT NULL,
  review TEXT NOT NULL
);

CREATE TABLE found_puzzles (
  id TEXT NOT NULL PRIMARY KEY,
  found BIGINT NOT NULL,
  record TEXT NOT NULL
)
