-- When the demo was loaded completely. From then on its companies are the user's, to rename and delete.
ALTER TABLE organisations ADD COLUMN demo_loaded_at timestamptz(3);

-- Earlier versions noted nothing: they took the demo as loaded once each of its 9 connections was synced, and added field
-- mappings last.
UPDATE organisations o SET demo_loaded_at = now()
WHERE o.name = 'Demo Organisation' AND (
  EXISTS (SELECT FROM field_mappings f WHERE f.svc_organisation_id = o.svc_id)
  OR (
    SELECT count(DISTINCT (c.external_account_id, c.category)) FROM connections c
    WHERE c.integration_type = 'SVC_SANDBOX' AND c.external_account_id IN ('demo-1', 'demo-2', 'demo-3', 'demo-4', 'demo-5')
      AND c.last_synced_at IS NOT NULL
  ) >= 9
);
