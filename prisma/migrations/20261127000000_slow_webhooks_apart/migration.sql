-- Receivers that answer, but slowly, share half of the turns with those that fail: dozens of them with a backlog held all
-- turns of their organisation, and its other receivers waited for as long as the slowest answers took.
ALTER TABLE webhooks ADD COLUMN slow boolean NOT NULL DEFAULT false;

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
  wanted record;
  changed_companies bigint[];
  changed_models text[];
  changed_by text[];
  started timestamptz := clock_timestamp();
BEGIN
  SELECT array_agg(DISTINCT w.svc_organisation_id) INTO followed FROM public.webhooks w
  WHERE w.enabled AND w.type = 'DATA_MODEL_CHANGES';
  SELECT array_agg(h.svc_organisation_id), array_agg(h.position), array_agg(h.forgotten)
  INTO organisations, heads, beginnings
  FROM public.change_heads h WHERE h.svc_organisation_id = ANY (followed);

  FOR news IN
    SELECT w.svc_organisation_id AS organisation, w.position, least(max(h.position), w.position + 5000) AS until,
      array_agg(w.id) AS webhooks
    FROM public.webhooks w
      JOIN unnest(organisations, heads, beginnings) AS h (organisation, position, forgotten)
        ON h.organisation = w.svc_organisation_id
    WHERE w.enabled AND w.type = 'DATA_MODEL_CHANGES' AND h.position > w.position AND h.forgotten <= w.position
      AND NOT public.svc_is_leased(w.worker_id, w.leased_until)
    GROUP BY 1, 2
  LOOP
    -- The others are served without having been compared.
    EXIT WHEN clock_timestamp() > started + interval '500 ms';
    IF cardinality(news.webhooks) = 1 THEN
      SELECT NULLIF(w.company_ids, '{}') AS companies, NULLIF(w.data_models, '{}') AS models,
        NULLIF(w.operations, '{}') AS operations
      INTO wanted FROM public.webhooks w WHERE w.id = news.webhooks[1];
      CONTINUE WHEN EXISTS (
        SELECT FROM public.record_changes c
        WHERE c.svc_organisation_id = news.organisation AND c.position > news.position AND c.position <= news.until
          AND (wanted.companies IS NULL OR c.svc_company_id = ANY (wanted.companies))
          AND (wanted.models IS NULL OR c.data_model = ANY (wanted.models))
          AND (wanted.operations IS NULL OR c.operation = ANY (wanted.operations)));
      changed_companies := NULL;
    ELSE
      SELECT array_agg(k.svc_company_id), array_agg(k.data_model), array_agg(k.operation)
      INTO changed_companies, changed_models, changed_by
      FROM (
        SELECT DISTINCT c.svc_company_id, c.data_model, c.operation FROM public.record_changes c
        WHERE c.svc_organisation_id = news.organisation AND c.position > news.position AND c.position <= news.until
      ) k;
    END IF;
    UPDATE public.webhooks w SET position = news.until WHERE w.id IN (
      SELECT o.id FROM public.webhooks o
      WHERE o.id = ANY (news.webhooks) AND o.position = news.position
        AND NOT public.svc_is_leased(o.worker_id, o.leased_until)
        AND NOT EXISTS (
          SELECT FROM unnest(changed_companies, changed_models, changed_by) AS k (company, model, operation)
          WHERE (NULLIF(o.company_ids, '{}') IS NULL OR k.company = ANY (o.company_ids))
            AND (NULLIF(o.data_models, '{}') IS NULL OR k.model = ANY (o.data_models))
            AND (NULLIF(o.operations, '{}') IS NULL OR k.operation = ANY (o.operations)))
      FOR NO KEY UPDATE SKIP LOCKED);
  END LOOP;

  RETURN QUERY
  WITH held AS (
    SELECT w.svc_organisation_id, count(*) AS count,
      count(*) FILTER (WHERE w.failing_since IS NOT NULL OR w.slow) AS late FROM public.webhooks w
    WHERE public.svc_is_leased(w.worker_id, w.leased_until) GROUP BY 1
  ), mine AS (
    SELECT count(*) AS count,
      count(*) FILTER (WHERE w.failing_since IS NOT NULL OR w.slow) AS late FROM public.webhooks w
    WHERE w.worker_id = worker AND public.svc_is_leased(w.worker_id, w.leased_until)
  ), due AS (
    SELECT w.id, w.leased_until AS served, v.late, COALESCE(h.count, 0) + row_number() OVER (
        PARTITION BY w.svc_organisation_id ORDER BY v.late, w.leased_until NULLS FIRST, w.id) AS nth,
      COALESCE(h.late, 0) + row_number() OVER (
        PARTITION BY w.svc_organisation_id, v.late ORDER BY w.leased_until NULLS FIRST, w.id) AS nth_late
    FROM public.webhooks w
      CROSS JOIN LATERAL (SELECT w.failing_since IS NOT NULL OR w.slow AS late) v
      LEFT JOIN held h ON h.svc_organisation_id = w.svc_organisation_id
      LEFT JOIN unnest(organisations, heads) AS c (organisation, position) ON c.organisation = w.svc_organisation_id
      LEFT JOIN public.event_heads e ON e.svc_organisation_id = w.svc_organisation_id
    WHERE w.enabled AND NOT public.svc_is_leased(w.worker_id, w.leased_until) AND (w.due_at IS NULL OR w.due_at <= at)
      AND (CASE w.type WHEN 'DATA_MODEL_CHANGES' THEN c.position ELSE e.position END > w.position
        OR w.replay_after IS NOT NULL
        OR EXISTS (SELECT FROM public.webhook_holds o WHERE o.webhook_id = w.id AND o.due_at <= at))
  ), fair AS (
    SELECT d.id, d.nth, d.served, d.late,
      m.late + row_number() OVER (PARTITION BY d.late ORDER BY d.nth, d.served NULLS FIRST, d.id) AS nth_late,
      (m.count + most) / 2 AS most_late
    FROM due d, mine m WHERE d.nth <= most_each AND (NOT d.late OR d.nth_late <= GREATEST(1, most_each / 2))
  ), taken AS (
    SELECT w.id FROM fair f JOIN public.webhooks w ON w.id = f.id
    WHERE (NOT f.late OR f.nth_late <= GREATEST(1, f.most_late))
      AND w.enabled AND NOT public.svc_is_leased(w.worker_id, w.leased_until)
    ORDER BY f.nth, f.served NULLS FIRST LIMIT most FOR NO KEY UPDATE OF w SKIP LOCKED
  )
  UPDATE public.webhooks w SET worker_id = worker, leased_until = now() + make_interval(secs => seconds), fence = w.fence + 1
  FROM taken t WHERE w.id = t.id RETURNING w.id, w.svc_organisation_id, w.fence;
END
$$;
