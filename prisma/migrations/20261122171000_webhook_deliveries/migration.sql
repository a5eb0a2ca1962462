-- Where each webhook stands in its log: that of changes, or that of other events. Who works for it has it leased.
ALTER TABLE "webhooks" ADD COLUMN "position" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN "replay_after" BIGINT,
ADD COLUMN "replay_until" BIGINT,
ADD COLUMN "due_at" TIMESTAMPTZ(3),
ADD COLUMN "failures" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN "failing_since" TIMESTAMPTZ(3),
ADD COLUMN "disabled_reason" TEXT,
ADD COLUMN "worker_id" TEXT,
ADD COLUMN "leased_until" TIMESTAMPTZ(3),
ADD COLUMN "fence" INTEGER NOT NULL DEFAULT 0;

CREATE TABLE "event_heads" (
    "svc_organisation_id" BIGINT NOT NULL,
    "position" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "event_heads_pkey" PRIMARY KEY ("svc_organisation_id")
);

CREATE TABLE "service_events" (
    "svc_organisation_id" BIGINT NOT NULL,
    "position" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_events_pkey" PRIMARY KEY ("svc_organisation_id","position")
);

CREATE TABLE "webhook_deliveries" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "webhook_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "company_id" BIGINT,
    "type" TEXT NOT NULL,
    "data_model" TEXT,
    "state" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "response_status" INTEGER,
    "response_text" TEXT,
    "error" TEXT,
    "duration_ms" INTEGER NOT NULL,
    "first_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "last_attempt_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("svc_organisation_id","svc_id")
);

CREATE TABLE "webhook_holds" (
    "svc_organisation_id" BIGINT NOT NULL,
    "webhook_id" TEXT NOT NULL,
    "key" BIGINT NOT NULL,
    "company_id" BIGINT NOT NULL,
    "position" BIGINT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_holds_pkey" PRIMARY KEY ("webhook_id","key")
);

CREATE INDEX "service_events_created_at_idx" ON "service_events"("created_at");
CREATE UNIQUE INDEX "webhook_deliveries_webhook_id_event_id_key" ON "webhook_deliveries"("webhook_id", "event_id");
CREATE INDEX "webhook_deliveries_webhook_id_svc_id_idx" ON "webhook_deliveries"("webhook_id", "svc_id");
CREATE INDEX "webhook_deliveries_last_attempt_at_idx" ON "webhook_deliveries"("last_attempt_at");

ALTER TABLE "event_heads" ADD CONSTRAINT "event_heads_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "service_events" ADD CONSTRAINT "service_events_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "webhook_holds" ADD CONSTRAINT "webhook_holds_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "webhooks"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

SELECT svc_protect_table('event_heads');
SELECT svc_protect_table('service_events');
SELECT svc_protect_table('webhook_deliveries');
SELECT svc_protect_table('webhook_holds');

-- Whether somebody works for a webhook: its lease, by this server's clock, has not run out, and the session that its worker
-- holds a lock of is there. A worker without a name has no session.
CREATE FUNCTION svc_is_leased(worker text, until timestamptz) RETURNS boolean
  LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp
AS $$
  SELECT COALESCE(until >= now(), false) AND (worker = '' OR EXISTS (
    SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.classid = 7411204 AND l.objsubid = 2
      AND l.objid = (hashtext(worker)::bigint & 4294967295)::oid
      AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())))
$$;

-- Leases webhooks that have something to send at that time: those of all organisations, at most so many, and of each
-- organisation at most so many at a time, whoever works for them.
CREATE FUNCTION svc_claim_webhooks(worker text, at timestamptz, most integer, most_each integer, seconds integer)
  RETURNS TABLE (id text, svc_organisation_id bigint, fence integer)
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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

-- What was sent, and what was there to be sent.
CREATE FUNCTION svc_forget_deliveries(days integer, most integer) RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
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
    WHERE e.created_at < now() - make_interval(days => days)
    ORDER BY e.created_at LIMIT most
  ), gone_events AS (
    DELETE FROM public.service_events e USING old_events o
    WHERE e.svc_organisation_id = o.svc_organisation_id AND e.position = o.position RETURNING 1
  )
  SELECT GREATEST((SELECT count(*) FROM gone), (SELECT count(*) FROM gone_events))
$$;

REVOKE ALL ON FUNCTION svc_is_leased(text, timestamptz) FROM PUBLIC;
REVOKE ALL ON FUNCTION svc_claim_webhooks(text, timestamptz, integer, integer, integer) FROM PUBLIC;
REVOKE ALL ON FUNCTION svc_forget_deliveries(integer, integer) FROM PUBLIC;

-- Wakes who sends events.
CREATE TRIGGER svc_wake AFTER INSERT OR UPDATE OF position ON event_heads FOR EACH ROW EXECUTE FUNCTION svc_wake();
