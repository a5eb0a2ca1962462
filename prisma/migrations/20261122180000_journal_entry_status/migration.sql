-- Drafts and withdrawn entries are told apart from those that count.
ALTER TABLE "journal_entries" ADD COLUMN "status" TEXT;
