-- Manual journals are in the currency of their own books, whatever else the company has connected. Where it has several
-- connections, nobody knows which one told the company's: the next sync asks.
ALTER TABLE "connections" ADD COLUMN     "base_currency_code" TEXT;
UPDATE "connections" c SET "base_currency_code" = p."base_currency_code" FROM "companies" p
WHERE p."svc_id" = c."svc_company_id" AND NOT EXISTS (
  SELECT FROM "connections" o WHERE o."svc_company_id" = c."svc_company_id" AND o."svc_id" <> c."svc_id");
