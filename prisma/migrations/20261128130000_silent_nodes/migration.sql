-- A node of a cluster that answers nothing, and refuses nothing, took the time of each statement that asked it: the caller knows
-- which nodes are silent, and names them.
DROP FUNCTION svc_claim_webhooks(text, timestamptz, integer, integer, integer);
DROP FUNCTION svc_measure();
DROP FUNCTION svc_read_heads(bigint[]);

-- Where the logs of some organisations end, and how far they were forgotten; without a value where their node is away. Those of
-- nodes in `away` are not asked.
CREATE FUNCTION svc_read_heads(organisations bigint[], away integer[]) RETURNS TABLE (organisation bigint, head bigint, beginning bigint)
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  of_node bigint[];
  of_away bigint[] := '{}';
BEGIN
  IF away <> '{}' AND public.svc_is_cluster() THEN
    EXECUTE '
      SELECT COALESCE(array_agg(o.id), ''{}'') FROM unnest($1) AS o (id)
        JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column(''public.change_heads'', o.id)
      WHERE p.groupid = ANY ($2)' INTO of_away USING organisations, away;
    RETURN QUERY SELECT o.id, NULL::bigint, NULL::bigint FROM unnest(of_away) AS o (id);
    organisations := ARRAY(SELECT unnest(organisations) EXCEPT SELECT unnest(of_away));
  END IF;
  BEGIN
    RETURN QUERY SELECT h.svc_organisation_id, h.position, h.forgotten FROM public.change_heads h
      WHERE h.svc_organisation_id = ANY (organisations);
    RETURN;
  EXCEPTION WHEN OTHERS THEN
    -- An outage has no code of its own there.
    IF NOT public.svc_is_cluster() THEN
      RAISE;
    END IF;
  END;
  -- The functions and tables of a cluster are unknown elsewhere.
  FOR of_node IN EXECUTE '
    SELECT array_agg(o.id) FROM unnest($1) AS o (id)
      JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column(''public.change_heads'', o.id)
    GROUP BY p.groupid' USING organisations
  LOOP
    BEGIN
      RETURN QUERY SELECT h.svc_organisation_id, h.position, h.forgotten FROM public.change_heads h
        WHERE h.svc_organisation_id = ANY (of_node);
    EXCEPTION WHEN OTHERS THEN
      RAISE LOG 'the heads of % change logs cannot be read: %', cardinality(of_node), SQLERRM;
      RETURN QUERY SELECT o.id, NULL::bigint, NULL::bigint FROM unnest(of_node) AS o (id);
    END;
  END LOOP;
END
$$;

CREATE FUNCTION svc_claim_webhooks(worker text, at timestamptz, most integer, most_each integer, seconds integer,
    away integer[] DEFAULT '{}')
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
  SELECT array_agg(h.organisation), array_agg(h.head), array_agg(h.beginning)
  INTO organisations, heads, beginnings FROM public.svc_read_heads(followed, away) h;

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
      AND NOT (w.type = 'DATA_MODEL_CHANGES' AND c.organisation IS NOT NULL AND c.position IS NULL)
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

CREATE FUNCTION svc_measure(away integer[] DEFAULT '{}')
  RETURNS TABLE(metric text, label text, other text, value double precision)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  followed bigint[];
  organisations bigint[];
  heads bigint[];
  changes numeric;
BEGIN
  SELECT array_agg(DISTINCT w.svc_organisation_id) INTO followed FROM public.webhooks w
  WHERE w.enabled AND w.type = 'DATA_MODEL_CHANGES';
  SELECT array_agg(h.organisation), array_agg(h.head) INTO organisations, heads FROM public.svc_read_heads(followed, away) h;
  BEGIN
    IF away = '{}' THEN
      SELECT COALESCE(sum(h.position), 0) INTO changes FROM public.change_heads h;
    END IF;
  EXCEPTION WHEN OTHERS THEN
    IF NOT public.svc_is_cluster() THEN
      RAISE;
    END IF;
  END;
  -- The queue's tables are made after this.
  RETURN QUERY SELECT m.metric, m.label, m.other, m.value::double precision FROM (
  SELECT 'jobs', t.identifier,
    CASE WHEN j.locked_at IS NOT NULL THEN 'running' WHEN j.attempts >= j.max_attempts THEN 'failed'
      WHEN j.run_at > now() THEN 'later' ELSE 'due' END, count(*)
  FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
  WHERE t.identifier IN ('sync', 'write') GROUP BY 2, 3
  UNION ALL
  SELECT 'syncs_open', s.integration_type, s.state, count(*) FROM public.syncs s WHERE s.ended_at IS NULL GROUP BY 2, 3
  UNION ALL
  SELECT 'sync_oldest_seconds', s.integration_type, NULL, extract(epoch FROM now() - min(s.svc_created_at))
  FROM public.syncs s WHERE s.ended_at IS NULL GROUP BY 2
  UNION ALL
  SELECT 'write_items_open', u.integration_type, i.state, count(*)
  FROM public.uploads u JOIN public.upload_items i ON i.svc_company_id = u.svc_company_id AND i.upload_svc_id = u.svc_id
  WHERE u.ended_at IS NULL AND i.ended_at IS NULL GROUP BY 2, 3
  UNION ALL
  SELECT 'write_oldest_seconds', u.integration_type, NULL, extract(epoch FROM now() - min(u.svc_created_at))
  FROM public.uploads u WHERE u.ended_at IS NULL GROUP BY 2
  UNION ALL
  SELECT 'work_given_up', g.kind, NULL, g.count FROM public.svc_count_given_up() g
  UNION ALL
  SELECT 'connections', c.integration_type, c.status, count(*) FROM public.connections c GROUP BY 2, 3
  UNION ALL
  SELECT 'sync_lag_seconds', l.integration_type, NULL,
    extract(epoch FROM now() - min(l.since + (l.days - 1) * interval '1 day'))
  FROM (
    SELECT c.integration_type, COALESCE(c.last_synced_at, c.svc_created_at) AS since,
      -- Few companies have settings of their own.
      CASE WHEN EXISTS (
          SELECT FROM public.sync_configs s WHERE s.svc_company_id = c.svc_company_id AND s.category = c.category)
        THEN (
          SELECT CASE WHEN count(*) = 0 THEN 1 ELSE min(COALESCE(s.interval, 1)
              * CASE s.frequency WHEN 'WEEKLY' THEN 7 WHEN 'MONTHLY' THEN 30 WHEN 'YEARLY' THEN 365 ELSE 1 END)
            FILTER (WHERE s.enabled IS NOT FALSE) END
          FROM public.sync_marks m
            LEFT JOIN public.sync_configs s ON s.svc_company_id = m.svc_company_id AND s.category = c.category
              AND s.data_model = m.data_model
          WHERE m.svc_company_id = c.svc_company_id AND m.connection_id = c.svc_id)
        ELSE 1 END AS days
    FROM public.connections c
    WHERE c.status = 'HEALTHY' AND EXISTS (
      SELECT FROM public.connection_credentials k WHERE k.svc_company_id = c.svc_company_id AND k.connection_id = c.svc_id)
  ) AS l WHERE l.days IS NOT NULL GROUP BY 2
  UNION ALL
  SELECT 'platform_budget_left', c.integration_type, 'minute', min(CASE WHEN c.minute_reset_at <= now() - interval '1 minute'
    THEN 1 ELSE GREATEST(0, 1 - c.minute_calls::float8 / NULLIF(c.max_per_minute, 0)) END)
  FROM public.connections c GROUP BY 2
  UNION ALL
  SELECT 'platform_budget_left', c.integration_type, 'day', min(CASE WHEN c.day_reset_at <= now() - interval '1 day'
    THEN 1 ELSE GREATEST(0, 1 - c.day_calls::float8 / NULLIF(c.max_per_day, 0)) END)
  FROM public.connections c WHERE c.max_per_day IS NOT NULL GROUP BY 2
  UNION ALL
  SELECT 'platform_paused', c.integration_type, NULL, count(*) FILTER (WHERE c.paused_until > now())
  FROM public.connections c GROUP BY 2
  UNION ALL
  -- Without those of one node it would go back: the last one stays in view.
  SELECT 'change_position', NULL, NULL, changes WHERE changes IS NOT NULL
  UNION ALL
  SELECT 'webhooks', CASE WHEN w.enabled AND w.failing_since IS NOT NULL THEN 'failing' WHEN w.enabled THEN 'working'
    WHEN w.disabled_reason IS NOT NULL THEN 'disabled' ELSE 'off' END, NULL, count(*)
  FROM public.webhooks w GROUP BY 2
  UNION ALL
  SELECT 'webhook_failing_seconds', NULL, NULL, COALESCE(extract(epoch FROM now() - min(w.failing_since)), 0)
  FROM public.webhooks w WHERE w.enabled
  UNION ALL
  SELECT 'webhook_lag_positions', NULL, NULL, COALESCE(max(GREATEST(0,
    COALESCE(CASE w.type WHEN 'DATA_MODEL_CHANGES' THEN c.position ELSE e.position END, 0) - w.position)), 0)
  FROM public.webhooks w
    LEFT JOIN unnest(organisations, heads) AS c (organisation, position) ON c.organisation = w.svc_organisation_id
    LEFT JOIN public.event_heads e ON e.svc_organisation_id = w.svc_organisation_id
  WHERE w.enabled
  UNION ALL
  SELECT 'webhook_records_held', NULL, NULL, count(*) FROM public.webhook_holds
  ) AS m (metric, label, other, value);
END
$$;
REVOKE ALL ON FUNCTION svc_read_heads(bigint[], integer[]), svc_measure(integer[]),
  svc_claim_webhooks(text, timestamptz, integer, integer, integer, integer[]) FROM PUBLIC;
