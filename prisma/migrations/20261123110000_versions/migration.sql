-- Record types each have a table; what they have in common is found by its columns, so that none is forgotten.
DO $$
DECLARE name text;
BEGIN
  FOR name IN
    SELECT c.table_name FROM information_schema.columns c
    WHERE c.table_schema = 'public' AND c.column_name = 'mapper_version' ORDER BY 1
  LOOP
    EXECUTE format('ALTER TABLE public.%I ADD COLUMN platform_version text', name);
  END LOOP;
END $$;

ALTER TABLE "record_changes" ADD COLUMN "version" text;
ALTER TABLE "upload_items" ADD COLUMN "error_stale" jsonb;
