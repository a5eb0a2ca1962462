import type { Context } from '../../context.js';
import type { SyncConfigModel } from '../../db/__generated__/models.js';
import type { TenantClient } from '../../db/tenant-client.js';
import { invalid } from '../../errors.js';
import { accessOf, type ScopeAccess } from '../../platforms/scope-access.js';
import {
  defaultSyncSettings,
  parseSyncSettings,
  type SentSyncSetting,
  type SyncSetting,
  type SyncSettingChange,
} from '../../sync/sync-config.js';
import { pageOfAll } from '../../query/pages/complete-list.js';
import type { CountedConnection } from '../../query/pages/connection.js';
import type { PageArguments } from '../../query/pages/page.js';
import { parseText } from '../../base/values.js';
import { platformsOf } from '../integrations/capabilities.js';
import { knownCategories, parseCategory } from '../integrations/platform-choice.js';
import { requireCompany } from '../companies/require-company.js';

/** Reference G12, sync setting. */
export interface ListedSyncSetting {
  readonly category: string;
  readonly dataModel: string;
  readonly enabled: boolean;
  readonly frequency: string;
  readonly interval: number;
  readonly syncFrom: string | null;
  readonly customFields: readonly string[];
  readonly scopeAccess: ScopeAccess;
}

/** Operations on a record type that at least one platform of its category supports. */
function accessTo({ category, dataModel }: Pick<SyncSetting, 'category' | 'dataModel'>): ScopeAccess {
  const found = platformsOf(null, category).flatMap(({ dataModels }) =>
    dataModels.filter((one) => one.dataModel === dataModel),
  );
  return {
    read: true,
    create: found.some(({ create }) => create),
    update: found.some(({ update }) => update),
    delete: false,
  };
}

export type SyncSettingPage = CountedConnection<ListedSyncSetting>;

interface SyncSettingArguments extends PageArguments {
  readonly category: string;
  readonly companyId?: number | null | undefined;
}

/** The settings of a company and category or, without a company, the defaults. */
export async function listSyncSettings(
  context: Context,
  args: SyncSettingArguments,
): Promise<SyncSettingPage> {
  const settings = await readSettings(context, args.category, args.companyId ?? null);
  const listed = settings.map((node) => ({ id: node.dataModel, node }));
  return pageOfAll('sync settings', listed, args, { limits: context.limits, nested: false });
}

async function readSettings(
  { client }: Context,
  category: string,
  companyId: number | null,
): Promise<ListedSyncSetting[]> {
  const known = parseCategory(category, 'category');
  if (companyId === null) return defaultSyncSettings(known).map(present);
  await requireCompany(client, companyId, 'companyId');
  const [found] = await syncSettingsOf(client, [{ companyId, category }]);
  return found ?? [];
}

/** The settings of some companies and categories, in that order; one statement. */
export async function syncSettingsOf(
  client: TenantClient,
  wanted: readonly { readonly companyId: number; readonly category: string }[],
): Promise<ListedSyncSetting[][]> {
  const ids = [...new Set(wanted.map(({ companyId }) => companyId))];
  const rows = await client.syncConfig.findMany({ where: { svcCompanyId: { in: ids.map(BigInt) } } });
  const own = new Map(rows.map((row) => [keyOf(Number(row.svcCompanyId), row), row]));
  // A page may have a thousand companies, but few categories.
  const categories = new Set(wanted.map(({ category }) => category));
  const usual = new Map([...categories].map((category) => [category, usualSettings(category).map(present)]));
  return wanted.map(({ companyId, category }) =>
    (usual.get(category) ?? []).map((setting) => mergeSettings(setting, own.get(keyOf(companyId, setting)))),
  );
}

const keyOf = (companyId: number, { category, dataModel }: Pick<SyncSetting, 'category' | 'dataModel'>) =>
  `${companyId}:${category}:${dataModel}`;

/** Default settings of a category; empty if it has no platforms. */
function usualSettings(category: string): SyncSetting[] {
  const known = knownCategories().find((one) => one === category);
  return known ? defaultSyncSettings(known) : [];
}

function mergeSettings(usual: ListedSyncSetting, own: SyncConfigModel | undefined): ListedSyncSetting {
  if (!own) return usual;
  const { interval, syncFrom, customFields, frequency } = own;
  const access = accessOf(own);
  const possible = usual.scopeAccess;
  return {
    ...usual,
    enabled: own.enabled,
    interval,
    syncFrom: syncFrom?.toISOString() ?? null,
    customFields,
    frequency,
    scopeAccess: {
      read: possible.read && access.read,
      create: possible.create && access.create,
      update: possible.update && access.update,
      delete: possible.delete && access.delete,
    },
  };
}

function present(setting: SyncSetting): ListedSyncSetting {
  return { ...setting, syncFrom: setting.syncFrom?.toISOString() ?? null, scopeAccess: accessTo(setting) };
}

const MAX_SETTINGS = 200;
const MAX_CUSTOM_FIELDS = 100;
const MAX_CUSTOM_FIELD = 200;

/** Parses a caller's settings for a company; throws `invalid-params` that names the field. */
export function parseCompanySettings(
  input: readonly SentSyncSetting[] | null | undefined,
): readonly SyncSettingChange[] {
  if (!input) return [];
  if (input.length > MAX_SETTINGS) {
    throw invalid('syncConfig', `accepts at most ${MAX_SETTINGS} settings, got ${input.length}`);
  }
  input.forEach(({ customFields }, index) => {
    const field = ['syncConfig', index, 'customFields'];
    const names = customFields ?? [];
    if (names.length > MAX_CUSTOM_FIELDS) {
      throw invalid(field, `accepts at most ${MAX_CUSTOM_FIELDS} names, got ${names.length}`);
    }
    for (const name of names) {
      if (parseText(name, field).length <= MAX_CUSTOM_FIELD) continue;
      throw invalid(field, `takes names of at most ${MAX_CUSTOM_FIELD} characters`);
    }
  });
  return parseSyncSettings(input);
}
