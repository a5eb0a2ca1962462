-- How many subscriptions of a key each process has open. A process that no longer says so has none; what a crash of the
-- server takes is said again within seconds.
CREATE UNLOGGED TABLE "live_subscriptions" (
    "svc_organisation_id" BIGINT NOT NULL,
    "key_id" TEXT NOT NULL,
    "process_id" TEXT NOT NULL,
    "open" INTEGER NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "live_subscriptions_pkey" PRIMARY KEY ("svc_organisation_id","key_id","process_id")
);

ALTER TABLE "live_subscriptions" ADD CONSTRAINT "live_subscriptions_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

SELECT svc_protect_table('live_subscriptions');

-- Notes how many subscriptions of keys a process has, and grants it more while all processes together stay within `most`.
-- Keys are locked in one order, so that processes that ask at the same time see each other.
CREATE FUNCTION svc_open_subscriptions(
  process text, organisations bigint[], keys text[], held integer[], wanted integer[], most integer
) RETURNS TABLE (place integer, granted integer)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  others bigint;
BEGIN
  FOR place IN SELECT i FROM generate_subscripts(keys, 1) i ORDER BY organisations[i], keys[i] LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended('svc live ' || keys[place], 0));
    DELETE FROM public.live_subscriptions l
    WHERE l.svc_organisation_id = organisations[place] AND l.key_id = keys[place]
      AND (l.process_id = process OR l.seen_at < clock_timestamp() - interval '15 s');
    SELECT coalesce(sum(l.open), 0) INTO others FROM public.live_subscriptions l
    WHERE l.svc_organisation_id = organisations[place] AND l.key_id = keys[place];
    granted := greatest(0, least(wanted[place], most - others - held[place]));
    INSERT INTO public.live_subscriptions (svc_organisation_id, key_id, process_id, open, seen_at)
    SELECT organisations[place], keys[place], process, held[place] + granted, clock_timestamp()
    WHERE held[place] + granted > 0;
    RETURN NEXT;
  END LOOP;
END
$$;
REVOKE ALL ON FUNCTION svc_open_subscriptions(text, bigint[], text[], integer[], integer[], integer) FROM PUBLIC;
