-- Up to where the log was removed when it had been kept long enough: a reader that is not that far has missed something.
-- What a removed company leaves out of the log is not meant.
ALTER TABLE "change_heads" ADD COLUMN "forgotten" BIGINT NOT NULL DEFAULT 0;

UPDATE "change_heads" h SET "forgotten" = COALESCE(
  (SELECT min(c."position") - 1 FROM "record_changes" c WHERE c."svc_organisation_id" = h."svc_organisation_id"),
  h."position");

-- As before, but for `forgotten`, of which readers of the log learn in the same moment.
CREATE OR REPLACE FUNCTION svc_forget_changes(days integer) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET timezone = 'UTC' SET lock_timeout = '2s'
AS $$
DECLARE
  old regclass;
  removed bigint;
BEGIN
  WITH gone AS (
    DELETE FROM public.record_changes_default WHERE changed_at < now() - make_interval(days => days)
    RETURNING svc_organisation_id, position
  ), noted AS (
    UPDATE public.change_heads h SET forgotten = GREATEST(h.forgotten, g.position)
    FROM (SELECT svc_organisation_id, max(position) AS position FROM gone GROUP BY 1) g
    WHERE h.svc_organisation_id = g.svc_organisation_id
  )
  SELECT count(*) INTO removed FROM gone;
  FOR old IN
    SELECT c.oid FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'public.record_changes'::regclass
      AND substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']+)''\)')::timestamptz
        <= now() - make_interval(days => days)
  LOOP
    EXECUTE format('UPDATE public.change_heads h SET forgotten = GREATEST(h.forgotten, g.position)
      FROM (SELECT o.svc_organisation_id, (
        SELECT max(c.position) FROM %s c WHERE c.svc_organisation_id = o.svc_organisation_id) AS position
        FROM public.change_heads o) g
      WHERE h.svc_organisation_id = g.svc_organisation_id AND g.position IS NOT NULL', old);
    EXECUTE format('DROP TABLE %s', old);
    removed := removed + 1;
  END LOOP;
  RETURN removed;
END
$$;
