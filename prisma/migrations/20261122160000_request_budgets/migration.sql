-- How many requests of a minute an organisation, and each of its keys, has been given to processes. What a crash of the
-- server takes is a minute's worth.
CREATE UNLOGGED TABLE "request_budgets" (
    "svc_organisation_id" BIGINT NOT NULL,
    "key_id" TEXT NOT NULL,
    "minute_ends" BIGINT NOT NULL,
    "lent" INTEGER NOT NULL,

    CONSTRAINT "request_budgets_pkey" PRIMARY KEY ("svc_organisation_id","key_id")
);

ALTER TABLE "request_budgets" ADD CONSTRAINT "request_budgets_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

SELECT svc_protect_table('request_budgets');

-- Lends requests of the current minute to a process, which gives back what it has left of its last loan. A minute begins
-- with its first loan. Rows are locked in one order; nobody's clock counts but the database's.
CREATE FUNCTION svc_borrow_requests(
  organisations bigint[], keys text[], most integer[], wanted integer[], given_back integer[], ends bigint[]
) RETURNS TABLE (place integer, loan integer, lent_in_all integer, minute_end bigint, milliseconds_left integer)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  now_ms bigint := extract(epoch FROM clock_timestamp()) * 1000;
  taken integer;
BEGIN
  FOR place IN SELECT i FROM generate_subscripts(keys, 1) i ORDER BY organisations[i], keys[i] LOOP
    INSERT INTO public.request_budgets AS b (svc_organisation_id, key_id, minute_ends, lent)
    VALUES (organisations[place], keys[place], now_ms + 60000, 0)
    ON CONFLICT (svc_organisation_id, key_id) DO UPDATE SET
      minute_ends = CASE WHEN b.minute_ends <= now_ms THEN excluded.minute_ends ELSE b.minute_ends END,
      lent = CASE
        WHEN b.minute_ends <= now_ms THEN 0
        WHEN b.minute_ends = ends[place] THEN greatest(0, b.lent - given_back[place])
        ELSE b.lent END
    RETURNING b.minute_ends, b.lent INTO minute_end, taken;
    milliseconds_left := minute_end - now_ms;
    loan := greatest(0, least(wanted[place], most[place] - taken));
    lent_in_all := taken + loan;
    UPDATE public.request_budgets b SET lent = lent_in_all
    WHERE b.svc_organisation_id = organisations[place] AND b.key_id = keys[place] AND loan > 0;
    RETURN NEXT;
  END LOOP;
END
$$;
REVOKE ALL ON FUNCTION svc_borrow_requests(bigint[], text[], integer[], integer[], integer[], bigint[]) FROM PUBLIC;
