import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type PulledPage, type PullOptions } from '../pull.js';
import { withContext } from '../values/platform-json.js';
import { objectOf } from '../values/platform-values.js';
import { listOf, unexpectedAnswer } from '../values/required-values.js';
import { OWN_ORGANIZATION, ZOHO_TITLE } from './client.js';
import { idOf, listPages, type ZohoList } from './lists.js';

/** Where the taxes of a group are noted in it. */
export const GROUPED = 'svc_taxes';

export const TAXES: ZohoList = { path: 'settings/taxes', idName: 'tax_id' };

/** Taxes and groups of them. What is in a group only its own call tells. */
export async function* taxPages(client: PlatformClient, options: PullOptions): AsyncGenerator<PulledPage> {
  for await (const page of listPages(TAXES, client, { ...options, since: null })) {
    const objects: PlatformObject[] = [];
    for (const tax of page.objects) objects.push(isGroup(tax) ? await withTaxes(client, tax) : tax);
    yield { ...page, objects };
  }
}

export const isGroup = (tax: PlatformObject): boolean => tax['tax_type'] === 'tax_group';

async function withTaxes(client: PlatformClient, tax: PlatformObject): Promise<PlatformObject> {
  const answer = await client.get(`/settings/taxgroups/${encodeURIComponent(idOf(TAXES, tax))}`);
  const group = objectOf(answer['tax_group']);
  if (!group) throw unexpectedAnswer(ZOHO_TITLE, 'must answer with a tax_group');
  return withContext(tax, { [GROUPED]: listOf(ZOHO_TITLE, group, 'taxes') });
}

/** The organization itself. */
export async function* organizationPages(client: PlatformClient): AsyncGenerator<PulledPage> {
  const organization = objectOf((await client.get(OWN_ORGANIZATION))['organization']);
  if (!organization) throw unexpectedAnswer(ZOHO_TITLE, 'must answer with an organization');
  yield { objects: [organization], cursor: null };
}
