-- Items that are sent by one request share its id, from which the request's key follows.
ALTER TABLE "upload_items" ADD COLUMN     "batch_id" TEXT;
