-- A job is given up after so many failures of its platform in a row: of all that happened in days of reading, the fourth
-- ended it, and the next one began anew.
ALTER TABLE sync_jobs ADD COLUMN faults integer NOT NULL DEFAULT 0;
