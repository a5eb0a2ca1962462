-- Since when a request may be under way whose answer nobody has: what was lost is not sent again before that has passed.
ALTER TABLE "upload_items" ADD COLUMN     "sent_at" TIMESTAMPTZ(3);
