-- What no webhook wants is passed over here, for all of them together: a sync of ten thousand records that nobody is told
-- of would otherwise be read by each webhook for itself, a page at a time.
CREATE OR REPLACE FUNCTION svc_claim_webhooks(worker text, at timestamptz, most integer, most_each integer, seconds integer)
  RETURNS TABLE (id text, svc_organisation_id bigint, fence integer)
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE public.webhooks w SET position = p.until
  FROM (
    SELECT w.id, least(h.position, w.position + 5000) AS until
    FROM public.webhooks w JOIN public.change_heads h ON h.svc_organisation_id = w.svc_organisation_id
    WHERE w.enabled AND w.type = 'DATA_MODEL_CHANGES' AND h.position > w.position AND h.forgotten <= w.position
      AND NOT public.svc_is_leased(w.worker_id, w.leased_until)
      AND NOT EXISTS (
        SELECT FROM public.record_changes c
        WHERE c.svc_organisation_id = w.svc_organisation_id
          AND c.position > w.position AND c.position <= least(h.position, w.position + 5000)
          AND (COALESCE(cardinality(w.company_ids), 0) = 0 OR c.svc_company_id = ANY(w.company_ids))
          AND (COALESCE(cardinality(w.data_models), 0) = 0 OR c.data_model = ANY(w.data_models))
          AND (COALESCE(cardinality(w.operations), 0) = 0 OR c.operation = ANY(w.operations)))
    FOR NO KEY UPDATE OF w SKIP LOCKED
  ) p
  WHERE w.id = p.id;

  WITH held AS (
    SELECT w.svc_organisation_id, count(*) AS count FROM public.webhooks w
    WHERE public.svc_is_leased(w.worker_id, w.leased_until) GROUP BY 1
  ), due AS (
    SELECT w.id, COALESCE(h.count, 0) + row_number() OVER (PARTITION BY w.svc_organisation_id ORDER BY w.leased_until NULLS FIRST, w.id) AS nth
    FROM public.webhooks w
      LEFT JOIN held h ON h.svc_organisation_id = w.svc_organisation_id
      LEFT JOIN public.change_heads c ON c.svc_organisation_id = w.svc_organisation_id
      LEFT JOIN public.event_heads e ON e.svc_organisation_id = w.svc_organisation_id
    WHERE w.enabled AND NOT public.svc_is_leased(w.worker_id, w.leased_until) AND (w.due_at IS NULL OR w.due_at <= at)
      AND (CASE w.type WHEN 'DATA_MODEL_CHANGES' THEN c.position ELSE e.position END > w.position
        OR w.replay_after IS NOT NULL
        OR EXISTS (SELECT FROM public.webhook_holds o WHERE o.webhook_id = w.id AND o.due_at <= at))
  ), taken AS (
    SELECT w.id FROM due JOIN public.webhooks w ON w.id = due.id
    WHERE due.nth <= most_each AND w.enabled AND NOT public.svc_is_leased(w.worker_id, w.leased_until)
    ORDER BY due.nth LIMIT most FOR NO KEY UPDATE OF w SKIP LOCKED
  )
  UPDATE public.webhooks w SET worker_id = worker, leased_until = now() + make_interval(secs => seconds), fence = w.fence + 1
  FROM taken t WHERE w.id = t.id RETURNING w.id, w.svc_organisation_id, w.fence
$$;
