-- AlterTable
ALTER TABLE "upload_items" ADD COLUMN     "file" JSONB;
