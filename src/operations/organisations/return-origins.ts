import type { Context } from '../../context.js';
import { afterStoring } from '../../db/database-error.js';
import { inTransaction } from '../../db/in-transaction.js';
import { type Scope } from '../../db/scope.js';
import type { TenantClient } from '../../db/tenant-client.js';
import { invalid } from '../../errors.js';
import { parseText } from '../../base/values.js';
import { requireScope, requireWholeOrganisation } from '../keys/require-scope.js';

const MAX_ORIGINS = 50;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Allowed origins of return URLs for end customers, in order. */
export async function listReturnOrigins(client: TenantClient): Promise<string[]> {
  const rows = await client.returnOrigin.findMany({ orderBy: { origin: 'asc' } });
  return rows.map(({ origin }) => origin);
}

/** Replaces them by a caller's. Throws `invalid-params`. */
export async function updateReturnOrigins(context: Context, origins: readonly string[]): Promise<string[]> {
  requireScope(context, 'integrations:secrets', 'change return origins');
  requireWholeOrganisation(context, 'change return origins');
  return replaceReturnOrigins(context.client, context.sql.scope, origins);
}

/** Replaces the origins of an organisation. Throws `invalid-params`. */
export async function replaceReturnOrigins(
  client: TenantClient,
  { organisationId }: Scope,
  origins: readonly string[],
): Promise<string[]> {
  if (origins.length > MAX_ORIGINS) throw invalid('origins', `must be ${MAX_ORIGINS} at most`);
  const wanted = [...new Set(origins.map((value, index) => parseOrigin(value, index)))];
  await inTransaction(client, async (transaction) => {
    await transaction.returnOrigin.deleteMany({ where: { origin: { notIn: wanted } } });
    await transaction.returnOrigin.createMany({
      data: wanted.map((origin) => ({ svcOrganisationId: BigInt(organisationId), origin })),
      skipDuplicates: true,
    });
  });
  return afterStoring(listReturnOrigins(client));
}

/** An origin only: no path, no wildcard. */
function parseOrigin(value: string, index: number): string {
  const text = parseText(value, ['origins', index]).trim();
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.includes(url.hostname));
  if (url && isSafe && url.origin === text && !text.includes('*')) return text;
  throw invalid(['origins', index], 'must be an exact origin such as https://app.example.com');
}
