-- What is kept for a time only. Each function takes days and answers how much it removed, or the first of it; the times are
-- those of this server. They work for all organisations, hence as the owner.
CREATE INDEX "syncs_ended_at_idx" ON "syncs" ("ended_at");
CREATE INDEX "uploads_ended_at_idx" ON "uploads" ("ended_at");
CREATE INDEX "document_files_stored_at_idx" ON "document_files" ("stored_at");
CREATE INDEX "audit_events_svc_created_at_idx" ON "audit_events" ("svc_created_at");

-- Whole months, as soon as the last change of one is old enough. Who reads the log holds up neither this nor, for longer than
-- two seconds, anybody else.
CREATE FUNCTION svc_forget_changes(days integer) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s'
AS $$
DECLARE
  old regclass;
  removed bigint;
BEGIN
  DELETE FROM public.record_changes_default WHERE changed_at < now() - make_interval(days => days);
  GET DIAGNOSTICS removed = ROW_COUNT;
  FOR old IN
    SELECT c.oid FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'public.record_changes'::regclass
      AND substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']+)''\)')::timestamptz
        <= now() - make_interval(days => days)
  LOOP
    EXECUTE format('DROP TABLE %s', old);
    removed := removed + 1;
  END LOOP;
  RETURN removed;
END
$$;

-- The latest that ended stays for each connection, so that its state is known.
CREATE FUNCTION svc_forget_syncs(days integer, most integer) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH old AS (
    SELECT s.svc_company_id, s.svc_id FROM public.syncs s
    WHERE s.ended_at < now() - make_interval(days => days) AND EXISTS (
      SELECT FROM public.syncs later
      WHERE later.svc_company_id = s.svc_company_id AND later.connection_id = s.connection_id
        AND later.svc_id > s.svc_id AND later.ended_at IS NOT NULL)
    ORDER BY s.ended_at LIMIT most
  ), gone AS (
    DELETE FROM public.syncs s USING old
    WHERE s.svc_company_id = old.svc_company_id AND s.svc_id = old.svc_id RETURNING 1
  )
  SELECT count(*) FROM gone
$$;

-- With their items, and with idempotency keys, which hold for less.
CREATE FUNCTION svc_forget_uploads(days integer, most integer) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH old AS (
    SELECT u.svc_company_id, u.svc_id FROM public.uploads u
    WHERE u.ended_at < now() - make_interval(days => days)
    ORDER BY u.ended_at LIMIT most
  ), gone AS (
    DELETE FROM public.uploads u USING old
    WHERE u.svc_company_id = old.svc_company_id AND u.svc_id = old.svc_id RETURNING 1
  )
  SELECT count(*) FROM gone
$$;

-- Files that the platform gives again, and those of documents that were deleted. Only we have those of mapper version 0,
-- and who has to connect again cannot fetch any.
CREATE FUNCTION svc_files_to_forget(days integer, most integer)
  RETURNS TABLE (svc_organisation_id bigint, svc_company_id bigint, document_svc_id bigint, store_key text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT f.svc_organisation_id, f.svc_company_id, f.document_svc_id, f.store_key
  FROM public.document_files f
  JOIN public.documents d ON d.svc_company_id = f.svc_company_id AND d.svc_id = f.document_svc_id
  JOIN public.connections c ON c.svc_company_id = d.svc_company_id AND c.svc_id = d.connection_id
  WHERE f.stored_at < now() - make_interval(days => days)
    AND (d.svc_deleted_at IS NOT NULL OR (d.mapper_version <> 0 AND c.status = 'HEALTHY'))
  ORDER BY f.stored_at LIMIT most
$$;

CREATE FUNCTION svc_forget_audit_events(days integer, most integer) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH old AS (
    SELECT e.svc_organisation_id, e.svc_id FROM public.audit_events e
    WHERE e.svc_created_at < now() - make_interval(days => days)
    ORDER BY e.svc_created_at LIMIT most
  ), gone AS (
    DELETE FROM public.audit_events e USING old
    WHERE e.svc_organisation_id = old.svc_organisation_id AND e.svc_id = old.svc_id RETURNING 1
  )
  SELECT count(*) FROM gone
$$;

-- They are of use for half an hour.
CREATE FUNCTION svc_forget_authorizations() RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH gone AS (DELETE FROM public.authorizations WHERE expires_at < now() - interval '7 days' RETURNING 1)
  SELECT count(*) FROM gone
$$;

REVOKE ALL ON FUNCTION svc_forget_changes(integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION svc_forget_syncs(integer, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION svc_forget_uploads(integer, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION svc_files_to_forget(integer, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION svc_forget_audit_events(integer, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION svc_forget_authorizations() FROM PUBLIC;
