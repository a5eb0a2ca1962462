-- A value that the keys of secrets have to open, before anything else is sealed with others.
CREATE TABLE secret_canaries (
  name TEXT NOT NULL,
  sealed TEXT NOT NULL,
  CONSTRAINT secret_canaries_pkey PRIMARY KEY (name)
);
