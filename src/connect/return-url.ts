import type { TenantClient } from '../db/tenant-client.js';

/** A longer one does not fit into a cookie. */
const MAX_LENGTH = 1000;

/** The return URL for an end customer if its origin is one of the organisation's, else null. */
export async function allowedReturn(client: TenantClient, value: unknown): Promise<string | null> {
  if (typeof value !== 'string' || value.length > MAX_LENGTH || !URL.canParse(value)) return null;
  const url = new URL(value);
  if (url.username !== '' || url.password !== '') return null;
  const known = await client.returnOrigin.findFirst({ where: { origin: url.origin } });
  return known ? url.href : null;
}
