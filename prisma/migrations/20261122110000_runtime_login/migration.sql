-- Requests and jobs log in as a role of this database, which a start makes and grants what it needs (src/db/runtime).
-- The role that the first migration makes for all databases of a server keeps its name and nothing else.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'svc_runtime') THEN
    RETURN;
  END IF;
  REVOKE ALL ON ALL TABLES IN SCHEMA public FROM svc_runtime;
  REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM svc_runtime;
  REVOKE ALL ON ALL FUNCTIONS IN SCHEMA public FROM svc_runtime;
  REVOKE ALL ON SCHEMA public FROM svc_runtime;
  ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE ALL ON TABLES FROM svc_runtime;
  ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE ALL ON SEQUENCES FROM svc_runtime;
END
$$;

-- What has to be found before an organisation is known, each by a function of its own that runs as the owner.

-- The key of that hash, unless it was revoked or has expired; notes that it was used, once a minute.
CREATE FUNCTION svc_use_api_key(hash bytea)
  RETURNS TABLE (id text, svc_organisation_id bigint, scopes text[], company_ids bigint[])
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp ROWS 1
AS $$
BEGIN
  UPDATE public.api_keys k SET last_used_at = now()
  WHERE k.key_hash = hash AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
    AND (k.last_used_at IS NULL OR k.last_used_at < now() - interval '1 minute');
  RETURN QUERY SELECT k.id, k.svc_organisation_id, COALESCE(k.scopes, '{}'), COALESCE(k.company_ids, '{}') FROM public.api_keys k
  WHERE k.key_hash = hash AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now());
END
$$;

-- What an end customer who has the link may see and choose; `ended` says why it works no more.
CREATE FUNCTION svc_find_link(link_id text)
  RETURNS TABLE (svc_id bigint, svc_organisation_id bigint, svc_company_id bigint, company_name text,
    organisation_name text, integrations text[], integration_categories text[], ended text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp ROWS 1
AS $$
  SELECT l.svc_id, l.svc_organisation_id, l.svc_company_id, c.name, o.name, COALESCE(l.integrations, '{}'),
    COALESCE(l.integration_categories, '{}'),
    CASE WHEN l.revoked_at IS NOT NULL THEN 'revoked' WHEN l.expires_at <= now() THEN 'expired' END
  FROM public.invite_links l
  JOIN public.companies c ON c.svc_id = l.svc_company_id
  JOIN public.organisations o ON o.svc_id = l.svc_organisation_id
  WHERE l.invite_link_id = link_id
$$;

-- The link that an authorisation was begun from.
CREATE FUNCTION svc_find_link_of_state(hash bytea) RETURNS text
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT l.invite_link_id FROM public.authorizations a
  JOIN public.invite_links l ON l.svc_company_id = a.svc_company_id AND l.svc_id = a.invite_link_svc_id
  WHERE a.state_hash = hash
$$;

-- Connections that can be synced, in the order of their svc_ids, each with how far its record types are.
CREATE FUNCTION svc_connections_to_sync(after_svc_id bigint, most integer)
  RETURNS TABLE (svc_id bigint, svc_organisation_id bigint, svc_company_id bigint, category text, marks jsonb)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT c.svc_id, c.svc_organisation_id, c.svc_company_id, c.category,
    COALESCE((SELECT jsonb_agg(jsonb_build_object('dataModel', m.data_model, 'pulledTo', m.pulled_to))
      FROM public.sync_marks m WHERE m.svc_company_id = c.svc_company_id AND m.connection_id = c.svc_id), '[]')
  FROM public.connections c
  WHERE c.svc_id > after_svc_id AND c.status = 'HEALTHY' AND EXISTS (
    SELECT FROM public.connection_credentials s WHERE s.svc_company_id = c.svc_company_id AND s.connection_id = c.svc_id)
  ORDER BY c.svc_id LIMIT most
$$;

-- Organisations of which some workers hold work.
CREATE FUNCTION svc_organisations_of_workers(worker_ids text[]) RETURNS TABLE (svc_organisation_id bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT s.svc_organisation_id FROM public.syncs s WHERE s.worker_id = ANY (worker_ids) AND s.state = 'RUNNING'
  UNION
  SELECT u.svc_organisation_id FROM public.uploads u WHERE u.worker_id = ANY (worker_ids) AND u.state = 'RUNNING'
$$;

-- How much work was given up and not retried.
CREATE FUNCTION svc_count_given_up() RETURNS TABLE (kind text, count bigint)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT 'sync', count(*) FROM public.syncs WHERE state = 'GIVEN_UP'
  UNION ALL SELECT 'write', count(*) FROM public.uploads WHERE state = 'GIVEN_UP'
$$;

-- Idempotency keys hold for 30 days.
CREATE FUNCTION svc_forget_idempotency_keys() RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  DELETE FROM public.idempotency_keys WHERE created_at < now() - interval '30 days'
$$;

-- Jobs live in the schema of graphile-worker: one is added in the caller's transaction, so that it exists exactly when
-- what it is about does. A job of the same key is replaced.
CREATE OR REPLACE FUNCTION svc_add_job(task text, payload json, queue text, run_at timestamptz, job_key text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF payload->>'organisationId' IS DISTINCT FROM current_setting('svc.organisation', true) THEN
    RAISE insufficient_privilege USING MESSAGE = 'a job is of the organisation that adds it';
  END IF;
  PERFORM graphile_worker.add_job(task, payload, queue_name := queue, run_at := run_at, job_key := job_key);
END
$$;

-- Granted to the role by name, to nobody else.
REVOKE ALL ON FUNCTION svc_use_api_key(bytea), svc_find_link(text), svc_find_link_of_state(bytea),
  svc_connections_to_sync(bigint, integer), svc_organisations_of_workers(text[]), svc_count_given_up(),
  svc_forget_idempotency_keys(), svc_ensure_change_partitions(integer) FROM PUBLIC;

-- Partitions are made by the login of requests too: with a fixed search path, and in this schema by name.
CREATE OR REPLACE FUNCTION svc_ensure_change_partitions(months_ahead INT) RETURNS VOID
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' AS $$
DECLARE
  month TIMESTAMPTZ := date_trunc('month', now());
  partition_name TEXT;
BEGIN
  FOR i IN 0..months_ahead LOOP
    partition_name := 'record_changes_' || to_char(month, '"y"YYYY"m"MM');
    IF to_regclass('public.' || partition_name) IS NULL THEN
      BEGIN
        EXECUTE format('CREATE TABLE public.%I PARTITION OF public.record_changes FOR VALUES FROM (%L) TO (%L)',
                       partition_name, month, month + interval '1 month');
      EXCEPTION
        WHEN duplicate_table THEN NULL; -- another process was faster
        WHEN check_violation THEN NULL; -- rows of that month stand in the default partition already
      END;
    END IF;
    month := month + interval '1 month';
  END LOOP;
END;
$$;
