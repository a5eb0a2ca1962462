-- When everything was read last: values that change without a change stamp are read again from time to time.
ALTER TABLE "sync_marks" ADD COLUMN "complete_at" TIMESTAMPTZ(3);
