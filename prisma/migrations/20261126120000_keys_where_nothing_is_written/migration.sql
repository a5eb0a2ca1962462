-- The key of that hash, unless it was revoked or has expired. Notes that it was used, once a minute, and from where, once a
-- day for each address; where nothing can be written (a full disk, a read-only server), the key still works for reading.
CREATE OR REPLACE FUNCTION svc_use_api_key(hash bytea, address text)
  RETURNS TABLE (id text, svc_organisation_id bigint, scopes text[], company_ids bigint[])
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp ROWS 1
AS $$
DECLARE
  found public.api_keys;
  is_due boolean;
  is_new boolean;
BEGIN
  SELECT * INTO found FROM public.api_keys k
  WHERE k.key_hash = hash AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now());
  IF found.id IS NULL THEN
    RETURN;
  END IF;
  is_due := found.last_used_at IS NULL OR found.last_used_at < now() - interval '1 minute';
  is_new := NOT EXISTS (
    SELECT FROM public.audit_events e WHERE e.svc_organisation_id = found.svc_organisation_id
      AND e.event_type = 'KEY_USED' AND e.key_id = found.id AND e.subject = address AND e.day = (now() AT TIME ZONE 'UTC')::date
  );
  IF is_due OR is_new THEN
    -- A block that catches is a subtransaction, which most uses have no need of.
    BEGIN
      IF is_due THEN
        UPDATE public.api_keys k SET last_used_at = now() WHERE k.id = found.id;
      END IF;
      IF is_new THEN
        INSERT INTO public.audit_events (svc_organisation_id, event_type, key_id, subject, day)
        VALUES (found.svc_organisation_id, 'KEY_USED', found.id, address, (now() AT TIME ZONE 'UTC')::date)
        ON CONFLICT DO NOTHING;
      END IF;
    EXCEPTION
      WHEN read_only_sql_transaction OR disk_full THEN NULL;
    END;
  END IF;
  RETURN QUERY SELECT found.id, found.svc_organisation_id, COALESCE(found.scopes, '{}'),
    COALESCE(found.company_ids, '{}');
END
$$;
