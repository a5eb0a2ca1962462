-- Events are kept for a week at least: a receiver that is away is told of them until its webhook is switched off after five days.
CREATE OR REPLACE FUNCTION svc_forget_deliveries(days integer, most integer) RETURNS bigint
  LANGUAGE sql SET search_path = pg_catalog, pg_temp
AS $$
  WITH old AS (
    SELECT d.svc_organisation_id, d.svc_id FROM public.webhook_deliveries d
    WHERE d.last_attempt_at < now() - make_interval(days => days)
    ORDER BY d.last_attempt_at LIMIT most
  ), gone AS (
    DELETE FROM public.webhook_deliveries d USING old
    WHERE d.svc_organisation_id = old.svc_organisation_id AND d.svc_id = old.svc_id RETURNING 1
  ), old_events AS (
    SELECT e.svc_organisation_id, e.position FROM public.service_events e
    WHERE e.created_at < now() - make_interval(days => GREATEST(days, 7))
    ORDER BY e.created_at LIMIT most
  ), gone_events AS (
    DELETE FROM public.service_events e USING old_events o
    WHERE e.svc_organisation_id = o.svc_organisation_id AND e.position = o.position RETURNING 1
  )
  SELECT GREATEST((SELECT count(*) FROM gone), (SELECT count(*) FROM gone_events))
$$;
