-- What was kept long enough is removed by the owner, who is told how long that is: as functions of the owner that anybody
-- may call they would remove everything for a login that says "no days".
ALTER FUNCTION svc_forget_changes(integer) SECURITY INVOKER;
ALTER FUNCTION svc_forget_syncs(integer, integer) SECURITY INVOKER;
ALTER FUNCTION svc_forget_uploads(integer, integer) SECURITY INVOKER;
ALTER FUNCTION svc_forget_audit_events(integer, integer) SECURITY INVOKER;
ALTER FUNCTION svc_forget_deliveries(integer, integer) SECURITY INVOKER;
ALTER FUNCTION svc_forget_authorizations() SECURITY INVOKER;
ALTER FUNCTION svc_files_to_forget(integer, integer) SECURITY INVOKER;

-- The change log of a company goes with the company only: when none of its connections is left.
CREATE FUNCTION svc_remove_changes(organisation bigint, company bigint, most integer) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH old AS (
    SELECT c.position, c.changed_at FROM public.record_changes c
    WHERE c.svc_organisation_id = organisation AND c.svc_company_id = company
      AND organisation = NULLIF(current_setting('svc.organisation', true), '')::bigint
      AND COALESCE(company = ANY (NULLIF(current_setting('svc.companies', true), '')::bigint[]), true)
      AND NOT EXISTS (SELECT FROM public.connections n WHERE n.svc_company_id = company)
    LIMIT most
  ), gone AS (
    DELETE FROM public.record_changes c USING old
    WHERE c.svc_organisation_id = organisation AND c.position = old.position AND c.changed_at = old.changed_at
    RETURNING 1
  )
  SELECT count(*) FROM gone
$$;
REVOKE ALL ON FUNCTION svc_remove_changes(bigint, bigint, integer) FROM PUBLIC;

-- Jobs are added by functions only: by `svc_add_job`, which knows whose it is, and by this one, whose job is nobody's.
CREATE FUNCTION svc_add_every_minute() RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM graphile_worker.add_job('every_minute', run_at := date_trunc('minute', now()) + interval '1 minute',
    job_key := 'every_minute', job_key_mode := 'preserve_run_at');
END
$$;
REVOKE ALL ON FUNCTION svc_add_every_minute() FROM PUBLIC;
