-- Until when a request may be carried out whose answer nobody has: what was lost is not sent again before.
ALTER TABLE "upload_items" ADD COLUMN     "late_until" TIMESTAMPTZ(3);
