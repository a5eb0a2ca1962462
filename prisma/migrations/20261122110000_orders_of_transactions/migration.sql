-- AlterTable
ALTER TABLE "ecommerce_transactions" ADD COLUMN     "order_id" TEXT;
