import { connectors } from '../connectors/index.js';
import { databaseTime } from '../db/clock.js';
import type { TenantClient } from '../db/tenant-client.js';
import { type FieldPath, invalid } from '../errors.js';
import { differs } from '../db/differs.js';
import type { Category } from '../records/define.js';
import { accessOf, changedColumns, type SentAccess } from '../platforms/scope-access.js';

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** Range and frequency of a record type's syncs. Reference G12, sync setting. */
export interface SyncSetting {
  readonly category: string;
  readonly dataModel: string;
  readonly enabled: boolean;
  readonly frequency: Frequency;
  /** Number of days, weeks, months or years between two syncs. */
  readonly interval: number;
  readonly syncFrom: Date | null;
  readonly customFields: readonly string[];
}

/** The default: everything, every day. */
const DEFAULT = {
  enabled: true,
  frequency: 'DAILY',
  interval: 1,
  syncFrom: null,
  customFields: [],
} as const satisfies Partial<SyncSetting>;

/** The record types that at least one platform of the category provides. */
function syncedDataModels(category: Category): string[] {
  const pulls = connectors.filter((one) => one.category === category).flatMap((one) => one.pulls);
  return [...new Set(pulls.map(({ definition }) => definition.dataModel))];
}

/** Settings of a category's syncs for companies without their own. */
export function defaultSyncSettings(category: Category): SyncSetting[] {
  return syncedDataModels(category).map((dataModel) => ({ category, dataModel, ...DEFAULT }));
}

/** A company's settings for a category, its own overriding the defaults. */
export async function readSyncSettings(
  client: TenantClient,
  svcCompanyId: number,
  category: Category,
): Promise<SyncSetting[]> {
  const rows = await client.syncConfig.findMany({ where: { svcCompanyId: BigInt(svcCompanyId), category } });
  const own = new Map(rows.map((row) => [row.dataModel, row]));
  return defaultSyncSettings(category).map((setting) => {
    const row = own.get(setting.dataModel);
    if (!row) return setting;
    const { interval, syncFrom, customFields } = row;
    const enabled = row.enabled && accessOf(row).read;
    return { ...setting, enabled, interval, syncFrom, customFields, frequency: row.frequency as Frequency };
  });
}

/** A setting sent by a caller: absent values stay as they are, null resets to the default. */
export interface SentSyncSetting {
  readonly category: string;
  readonly dataModel: string;
  readonly enabled?: boolean | null | undefined;
  readonly frequency?: string | null | undefined;
  readonly interval?: number | null | undefined;
  /** ISO 8601. */
  readonly syncFrom?: string | null | undefined;
  readonly customFields?: readonly string[] | null | undefined;
  readonly scopeAccess?: SentAccess | null | undefined;
}

/** Oldest date to read. Throws `invalid-params` for one in the future. */
export function parsePast(value: string, field: FieldPath): Date {
  const time = new Date(value);
  if (time <= databaseTime()) return time;
  throw invalid(field, `must be in the past, got ${time.toISOString()}`);
}

type Key = 'category' | 'dataModel';

/**
 * A caller's change of a setting. Absent values keep the stored ones, or the defaults if the record type has no
 * setting.
 */
export type SyncSettingChange = Pick<SyncSetting, Key> &
  Partial<Omit<SyncSetting, Key>> & { readonly scopeAccess?: SentAccess | null | undefined };

const MAX_INTERVAL = 1000;

/** Checks settings that a caller sent; throws `invalid-params` that names the field. */
export function parseSyncSettings(input: readonly SentSyncSetting[]): SyncSettingChange[] {
  return input.map((one, index) => {
    const field = (name: string) => ['syncConfig', index, name];
    const category = connectors.find((connector) => connector.category === one.category)?.category;
    if (!category) {
      const known = [...new Set(connectors.map((connector) => connector.category))].join(', ');
      throw invalid(field('category'), `must be one of ${known}, got ${one.category.slice(0, 60)}`);
    }
    const known = syncedDataModels(category);
    if (!known.includes(one.dataModel)) {
      throw invalid(
        field('dataModel'),
        `must be one of ${known.join(', ')}, got ${one.dataModel.slice(0, 60)}`,
      );
    }
    const frequency = FREQUENCIES.find((value) => value === (one.frequency ?? DEFAULT.frequency));
    if (!frequency) {
      throw invalid(
        field('frequency'),
        `must be one of ${FREQUENCIES.join(', ')}, got ${String(one.frequency).slice(0, 60)}`,
      );
    }
    const interval = one.interval ?? DEFAULT.interval;
    if (!(Number.isInteger(interval) && interval >= 1 && interval <= MAX_INTERVAL)) {
      throw invalid(field('interval'), `must be a whole number from 1 to ${MAX_INTERVAL}, got ${interval}`);
    }
    return {
      category,
      dataModel: one.dataModel,
      ...(one.enabled === undefined ? {} : { enabled: one.enabled ?? DEFAULT.enabled }),
      ...(one.frequency === undefined ? {} : { frequency }),
      ...(one.interval === undefined ? {} : { interval }),
      ...(one.syncFrom === undefined
        ? {}
        : { syncFrom: one.syncFrom === null ? null : parsePast(one.syncFrom, field('syncFrom')) }),
      ...(one.customFields === undefined ? {} : { customFields: [...(one.customFields ?? [])] }),
      scopeAccess: one.scopeAccess,
    };
  });
}

/** Stores changes of a company's own settings; what they do not name stays. Whether anything changed. */
export async function writeSyncSettings(
  client: TenantClient,
  organisationId: number,
  svcCompanyId: number,
  settings: readonly SyncSettingChange[],
): Promise<boolean> {
  let isChanged = false;
  for (const { category, dataModel, customFields, scopeAccess, ...setting } of settings) {
    const key = { svcCompanyId: BigInt(svcCompanyId), category, dataModel };
    const values = {
      ...setting,
      ...(customFields ? { customFields: [...customFields] } : {}),
      ...changedColumns(scopeAccess),
    };
    const known = await client.syncConfig.findFirst({ where: key });
    if (known && !differs(known, values)) continue;
    isChanged = true;
    await client.syncConfig.upsert({
      where: { svcCompanyId_category_dataModel: key },
      create: { ...key, svcOrganisationId: BigInt(organisationId), ...values },
      update: values,
    });
  }
  return isChanged;
}

/** Limits on reading a record type, from a company's own setting. */
export interface ReadLimits {
  /** Records older than this are not read. */
  readonly oldest: Date | null;
  readonly mayRead: boolean;
}

/** Read limits by record type of a run's category. */
export async function loadReadLimits(
  client: TenantClient,
  run: { readonly svcCompanyId: number; readonly category: string },
): Promise<ReadonlyMap<string, ReadLimits>> {
  const where = { svcCompanyId: BigInt(run.svcCompanyId), category: run.category };
  const rows = await client.syncConfig.findMany({ where });
  return new Map(rows.map((row) => [row.dataModel, { oldest: row.syncFrom, mayRead: accessOf(row).read }]));
}
