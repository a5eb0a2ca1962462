import { Prisma, type PrismaClient } from './__generated__/client.js';
import { raiseKnown } from './database-error.js';
import { withinScope } from './pool/prisma-pool.js';
import type { Scope } from './scope.js';
import { trace } from '../telemetry/traces.js';
import type { StatementCount } from './tenant-sql.js';

/** The columns that scope a model to an organisation and to a company. */
interface Tenancy {
  readonly organisation: 'svcId' | 'svcOrganisationId';
  readonly company?: 'svcId' | 'svcCompanyId';
  /**
   * The company column if rows without a company are shared: every key sees them, but keys limited to companies cannot
   * create them.
   */
  readonly shared?: 'svcCompanyId';
}

/** Models whose columns differ from `svcOrganisationId` and `svcCompanyId`. */
const SPECIAL: Readonly<Record<string, Tenancy>> = {
  Organisation: { organisation: 'svcId' },
  ApiKey: { organisation: 'svcOrganisationId' },
  ChangeHead: { organisation: 'svcOrganisationId' },
  Integration: { organisation: 'svcOrganisationId' },
  PersistedQuery: { organisation: 'svcOrganisationId' },
  EventHead: { organisation: 'svcOrganisationId' },
  FieldMapping: { organisation: 'svcOrganisationId', shared: 'svcCompanyId' },
  DataUser: { organisation: 'svcOrganisationId' },
  ReturnOrigin: { organisation: 'svcOrganisationId' },
  Webhook: { organisation: 'svcOrganisationId' },
  WebhookDelivery: { organisation: 'svcOrganisationId' },
  WebhookHold: { organisation: 'svcOrganisationId' },
  Company: { organisation: 'svcOrganisationId', company: 'svcId' },
};
const USUAL: Tenancy = { organisation: 'svcOrganisationId', company: 'svcCompanyId' };

type Arguments = { where?: object; data?: unknown; create?: object; update?: object };

/**
 * The only Prisma client that code above `db` gets: every operation is confined to the scope. Raw SQL is refused
 * (TenantSql is the way to it), and so are `undefined` in a `where`, which Prisma would read as "no condition", and
 * `findUnique`, which Prisma batches within one turn regardless of scope.
 */
export function createTenantClient(prisma: PrismaClient, scope: Scope) {
  const client = prisma.$extends({
    query: {
      $allModels: {
        $allOperations: ({ model, operation, args, query }) =>
          trace(
            `${operation} ${model}`,
            {
              kind: 'client',
              attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation },
            },
            () =>
              withinScope(scope, () =>
                query(scopedArguments(scope, model, operation, args) as typeof args).catch(raiseKnown),
              ),
          ),
      },
      $queryRaw: refuseRaw,
      $queryRawUnsafe: refuseRaw,
      $executeRaw: refuseRaw,
      $executeRawUnsafe: refuseRaw,
    },
  });
  scopes.set(client, scope);
  return client;
}

const scopes = new WeakMap<object, Scope>();

/** The scope that a client was made for. */
export function scopeOf(client: TenantClient): Scope {
  const scope = scopes.get(client);
  if (!scope) throw new Error('a transaction is open already');
  return scope;
}

/** The same client with its operations counted, including those in transactions. */
export function countStatements(client: TenantClient, count: StatementCount): TenantClient {
  const seen: TenantClient = new Proxy(client, {
    get: (target, name): unknown => {
      const own: unknown = Reflect.get(target, name);
      if (name === '$transaction') {
        return (work: (transaction: TenantClient) => Promise<unknown>) =>
          target.$transaction((transaction) => work(countStatements(transaction as TenantClient, count)));
      }
      return typeof own === 'object' && own !== null ? countedModel(own, count) : own;
    },
  });
  const scope = scopes.get(client);
  if (scope) scopes.set(seen, scope);
  return seen;
}

const countedModel = (model: object, count: StatementCount): object =>
  new Proxy(model, {
    get: (target, name): unknown => {
      const own: unknown = Reflect.get(target, name);
      if (typeof own !== 'function') return own;
      return (...args: unknown[]): unknown => {
        count.statements += 1;
        return (own as (...given: unknown[]) => unknown).apply(target, args);
      };
    },
  });

export type TenantClient = ReturnType<typeof createTenantClient>;

function refuseRaw(): never {
  throw new Error('raw SQL is refused on a scoped client: use TenantSql');
}

/** Exported for the test that holds every operation against it. */
export function scopedArguments(scope: Scope, model: string, operation: string, args: unknown): Arguments {
  const tenancy = SPECIAL[model] ?? USUAL;
  const given = (args ?? {}) as Arguments;
  if (operation.startsWith('findUnique')) throw new Error(`${operation} is refused: use findFirst`);
  refuseUndefined(given.where, `${model}.${operation} where`);
  switch (operation) {
    case 'create':
      return { ...given, data: addOwner(scope, tenancy, given.data) };
    case 'createMany':
    case 'createManyAndReturn':
      return { ...given, data: [given.data].flat().map((one) => addOwner(scope, tenancy, one)) };
    case 'upsert':
      return {
        ...given,
        where: scopeWhere(scope, tenancy, given.where),
        create: addOwner(scope, tenancy, given.create) as object,
        update: notMoved(tenancy, given.update) as object,
      };
    case 'update':
    case 'updateMany':
    case 'updateManyAndReturn':
      return {
        ...given,
        where: scopeWhere(scope, tenancy, given.where),
        data: notMoved(tenancy, given.data),
      };
    default:
      return { ...given, where: scopeWhere(scope, tenancy, given.where) };
  }
}

function scopeWhere(scope: Scope, tenancy: Tenancy, where: object | undefined): object {
  const conditions: object[] = [{ [tenancy.organisation]: BigInt(scope.organisationId) }];
  if (scope.companyIds && tenancy.company) {
    conditions.push({ [tenancy.company]: { in: scope.companyIds.map(BigInt) } });
  }
  if (scope.companyIds && tenancy.shared) {
    const own = { [tenancy.shared]: { in: scope.companyIds.map(BigInt) } };
    conditions.push({ OR: [{ [tenancy.shared]: null }, own] });
  }
  const given = (where ?? {}) as { AND?: object | object[] };
  return { ...given, AND: [...[given.AND ?? []].flat(), ...conditions] };
}

function addOwner(scope: Scope, tenancy: Tenancy, data: unknown): unknown {
  const given = (data ?? {}) as Record<string, unknown>;
  const isOfCompany = (tenancy.shared ?? tenancy.company) === 'svcCompanyId';
  const company = isOfCompany ? given['svcCompanyId'] : undefined;
  if (scope.companyIds && !scope.companyIds.some((id) => BigInt(id) === company)) {
    throw new Error('a key limited to some companies can only write to those');
  }
  return { ...given, [tenancy.organisation]: BigInt(scope.organisationId) };
}

function notMoved(tenancy: Tenancy, data: unknown): unknown {
  if (Object.hasOwn(data ?? {}, tenancy.organisation)) {
    throw new Error('nothing moves to another organisation');
  }
  return data;
}

function refuseUndefined(value: unknown, path: string): void {
  if (
    typeof value !== 'object' ||
    value === null ||
    value instanceof Date ||
    Prisma.Decimal.isDecimal(value)
  ) {
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    if (inner === undefined) throw new Error(`${path}.${name} is undefined`);
    refuseUndefined(inner, `${path}.${name}`);
  }
}
