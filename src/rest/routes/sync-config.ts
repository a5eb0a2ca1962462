import { invalid, type Path, pathOf, writePath } from '../../errors.js';
import { parseBoolean, parseDateTime, parseText } from '../../base/values.js';
import type { ScopeAccessInput, SyncSettingInput } from '../__generated__/documents.js';
import { meantBy } from '../data-models.js';
import { listOf, type Parser, readBody, textList, whole } from '../request/body.js';

const scopeAccess: Parser<ScopeAccessInput> = (value, field, ignored) => {
  const access = readBody(value, [], pathOf(field));
  const parsed = {
    read: access.nullable('READ', parseBoolean),
    create: access.nullable('CREATE', parseBoolean),
    update: access.nullable('UPDATE', parseBoolean),
    delete: access.nullable('DELETE', parseBoolean),
  };
  ignored?.push(...access.ignored());
  return parsed;
};

/** Settings as clients send them. */
const settings: Parser<SyncSettingInput[]> = listOf((value, field, ignored) => {
  const setting = readBody(value, ['category', 'data_model'], pathOf(field));
  const parsed = {
    category: setting.required('category', parseText),
    dataModel: setting.required('data_model', parseText),
    enabled: setting.nullable('enabled', parseBoolean),
    frequency: setting.nullable('frequency', parseText),
    interval: setting.nullable('interval', whole),
    syncFrom: setting.nullable('sync_from', parseDateTime),
    customFields: setting.nullable('custom_fields', textList),
    scopeAccess: setting.nullable('scope_access', scopeAccess),
  };
  ignored?.push(...setting.ignored());
  return parsed;
});

/**
 * The same, where the name of a part or a statement means its record types that have no setting of their own. Errors
 * name a setting by its place: each given one keeps it, and its further record types come last.
 */
export const syncConfig: Parser<SyncSettingInput[]> = (value, field, ignored) => {
  const given = settings(value, field, ignored);
  const own = new Set(given.map(keyOf));
  const parts = new Map<string, Part[]>();
  const further = new Set<string>();
  const firsts = given.map((one, index) => {
    const meant = meantSettings(one);
    if (one.scopeAccess !== undefined && meant.every((setting) => setting.scopeAccess === undefined))
      ignored?.push(writePath([...pathOf(field), index, 'scope_access']));
    const left = meant.filter((setting) => keyOf(setting) === keyOf(one) || !own.has(keyOf(setting)));
    for (const setting of left) {
      const key = keyOf(setting);
      const part = { setting, name: one.dataModel, path: [...pathOf(field), index] };
      const others = parts.get(key) ?? [];
      refuseContradiction(part, others);
      parts.set(key, [...others, part]);
      if (setting !== left[0]) further.add(key);
    }
    return left[0] ?? naming(meant[0] ?? one);
  });
  return [...firsts, ...[...further].flatMap((key) => merge(parts.get(key) ?? []) ?? [])];
};

/** What one of the given settings says of a record type. */
interface Part {
  readonly setting: SyncSettingInput;
  readonly name: string;
  readonly path: Path;
}

const keyOf = ({ category, dataModel }: SyncSettingInput): string => `${category} ${dataModel}`.toUpperCase();

/** A setting that says nothing of its record type. */
const naming = ({ category, dataModel }: SyncSettingInput): SyncSettingInput => ({ category, dataModel });

/** A part or a statement is not read or written by itself: it says nothing of what its record types permit. */
function meantSettings(one: SyncSettingInput): SyncSettingInput[] {
  const { scopeAccess: _own, ...shared } = one;
  return meantBy([one.dataModel]).map((dataModel) =>
    dataModel.toUpperCase() === one.dataModel.toUpperCase()
      ? { ...one, dataModel }
      : { ...shared, dataModel },
  );
}

const FIELDS = {
  enabled: 'enabled',
  frequency: 'frequency',
  interval: 'interval',
  syncFrom: 'sync_from',
  customFields: 'custom_fields',
  scopeAccess: 'scope_access',
} as const;

function refuseContradiction({ setting, name, path }: Part, others: readonly Part[]): void {
  for (const [field, wireName] of Object.entries(FIELDS) as [keyof typeof FIELDS, string][]) {
    const other = others.find((one) => differ(one.setting[field], setting[field]));
    if (!other) continue;
    const words = `contradicts that of ${other.name}: ${name} and ${other.name} both mean ${setting.dataModel}`;
    throw invalid([...path, wireName], words);
  }
}

/** Whether both are given and not the same. */
const differ = (one: unknown, other: unknown): boolean =>
  one !== undefined && other !== undefined && JSON.stringify(one) !== JSON.stringify(other);

function merge([first, ...others]: readonly Part[]): SyncSettingInput | null {
  if (!first) return null;
  return others.reduce((whole, { setting }) => ({ ...whole, ...givenOf(setting) }), first.setting);
}

const givenOf = (setting: SyncSettingInput): Partial<SyncSettingInput> =>
  Object.fromEntries(Object.entries(setting).filter(([, value]) => value !== undefined));
