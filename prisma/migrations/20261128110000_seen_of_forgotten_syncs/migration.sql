-- On a cluster what a sync has found goes with no foreign key: where its jobs did not end by themselves it stayed for ever.
CREATE OR REPLACE FUNCTION svc_forget_syncs(days integer, most integer) RETURNS bigint
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  companies bigint[];
  ids bigint[];
  found record;
  forgotten bigint;
BEGIN
  SELECT array_agg(o.svc_company_id), array_agg(o.svc_id) INTO companies, ids FROM (
    SELECT s.svc_company_id, s.svc_id FROM public.syncs s
    WHERE s.ended_at < now() - make_interval(days => days) AND EXISTS (
      SELECT FROM public.syncs later
      WHERE later.svc_company_id = s.svc_company_id AND later.connection_id = s.connection_id
        AND later.svc_id > s.svc_id AND later.ended_at IS NOT NULL)
    ORDER BY s.ended_at LIMIT most) o;
  IF public.svc_is_cluster() THEN
    FOR found IN
      SELECT j.svc_company_id AS company, array_agg(j.svc_id) AS jobs
      FROM unnest(companies, ids) AS o (company, sync)
        JOIN public.sync_jobs j ON j.svc_company_id = o.company AND j.sync_svc_id = o.sync
      GROUP BY 1
    LOOP
      DELETE FROM public.sync_seen s WHERE s.svc_company_id = found.company AND s.sync_job_svc_id = ANY (found.jobs);
    END LOOP;
  END IF;
  DELETE FROM public.syncs s USING unnest(companies, ids) AS o (company, sync)
  WHERE s.svc_company_id = o.company AND s.svc_id = o.sync;
  GET DIAGNOSTICS forgotten = ROW_COUNT;
  RETURN forgotten;
END
$$;
