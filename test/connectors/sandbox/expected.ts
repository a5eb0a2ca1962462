import { type UnifiedLine, type UnifiedRecord } from '../../../src/connectors/pull.js';
import { definitionOf, type RecordDefinition } from '../../../src/records/index.js';
import { type SandboxCompany } from '../../../src/sandbox/index.js';
import { type Platform } from '../../../src/sandbox/platform.js';
import { guidOf, letterId, numericId } from '../../../src/sandbox/world/ids.js';
import { createWorld } from '../../../src/sandbox/world/world.js';
import { type Expected } from '../conformance.js';
import { definitionFor, plainValues } from '../plain-values.js';

type IdOf = (dataModel: string, id: string) => string;

const PAY_PREFIXES: Readonly<Record<string, string>> = {
  PAYMENT_CUSTOMERS: 'cus',
  PAYMENT_INVOICES: 'in',
  PAYMENT_ORDERS: 'ord',
  PAYMENT_PAYMENT_LINKS: 'plink',
  PAYMENT_PAYMENTS: 'pay',
  PAYMENT_REFUNDS: 're',
  PAYMENT_DISPUTES: 'dp',
  PAYMENT_PAYOUTS: 'po',
  PAYMENT_TRANSACTIONS: 'txn',
  PAYMENT_BALANCES: 'bal',
  PAYMENT_SUBSCRIPTIONS: 'sub',
  lines: 'il',
};
const SHOP_KINDS: Readonly<Record<string, readonly [kind: string, type: string]>> = {
  ECOMMERCE_ORDERS: ['orders', 'Order'],
  ECOMMERCE_TRANSACTIONS: ['transactions', 'OrderTransaction'],
  ECOMMERCE_CUSTOMERS: ['customers', 'Customer'],
  ECOMMERCE_FULFILLMENTS: ['fulfillments', 'Fulfillment'],
  ECOMMERCE_PRODUCTS: ['products', 'Product'],
  ECOMMERCE_INVENTORIES: ['inventory_levels', 'InventoryLevel'],
  ECOMMERCE_BALANCES: ['balances', 'Balance'],
  ECOMMERCE_COMPANY_INFO: ['shops', 'Shop'],
  lines: ['lines', 'LineItem'],
};

/** The ids that an account's objects have on a platform, by those of the world that it was made from. */
const IDS: Readonly<Record<Platform, (account: string) => IdOf>> = {
  accounting: (account) => (_dataModel, id) => guidOf(account, id),
  payments: (account) => (dataModel, id) =>
    ['PAYMENT_ITEMS', 'PAYMENT_TAX_RATES'].includes(dataModel)
      ? id
      : `${PAY_PREFIXES[dataModel] ?? ''}_${letterId(account, id)}`,
  ecommerce: (account) => (dataModel, id) =>
    dataModel === 'ECOMMERCE_PRODUCTS' ? id : numericId(account, `${SHOP_KINDS[dataModel]?.[0] ?? ''}/${id}`),
};

/** What a connector must make of an account: the values that the sandbox made its objects from. */
export function expectedOf(platform: Platform, company: SandboxCompany): Expected {
  const world = createWorld(platform, company);
  const idOf = IDS[platform](company.id);
  const ids = new Map<string, string>();
  for (const [dataModel, ofKind] of world) {
    for (const { platformId, lines = {} } of ofKind) {
      ids.set(platformId, idOf(dataModel, platformId));
      for (const line of Object.values(lines).flat()) {
        if (line.platformId !== null) ids.set(line.platformId, idOf('lines', line.platformId));
      }
    }
  }
  return {
    of: (dataModel) =>
      (world.get(dataModel) ?? [])
        .filter(({ deleted }) => !deleted)
        .map((record) => translated(platform, dataModel, record, ids)),
    comparable: (dataModel, record) => comparable(platform, definitionFor(dataModel), record),
  };
}

/** A record of the world with the ids of the platform, in its own id, its lines' and all that it names. */
function translated(
  platform: Platform,
  dataModel: string,
  record: UnifiedRecord,
  ids: ReadonlyMap<string, string>,
): UnifiedRecord {
  const idOf = (id: string) => ids.get(id) ?? id;
  const valueOf = (name: string, value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((one) => idOf(String(one)));
    if (typeof value !== 'string') return value;
    // The suspense account, with nothing on it.
    if (dataModel === 'ACCOUNTS' && name === 'category' && value === 'UNKNOWN') return 'ASSET';
    if (platform === 'payments' && name === 'link') return value.replace(record.platformId, idOf);
    return idOf(value);
  };
  const valuesOf = (values: object) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, valueOf(name, value)]));
  const lines = Object.entries(record.lines ?? {}).map(([relation, own]) => [
    relation,
    own.map(({ platformId, values }) => ({
      platformId: platformId === null ? null : idOf(platformId),
      values: valuesOf(values),
    })),
  ]);
  const platformId = idOf(record.platformId);
  const type = SHOP_KINDS[dataModel]?.[1];
  return {
    platformId,
    ...(type === undefined ? {} : { platformUniqueId: `gid://sandbox-shop/${type}/${platformId}` }),
    // Whether the platform has the file is no matter of ours: here it is not, until somebody asks for it.
    values: { ...valuesOf(record.values), ...(dataModel === 'DOCUMENTS' ? { documentUploaded: false } : {}) },
    lines: Object.fromEntries(lines),
  };
}

/** What the platforms have no ids for. */
const NAMELESS = ['phoneNumbers', 'addresses', 'externalLinks'];

/** A record without what its platform does not say: times of lines, ids of addresses, fractions of seconds. */
function comparable(platform: Platform, definition: RecordDefinition, record: UnifiedRecord): unknown {
  const values = plain(platform, definition, record.values);
  // A dimension changes with its options, which the world does not know.
  if (definition.model === 'TrackingCategory' && values['parentId'] === undefined) delete values['updatedAt'];
  const lines = Object.entries(record.lines ?? {}).map(([relation, own]) => {
    const target = definition.relations[relation]?.kind === 'lines' && definition.relations[relation].target;
    const lineDefinition = definitionOf(target || '');
    return [relation, own.map((line) => comparableLine(platform, lineDefinition, line, relation))];
  });
  return {
    platformId: record.platformId,
    platformUniqueId: record.platformUniqueId ?? null,
    values,
    lines: Object.fromEntries(lines),
  };
}

function comparableLine(
  platform: Platform,
  definition: RecordDefinition,
  line: UnifiedLine,
  relation: string,
): unknown {
  const values = plain(platform, definition, line.values);
  if (platform === 'accounting' || NAMELESS.includes(relation)) delete values['updatedAt'];
  return { platformId: NAMELESS.includes(relation) ? null : line.platformId, values };
}

/** Times of payments have no fractions of seconds. */
function plain(platform: Platform, definition: RecordDefinition, values: object): Record<string, unknown> {
  const entries = Object.entries(plainValues(definition, values)).map(([name, value]) => {
    const isTime = platform === 'payments' && definition.own[name]?.kind === 'timestamp';
    return [name, isTime ? String(value).slice(0, 19) : value];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}
