-- What fails has half of an organisation's turns at most, and half of a worker's: receivers that hang until they are given up
-- held up the deliveries to those that answer.
CREATE OR REPLACE FUNCTION svc_claim_webhooks(worker text, at timestamptz, most integer, most_each integer, seconds integer)
  RETURNS TABLE (id text, svc_organisation_id bigint, fence integer)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  followed bigint[];
  organisations bigint[];
  heads bigint[];
  beginnings bigint[];
  news record;
BEGIN
  SELECT array_agg(DISTINCT w.svc_organisation_id) INTO followed FROM public.webhooks w
  WHERE w.enabled AND w.type = 'DATA_MODEL_CHANGES';
  SELECT array_agg(h.svc_organisation_id), array_agg(h.position), array_agg(h.forgotten)
  INTO organisations, heads, beginnings
  FROM public.change_heads h WHERE h.svc_organisation_id = ANY (followed);

  FOR news IN
    SELECT w.id, w.svc_organisation_id AS organisation, w.position, least(h.position, w.position + 5000) AS until,
      NULLIF(w.company_ids, '{}') AS companies, NULLIF(w.data_models, '{}') AS models, NULLIF(w.operations, '{}') AS operations
    FROM public.webhooks w
      JOIN unnest(organisations, heads, beginnings) AS h (organisation, position, forgotten)
        ON h.organisation = w.svc_organisation_id
    WHERE w.enabled AND w.type = 'DATA_MODEL_CHANGES' AND h.position > w.position AND h.forgotten <= w.position
      AND NOT public.svc_is_leased(w.worker_id, w.leased_until)
  LOOP
    CONTINUE WHEN EXISTS (
      SELECT FROM public.record_changes c
      WHERE c.svc_organisation_id = news.organisation AND c.position > news.position AND c.position <= news.until
        AND (news.companies IS NULL OR c.svc_company_id = ANY (news.companies))
        AND (news.models IS NULL OR c.data_model = ANY (news.models))
        AND (news.operations IS NULL OR c.operation = ANY (news.operations)));
    UPDATE public.webhooks w SET position = news.until WHERE w.id IN (
      SELECT o.id FROM public.webhooks o
      WHERE o.id = news.id AND o.position = news.position AND NOT public.svc_is_leased(o.worker_id, o.leased_until)
      FOR NO KEY UPDATE SKIP LOCKED);
  END LOOP;

  RETURN QUERY
  WITH held AS (
    SELECT w.svc_organisation_id, count(*) AS count, count(w.failing_since) AS failing FROM public.webhooks w
    WHERE public.svc_is_leased(w.worker_id, w.leased_until) GROUP BY 1
  ), mine AS (
    SELECT count(*) AS count, count(w.failing_since) AS failing FROM public.webhooks w
    WHERE w.worker_id = worker AND public.svc_is_leased(w.worker_id, w.leased_until)
  ), due AS (
    SELECT w.id, w.failing_since IS NOT NULL AS failing, COALESCE(h.count, 0) + row_number() OVER (
        PARTITION BY w.svc_organisation_id ORDER BY w.failing_since IS NOT NULL, w.leased_until NULLS FIRST, w.id) AS nth,
      COALESCE(h.failing, 0) + row_number() OVER (
        PARTITION BY w.svc_organisation_id, w.failing_since IS NOT NULL ORDER BY w.leased_until NULLS FIRST, w.id) AS nth_failing
    FROM public.webhooks w
      LEFT JOIN held h ON h.svc_organisation_id = w.svc_organisation_id
      LEFT JOIN unnest(organisations, heads) AS c (organisation, position) ON c.organisation = w.svc_organisation_id
      LEFT JOIN public.event_heads e ON e.svc_organisation_id = w.svc_organisation_id
    WHERE w.enabled AND NOT public.svc_is_leased(w.worker_id, w.leased_until) AND (w.due_at IS NULL OR w.due_at <= at)
      AND (CASE w.type WHEN 'DATA_MODEL_CHANGES' THEN c.position ELSE e.position END > w.position
        OR w.replay_after IS NOT NULL
        OR EXISTS (SELECT FROM public.webhook_holds o WHERE o.webhook_id = w.id AND o.due_at <= at))
  ), fair AS (
    SELECT d.id, d.nth, d.failing,
      m.failing + row_number() OVER (PARTITION BY d.failing ORDER BY d.nth, d.id) AS nth_failing,
      (m.count + most) / 2 AS most_failing
    FROM due d, mine m WHERE d.nth <= most_each AND (NOT d.failing OR d.nth_failing <= GREATEST(1, most_each / 2))
  ), taken AS (
    SELECT w.id FROM fair f JOIN public.webhooks w ON w.id = f.id
    WHERE (NOT f.failing OR f.nth_failing <= GREATEST(1, f.most_failing))
      AND w.enabled AND NOT public.svc_is_leased(w.worker_id, w.leased_until)
    ORDER BY f.nth LIMIT most FOR NO KEY UPDATE OF w SKIP LOCKED
  )
  UPDATE public.webhooks w SET worker_id = worker, leased_until = now() + make_interval(secs => seconds), fence = w.fence + 1
  FROM taken t WHERE w.id = t.id RETURNING w.id, w.svc_organisation_id, w.fence;
END
$$;
