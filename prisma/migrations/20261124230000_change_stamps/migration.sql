-- A stamp is another text after every change: a position is not, as a database that was restored or promoted gives those it
-- has lost to other changes. `passed` changes where a position is passed without a change: with all that an organisation has.
ALTER TABLE "change_heads" ADD COLUMN     "passed" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
ADD COLUMN     "stamp" UUID NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000';

-- CreateTable
CREATE TABLE "change_stamps" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_company_id" BIGINT NOT NULL,
    "data_model" TEXT NOT NULL,
    "stamp" UUID NOT NULL,

    CONSTRAINT "change_stamps_pkey" PRIMARY KEY ("svc_organisation_id","svc_company_id","data_model")
);

-- AddForeignKey
ALTER TABLE "change_stamps" ADD CONSTRAINT "change_stamps_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

SELECT svc_protect_table('change_stamps');

-- Holds the end of an organisation's log until the transaction ends, and moves it by one without a change; only within its
-- scope. As the owner, who removes rows of the log: a cluster lets one login change what is on a node in a transaction.
CREATE OR REPLACE FUNCTION svc_pass_change(organisation bigint) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  -- A cluster takes no volatile functions in updates.
  fresh uuid := gen_random_uuid();
BEGIN
  IF organisation = NULLIF(current_setting('svc.organisation', true), '')::bigint THEN
    INSERT INTO public.change_heads AS h (svc_organisation_id, position, stamp, passed) VALUES (organisation, 1, fresh, fresh)
    ON CONFLICT (svc_organisation_id) DO UPDATE SET position = h.position + 1, stamp = fresh, passed = fresh;
  END IF;
END
$$;

-- The log of a company whose connections are gone, at most so many rows of it, and its stamps; only within its organisation's
-- scope.
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
  DELETE FROM public.change_stamps s WHERE s.svc_organisation_id = organisation AND s.svc_company_id = company;
  SELECT array_agg(c.position), array_agg(c.changed_at) INTO positions, times FROM (
    SELECT o.position, o.changed_at FROM public.record_changes o
    WHERE o.svc_organisation_id = organisation AND o.svc_company_id = company LIMIT most) c;
  DELETE FROM public.record_changes c USING unnest(positions, times) AS o (position, changed_at)
  WHERE c.svc_organisation_id = organisation AND c.position = o.position AND c.changed_at = o.changed_at;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$$;

-- What fields of a record's own show follows from the mappings. Where nothing was stored yet there is nothing to show.
CREATE FUNCTION svc_pass_mapping() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  fresh uuid := gen_random_uuid();
BEGIN
  UPDATE public.change_heads h SET stamp = fresh, passed = fresh
  WHERE h.svc_organisation_id = COALESCE(NEW.svc_organisation_id, OLD.svc_organisation_id);
  RETURN NULL;
END
$$;
REVOKE ALL ON FUNCTION svc_pass_mapping() FROM PUBLIC;
CREATE TRIGGER svc_pass_mapping AFTER INSERT OR UPDATE OR DELETE ON field_mappings
  FOR EACH ROW EXECUTE FUNCTION svc_pass_mapping();
