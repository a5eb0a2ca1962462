-- The functions that look at the change log and at tables of the coordinator do it one after the other, so that they run on a
-- cluster, too: its workers have the log, and know neither the coordinator's rows nor its locks.

-- Leases webhooks that have something to send at that time: those of all organisations, at most so many, and of each
-- organisation at most so many at a time, whoever works for them. Those with nothing but changes that they leave out are
-- moved past them.
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
    SELECT w.svc_organisation_id, count(*) AS count FROM public.webhooks w
    WHERE public.svc_is_leased(w.worker_id, w.leased_until) GROUP BY 1
  ), due AS (
    SELECT w.id, COALESCE(h.count, 0)
      + row_number() OVER (PARTITION BY w.svc_organisation_id ORDER BY w.leased_until NULLS FIRST, w.id) AS nth
    FROM public.webhooks w
      LEFT JOIN held h ON h.svc_organisation_id = w.svc_organisation_id
      LEFT JOIN unnest(organisations, heads) AS c (organisation, position) ON c.organisation = w.svc_organisation_id
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
  FROM taken t WHERE w.id = t.id RETURNING w.id, w.svc_organisation_id, w.fence;
END
$$;

-- What is older than this many days: whole months at once. Says of each organisation where its log begins from then on.
CREATE OR REPLACE FUNCTION svc_forget_changes(days integer) RETURNS bigint
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET "TimeZone" TO 'UTC' SET lock_timeout TO '2s'
AS $$
DECLARE
  until timestamptz := now() - make_interval(days => days);
  old regclass;
  gone record;
  removed bigint;
BEGIN
  FOR gone IN
    SELECT c.svc_organisation_id AS organisation, max(c.position) AS position
    FROM public.record_changes_default c WHERE c.changed_at < until GROUP BY 1
  LOOP
    UPDATE public.change_heads h SET forgotten = GREATEST(h.forgotten, gone.position)
    WHERE h.svc_organisation_id = gone.organisation;
  END LOOP;
  DELETE FROM public.record_changes_default c WHERE c.changed_at < until;
  GET DIAGNOSTICS removed = ROW_COUNT;
  FOR old IN
    SELECT c.oid FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'public.record_changes'::regclass
      AND substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']+)''\)')::timestamptz <= until
  LOOP
    FOR gone IN EXECUTE format('SELECT o.svc_organisation_id AS organisation, (
      SELECT max(c.position) FROM %s c WHERE c.svc_organisation_id = o.svc_organisation_id) AS position
      FROM public.change_heads o', old)
    LOOP
      UPDATE public.change_heads h SET forgotten = GREATEST(h.forgotten, gone.position)
      WHERE h.svc_organisation_id = gone.organisation AND gone.position IS NOT NULL;
    END LOOP;
    EXECUTE format('DROP TABLE %s', old);
    removed := removed + 1;
  END LOOP;
  RETURN removed;
END
$$;

-- The log of a company whose connections are gone, at most so many rows of it; only within its organisation's scope.
CREATE OR REPLACE FUNCTION svc_remove_changes(organisation bigint, company bigint, most integer) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  positions bigint[];
  times timestamptz[];
  removed bigint;
BEGIN
  IF NOT COALESCE(organisation = NULLIF(current_setting('svc.organisation', true), '')::bigint, false)
    OR NOT COALESCE(company = ANY (NULLIF(current_setting('svc.companies', true), '')::bigint[]), true)
    OR EXISTS (SELECT FROM public.connections n WHERE n.svc_company_id = company)
  THEN
    RETURN 0;
  END IF;
  SELECT array_agg(c.position), array_agg(c.changed_at) INTO positions, times FROM (
    SELECT o.position, o.changed_at FROM public.record_changes o
    WHERE o.svc_organisation_id = organisation AND o.svc_company_id = company LIMIT most) c;
  DELETE FROM public.record_changes c USING unnest(positions, times) AS o (position, changed_at)
  WHERE c.svc_organisation_id = organisation AND c.position = o.position AND c.changed_at = o.changed_at;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;

-- What metrics show of all processes, with the same answers as before.
CREATE OR REPLACE FUNCTION svc_measure()
  RETURNS TABLE(metric text, label text, other text, value double precision)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
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
  SELECT 'sync_lag_seconds', c.integration_type, NULL,
    extract(epoch FROM now() - min(COALESCE(c.last_synced_at, c.svc_created_at)))
  FROM public.connections c WHERE c.status = 'HEALTHY' GROUP BY 2
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
  SELECT 'change_position', NULL, NULL, COALESCE(sum(h.position), 0) FROM public.change_heads h
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
    LEFT JOIN public.change_heads c ON c.svc_organisation_id = w.svc_organisation_id
    LEFT JOIN public.event_heads e ON e.svc_organisation_id = w.svc_organisation_id
  WHERE w.enabled
  UNION ALL
  SELECT 'webhook_records_held', NULL, NULL, count(*) FROM public.webhook_holds
  ) AS m (metric, label, other, value);
END
$$;

-- Files whose documents are gone or can be fetched again.
CREATE OR REPLACE FUNCTION svc_files_to_forget(days integer, most integer)
  RETURNS TABLE (svc_organisation_id bigint, svc_company_id bigint, document_svc_id bigint, store_key text)
  LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  file record;
BEGIN
  FOR file IN
    SELECT f.svc_organisation_id AS organisation, f.svc_company_id AS company, f.document_svc_id AS document, f.store_key AS key,
      d.svc_deleted_at IS NOT NULL AS gone, d.connection_id AS connection
    FROM public.document_files f
      JOIN public.documents d ON d.svc_company_id = f.svc_company_id AND d.svc_id = f.document_svc_id
    WHERE f.stored_at < now() - make_interval(days => days) AND (d.svc_deleted_at IS NOT NULL OR d.mapper_version <> 0)
    ORDER BY f.stored_at
  LOOP
    EXIT WHEN most <= 0;
    CONTINUE WHEN NOT file.gone AND NOT EXISTS (
      SELECT FROM public.connections c
      WHERE c.svc_company_id = file.company AND c.svc_id = file.connection AND c.status = 'HEALTHY');
    SELECT file.organisation, file.company, file.document, file.key
    INTO svc_organisation_id, svc_company_id, document_svc_id, store_key;
    RETURN NEXT;
    most := most - 1;
  END LOOP;
END
$$;

-- Holds the end of an organisation's log until the transaction ends, and moves it by one without a change; only within its
-- scope. As the owner, who removes rows of the log: a cluster lets one login change what is on a node in a transaction.
CREATE FUNCTION svc_pass_change(organisation bigint) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF organisation = NULLIF(current_setting('svc.organisation', true), '')::bigint THEN
    INSERT INTO public.change_heads AS h (svc_organisation_id, position) VALUES (organisation, 1)
    ON CONFLICT (svc_organisation_id) DO UPDATE SET position = h.position + 1;
  END IF;
END
$$;
REVOKE ALL ON FUNCTION svc_pass_change(bigint) FROM PUBLIC;
