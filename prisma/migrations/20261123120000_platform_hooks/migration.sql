-- Where a platform tells an organisation's integration of changes, and what it signs them with.
ALTER TABLE "integrations" ADD COLUMN     "hook_secret" TEXT,
ADD COLUMN     "hook_token" TEXT NOT NULL DEFAULT replace((gen_random_uuid())::text, '-'::text, ''::text);

-- CreateIndex
CREATE UNIQUE INDEX "integrations_hook_token_key" ON "integrations"("hook_token");

-- The integration of a token, before its organisation is known; none while it is switched off or has no secret.
CREATE FUNCTION svc_find_hook(token text)
  RETURNS TABLE (svc_organisation_id bigint, integration_type text, hook_secret text)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT i.svc_organisation_id, i.integration_type, i.hook_secret FROM public.integrations i
  WHERE i.hook_token = token AND NOT i.is_disabled AND i.hook_secret IS NOT NULL
$$;
REVOKE ALL ON FUNCTION svc_find_hook(text) FROM PUBLIC;
