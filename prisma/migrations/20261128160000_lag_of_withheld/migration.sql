-- Record types that a company withholds are not synced: they do not count for how far its syncs are behind.
CREATE OR REPLACE FUNCTION svc_measure(away integer[] DEFAULT '{}')
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
            FILTER (WHERE s.enabled IS NOT FALSE AND s.may_read IS NOT FALSE) END
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
