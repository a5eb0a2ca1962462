-- Days and instants in further forms of platforms (docs/fields.md). Functions of indexes that give other values are other
-- functions: what was indexed by the earlier ones goes with them, and workers make those indexes anew.
DROP FUNCTION svc_mapped_date(jsonb, jsonpath) CASCADE;
DROP FUNCTION svc_mapped_time(jsonb, jsonpath) CASCADE;

-- A day or instant in the words of ISO 8601, not yet checked; null for other forms. Where day and month could be either,
-- as in 03/04/2026, there is none.
CREATE FUNCTION svc_iso_time(given text) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  clock constant text := '(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*(z|ut|utc|gmt|[+-]\d{2}:?\d{2}))?)?$';
  month constant text := '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?'
    '|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
  weekday constant text := '^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+)?';
  part text[];
  ms numeric;
BEGIN
  IF given ~ '^\d{4}-' THEN
    RETURN given;
  ELSIF given ~ '^\d{8}$' THEN
    RETURN left(given, 4) || '-' || substr(given, 5, 2) || '-' || right(given, 2);
  END IF;
  ms := CASE
    WHEN given ~ '^\d{9,10}(\.\d{1,9})?$' THEN trunc(given::numeric * 1000)
    WHEN given ~ '^\d{12,13}$' THEN given::numeric
    ELSE substring(given from '^/Date\((-?\d{1,14})(?:[+-]\d{4})?\)/$')::numeric END;
  IF ms IS NOT NULL THEN
    RETURN CASE WHEN ms >= -62135596800000
      THEN to_char(to_timestamp(ms / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') END;
  END IF;
  part := regexp_match(given, '^(\d{1,2})\.(\d{1,2})\.(\d{4})' || clock, 'i');
  IF part IS NULL THEN
    -- Saturday, 21 November 2026; 21-Nov-2026.
    part := regexp_match(given, weekday || '(\d{1,2})[ -]' || month || '[ -](\d{4})' || clock, 'i');
  END IF;
  IF part IS NULL THEN
    -- November 21, 2026.
    part := regexp_match(given, weekday || month || '\s+(\d{1,2}),?\s+(\d{4})' || clock, 'i');
    part := part[2:2] || part[1:1] || part[3:7];
  END IF;
  IF part IS NULL THEN
    RETURN NULL;
  ELSIF part[2] !~ '^\d' THEN
    part[2] := ((position(lower(left(part[2], 3)) IN 'janfebmaraprmayjunjulaugsepoctnovdec') + 2) / 3)::text;
  END IF;
  RETURN part[3] || '-' || lpad(part[2], 2, '0') || '-' || lpad(part[1], 2, '0')
    || COALESCE('T' || lpad(part[4], 2, '0') || ':' || part[5] || ':' || COALESCE(part[6], '00')
      || CASE WHEN part[7] ~ '^[+-]' THEN part[7] ELSE 'Z' END, '');
END
$$;

-- An instant; without a zone in UTC, a day alone as its midnight.
CREATE FUNCTION svc_mapped_time(record jsonb, path jsonpath) RETURNS timestamptz
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  part text[] := regexp_match(public.svc_iso_time(public.svc_mapped_text(record, path)),
    '^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?([Zz]|[+-]\d{2}:?\d{2})?)?$');
  zone text := COALESCE(upper(part[8]), 'Z');
  days integer;
BEGIN
  IF part IS NULL OR part[1] = '0000' OR part[2]::integer NOT BETWEEN 1 AND 12 THEN
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

-- A calendar day, as it is written: an instant's day is not shifted to another zone. Of a number it is the day in UTC.
CREATE FUNCTION svc_mapped_date(record jsonb, path jsonpath) RETURNS date
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
BEGIN
  RETURN CASE WHEN public.svc_mapped_time(record, path) IS NOT NULL
    THEN left(public.svc_iso_time(public.svc_mapped_text(record, path)), 10)::date END;
END
$$;
