import DataLoader from 'dataloader';
import type { TenantClient } from '../db/tenant-client.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { type ConnectedPlatform, listConnections } from './connections.js';
import { readByCode } from '../query/by-code.js';
import { readByIds } from '../query/by-id.js';
import type { Row } from '../query/columns.js';
import { readLines } from '../query/lines.js';
import { ownedIdOf } from '../query/owned-ids.js';
import { readByReference, type ReferenceKey } from '../query/references.js';
import type { RecordDefinition } from '../records/define.js';

/** Which columns of a record type a part of a query reads. Equal needs have equal keys. */
export interface Need {
  readonly definition: RecordDefinition;
  readonly columns: ReadonlySet<string>;
  readonly key: string;
}

/** Sources of rows: companies at the primary, records wherever lists are read. */
interface Readers {
  readonly sql: TenantSql;
  readonly lists: TenantSql;
  readonly client: TenantClient;
}

/** Data loaders of resolvers: per request, within one scope, one statement per batch. */
export class Loaders {
  readonly #named = new Map<string, DataLoader<string, unknown>>();
  /** The same loaders by query plan: plans of cached documents are the same object every time. */
  readonly #references = new Map<Need, DataLoader<ReferenceKey, Row | null>>();
  readonly #lines = new Map<Need, DataLoader<string, readonly Row[]>>();

  constructor(private readonly by: Readers) {}

  /** Records by reference (see `referenceKey`); null where there is none. */
  reference(need: Need): DataLoader<ReferenceKey, Row | null> {
    let loader = this.#references.get(need);
    if (!loader) {
      loader = this.of<Row | null>(`one ${need.key}`, async (keys) => {
        const found = await readByReference(this.by.lists, need.definition, need.columns, keys);
        return keys.map((key) => found.get(key) ?? null);
      });
      this.#references.set(need, loader);
    }
    return loader;
  }

  /** Records, lines and companies by `companyId:svcId`; null where there is none. */
  row(need: Need): DataLoader<string, Row | null> {
    // Companies are not in the change log, so a replica's state of them is unknown.
    const sql = need.definition.role === 'company' ? this.by.sql : this.by.lists;
    return this.of(`row ${need.key}`, (keys) =>
      readByIds(sql, need.definition, need.columns, keys.map(ownedIdOf)),
    );
  }

  /** Records by `companyId:svcId`; null if there is none or it is deleted. */
  live(need: Need): DataLoader<string, Row | null> {
    const columns = new Set([...need.columns, 'svcDeletedAt']);
    return this.of(`live ${need.key}`, async (keys) => {
      const rows = await readByIds(this.by.lists, need.definition, columns, keys.map(ownedIdOf));
      return rows.map((row) => (row?.['svcDeletedAt'] == null ? row : null));
    });
  }

  /** Records by `companyId:code`, the code in `field`; null if there is none. */
  byCode(need: Need, field: string): DataLoader<string, Row | null> {
    return this.of(`coded ${field} ${need.key}`, (keys) => {
      const wanted = keys.map((key) => {
        const end = key.indexOf(':');
        return { svcCompanyId: Number(key.slice(0, end)), code: key.slice(end + 1) };
      });
      return readByCode(this.by.lists, need.definition, { columns: need.columns, field }, wanted);
    });
  }

  /** Complete lines by `companyId:svcId` of their document. */
  lines(need: Need): DataLoader<string, readonly Row[]> {
    let loader = this.#lines.get(need);
    if (!loader) {
      loader = this.of<readonly Row[]>(`lines ${need.key}`, async (keys) => {
        const parents = keys.map(ownedIdOf);
        const found = await readLines(this.by.lists, need.definition, need.columns, parents);
        return parents.map(({ svcId }) => found.get(svcId) ?? []);
      });
      this.#lines.set(need, loader);
    }
    return loader;
  }

  /** The connections of a company, oldest first. */
  connections(): DataLoader<string, readonly ConnectedPlatform[]> {
    return this.of('connections', async (companyIds) => {
      const found = await listConnections(this.by.client, companyIds.map(Number));
      const byCompany = new Map(companyIds.map((id): [number, ConnectedPlatform[]] => [Number(id), []]));
      for (const connection of found) byCompany.get(connection.svcCompanyId)?.push(connection);
      return companyIds.map((id) => byCompany.get(Number(id)) ?? []);
    });
  }

  /** Clears the caches after a change: everything is read again. */
  forget(): void {
    this.#named.clear();
    this.#references.clear();
    this.#lines.clear();
  }

  /** A loader created once per request and `name`. */
  of<Value>(
    name: string,
    batch: (keys: readonly string[]) => Promise<readonly (Value | Error)[]>,
  ): DataLoader<string, Value> {
    let loader = this.#named.get(name);
    if (!loader) this.#named.set(name, (loader = new DataLoader<string, unknown>(batch)));
    return loader as DataLoader<string, Value>;
  }
}
