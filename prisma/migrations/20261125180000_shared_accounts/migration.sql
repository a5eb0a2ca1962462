-- Whether a living connection of the organisation reaches an account, whichever companies the caller may see.
CREATE FUNCTION svc_is_account_connected(organisation bigint, integration text, account text)
  RETURNS boolean
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (
    SELECT FROM public.connections c
    WHERE c.svc_organisation_id = organisation AND c.integration_type = integration AND c.external_account_id = account
      AND c.status = 'HEALTHY'
      AND organisation = COALESCE(NULLIF(current_setting('svc.organisation', true), '')::bigint, organisation)
  );
$$;
REVOKE ALL ON FUNCTION svc_is_account_connected(bigint, text, text) FROM PUBLIC;
