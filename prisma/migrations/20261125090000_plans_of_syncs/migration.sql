-- How a job finds what is gone follows from the time it began: made anew when it is resumed, it could take for gone what it
-- has met.
ALTER TABLE "sync_jobs" ADD COLUMN     "plan" JSONB;

-- A record type that fails is tried again by the schedule, and not every minute.
ALTER TABLE "sync_marks" ADD COLUMN     "tried_at" TIMESTAMPTZ(3);

-- What was read since a date only is complete for syncs, and no whole ledger.
ALTER TABLE "sync_marks" ADD COLUMN     "whole_at" TIMESTAMPTZ(3);
UPDATE "sync_marks" m SET "whole_at" = m."complete_at"
WHERE m."complete_at" IS NOT NULL AND NOT EXISTS (
  SELECT FROM "sync_configs" c
  WHERE c."svc_company_id" = m."svc_company_id" AND c."data_model" = m."data_model" AND c."sync_from" IS NOT NULL);

-- Connections for the schedule, a page after another, with how far their record types are.
DROP FUNCTION svc_connections_to_sync(bigint, integer);
CREATE FUNCTION svc_connections_to_sync(after_svc_id bigint, most integer)
  RETURNS TABLE (svc_id bigint, svc_organisation_id bigint, svc_company_id bigint, integration_type text, category text,
    marks jsonb)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT c.svc_id, c.svc_organisation_id, c.svc_company_id, c.integration_type, c.category,
    COALESCE((SELECT jsonb_agg(jsonb_build_object('dataModel', m.data_model, 'pulledTo', m.pulled_to, 'triedAt', m.tried_at))
      FROM public.sync_marks m WHERE m.svc_company_id = c.svc_company_id AND m.connection_id = c.svc_id), '[]')
  FROM public.connections c
  WHERE c.svc_id > after_svc_id AND c.status = 'HEALTHY' AND EXISTS (
    SELECT FROM public.connection_credentials s WHERE s.svc_company_id = c.svc_company_id AND s.connection_id = c.svc_id)
  ORDER BY c.svc_id LIMIT most
$$;
REVOKE ALL ON FUNCTION svc_connections_to_sync(bigint, integer) FROM PUBLIC;
