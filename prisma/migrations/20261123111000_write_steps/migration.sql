ALTER TABLE "upload_items" ADD COLUMN "written" text;
