import type { TenantClient } from '../db/tenant-client.js';

/** What is longer fits into no cookie. */
const MAX_LENGTH = 1000;

/** The address that an end customer is sent back to, if its origin is one of the organisation's; null for every other. */
export async function allowedReturn(client: TenantClient, value: unknown): Promise<string | null> {
  if (typeof value !== 'string' || value.length > MAX_LENGTH || !URL.canParse(value)) return null;
  const url = new URL(value);
  if (url.username !== '' || url.password !== '') return null;
  const known = await client.returnOrigin.findFirst({ where: { origin: url.origin } });
  return known ? url.href : null;
}
