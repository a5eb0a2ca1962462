-- Values of `raw_data` that an organisation has given names and types (docs/fields.md): evaluated when they are read.
CREATE TABLE "field_mappings" (
    "svc_organisation_id" BIGINT NOT NULL,
    "svc_id" BIGINT NOT NULL DEFAULT nextval('svc_id_seq'::regclass),
    "svc_company_id" BIGINT,
    "integration_type" TEXT NOT NULL,
    "data_model" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "earlier" JSONB NOT NULL DEFAULT '[]',
    "is_indexed" BOOLEAN NOT NULL DEFAULT false,
    "svc_created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "svc_updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "field_mappings_pkey" PRIMARY KEY ("svc_id")
);

-- One of all companies, and one of each company that has its own.
CREATE UNIQUE INDEX "field_mappings_name_key" ON "field_mappings"("svc_organisation_id", "data_model", "integration_type", "name", "svc_company_id") NULLS NOT DISTINCT;

CREATE INDEX "field_mappings_svc_organisation_id_svc_company_id_idx" ON "field_mappings"("svc_organisation_id", "svc_company_id");

ALTER TABLE "field_mappings" ADD CONSTRAINT "field_mappings_svc_organisation_id_fkey" FOREIGN KEY ("svc_organisation_id") REFERENCES "organisations"("svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE "field_mappings" ADD CONSTRAINT "field_mappings_svc_organisation_id_svc_company_id_fkey" FOREIGN KEY ("svc_organisation_id", "svc_company_id") REFERENCES "companies"("svc_organisation_id", "svc_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- As `svc_protect_table` says it; but keys of some companies see those of all companies, too, and write only those of theirs.
ALTER TABLE "field_mappings" ENABLE ROW LEVEL SECURITY;
CREATE POLICY svc_scope ON "field_mappings"
  USING (NULLIF(svc_organisation_id = (SELECT NULLIF(current_setting('svc.organisation', true), '')::bigint)
    AND (svc_company_id IS NULL OR COALESCE(svc_company_id = ANY (
      (SELECT NULLIF(current_setting('svc.companies', true), '')::bigint[])::bigint[]), true)), false) IS NOT NULL)
  WITH CHECK (NULLIF(svc_organisation_id = (SELECT NULLIF(current_setting('svc.organisation', true), '')::bigint)
    AND CASE WHEN (SELECT NULLIF(current_setting('svc.companies', true), '')) IS NULL THEN true
      ELSE COALESCE(svc_company_id = ANY (
        (SELECT NULLIF(current_setting('svc.companies', true), '')::bigint[])::bigint[]), false) END, false) IS NOT NULL);

-- The value at a path as each type of field. What does not fit is null: no value of a platform makes a statement fail, or
-- is too long for an index. Indexes are made of these functions: a function that gives other values needs another name.
CREATE FUNCTION svc_mapped_text(record jsonb, path jsonpath) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  found jsonb := jsonb_path_query_first(record, path, '{}', true);
BEGIN
  RETURN CASE WHEN jsonb_typeof(found) IN ('string', 'number', 'boolean') THEN found #>> '{}' END;
END
$$;

-- As decimals of the service: up to 40 digits before the point and 20 after it.
CREATE FUNCTION svc_mapped_number(record jsonb, path jsonpath) RETURNS numeric
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  found jsonb := jsonb_path_query_first(record, path, '{}', true);
  digits numeric;
BEGIN
  IF jsonb_typeof(found) = 'number' THEN
    digits := found::numeric;
  ELSIF jsonb_typeof(found) = 'string' AND (found #>> '{}') ~ '^\s*[+-]?\d{1,60}(\.\d{1,60})?\s*$' THEN
    digits := (found #>> '{}')::numeric;
  END IF;
  RETURN CASE WHEN abs(digits) < 1e40 AND scale(digits) <= 20 THEN digits END;
END
$$;

CREATE FUNCTION svc_mapped_boolean(record jsonb, path jsonpath) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  RETURN CASE lower(public.svc_mapped_text(record, path))
    WHEN 'true' THEN true WHEN 'yes' THEN true WHEN '1' THEN true
    WHEN 'false' THEN false WHEN 'no' THEN false WHEN '0' THEN false END;
END
$$;

-- An instant: ISO 8601, without a zone in UTC, a day alone as its midnight, or as Xero writes it: `/Date(1518685950940+0000)/`.
CREATE FUNCTION svc_mapped_time(record jsonb, path jsonpath) RETURNS timestamptz
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  found text := public.svc_mapped_text(record, path);
  part text[] := regexp_match(found,
    '^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?)?$');
  xero text := substring(found from '^/Date\((-?\d{1,14})(?:[+-]\d{4})?\)/$');
  zone text := COALESCE(upper(part[8]), 'Z');
  days integer;
BEGIN
  IF xero IS NOT NULL THEN
    RETURN CASE WHEN xero::bigint >= -62135596800000 THEN to_timestamp(xero::bigint / 1000.0) END;
  ELSIF part IS NULL OR part[1] = '0000' OR part[2]::integer NOT BETWEEN 1 AND 12 THEN
    RETURN NULL;
  END IF;
  days := extract(day FROM make_date(part[1]::integer, part[2]::integer, 1) + interval '1 month' - interval '1 day');
  IF part[3]::integer NOT BETWEEN 1 AND days OR COALESCE(part[4], '00')::integer > 23
    OR COALESCE(part[5], '00')::integer > 59 OR COALESCE(part[6], '00')::integer > 59
    OR (zone <> 'Z' AND (substr(zone, 2, 2)::integer > 15 OR right(zone, 2)::integer > 59)) THEN
    RETURN NULL;
  END IF;
  RETURN (make_timestamp(part[1]::integer, part[2]::integer, part[3]::integer, COALESCE(part[4], '00')::integer,
      COALESCE(part[5], '00')::integer, COALESCE(part[6], '00')::integer) AT TIME ZONE 'UTC')
    + make_interval(secs => rpad(left(COALESCE(part[7], '0'), 3), 3, '0')::integer / 1000.0)
    - CASE WHEN zone = 'Z' THEN interval '0' ELSE
        make_interval(mins => (left(zone, 1) || '1')::integer * (substr(zone, 2, 2)::integer * 60 + right(zone, 2)::integer)) END;
END
$$;

-- A calendar day, as it is written: an instant's day is not shifted to another zone.
CREATE FUNCTION svc_mapped_date(record jsonb, path jsonpath) RETURNS date
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  at timestamptz := public.svc_mapped_time(record, path);
BEGIN
  IF at IS NULL THEN
    RETURN NULL;
  ELSIF left(public.svc_mapped_text(record, path), 1) = '/' THEN
    RETURN (at AT TIME ZONE 'UTC')::date;
  END IF;
  DECLARE
    written text := public.svc_mapped_text(record, path);
  BEGIN
    RETURN make_date(substr(written, 1, 4)::integer, substr(written, 6, 2)::integer, substr(written, 9, 2)::integer);
  END;
END
$$;

-- The records of the scope's organisation that an index of a field finds. Row-level security would keep requests from using
-- the index, as no function of raw_data is leakproof: so the owner looks, within the settings that row-level security reads
-- too. None where there are more than `most`: then the index is of no use.
CREATE FUNCTION svc_find_by_field(
  records regclass, integration text, path jsonpath, field_type text, operator text, wanted text[], company bigint, most integer
) RETURNS bigint[] LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  organisation bigint := NULLIF(current_setting('svc.organisation', true), '')::bigint;
  companies bigint[] := NULLIF(current_setting('svc.companies', true), '')::bigint[];
  kind text := CASE field_type WHEN 'TEXT' THEN 'text' WHEN 'NUMBER' THEN 'numeric' WHEN 'BOOLEAN' THEN 'boolean'
    WHEN 'DATE' THEN 'date' WHEN 'TIME' THEN 'timestamptz' END;
  value text := format('public.svc_mapped_%s(t.raw_data, %L::jsonpath)', lower(field_type), path);
  found bigint[];
BEGIN
  IF organisation IS NULL OR kind IS NULL OR operator NOT IN ('=', '<=', '>=') THEN
    RETURN NULL;
  END IF;
  IF kind = 'text' THEN
    value := format('left(%s, 200) COLLATE "C"', value);
  END IF;
  EXECUTE format(
    'SELECT array_agg(f.svc_id) FROM (SELECT t.svc_id FROM %s t WHERE t.svc_organisation_id = %s'
    ' AND t.svc_integration_type = %L AND %s %s AND ($1 IS NULL OR t.svc_company_id = ANY ($1))'
    ' AND ($2 IS NULL OR t.svc_company_id = $2) LIMIT %s) f',
    records, organisation, integration, value,
    CASE operator WHEN '=' THEN format('= ANY (%L::%s[])', wanted, kind) ELSE format('%s %L::%s', operator, wanted[1], kind) END,
    most + 1)
    INTO found USING companies, company;
  RETURN CASE WHEN COALESCE(cardinality(found), 0) <= most THEN COALESCE(found, '{}') END;
END
$$;
REVOKE ALL ON FUNCTION svc_find_by_field(regclass, text, jsonpath, text, text, text[], bigint, integer) FROM PUBLIC;
