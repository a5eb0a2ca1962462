import type { TenantSql } from '../../src/db/tenant-sql.js';
import { DEFAULT_LIMITS } from '../../src/limits.js';
import { countChildren, readChildren } from '../../src/query/children.js';
import { readLines } from '../../src/query/lines.js';
import { countRows, readPage } from '../../src/query/list.js';
import { createOrder } from '../../src/query/pages/order.js';
import { readByReference } from '../../src/query/references.js';
import { company, lineTypes, records } from '../../src/records/index.js';

/** Runs every statement rendered from a definition, in each of its forms. */
export async function runRendered(sql: TenantSql, svcCompanyId: number): Promise<void> {
  for (const definition of [company, ...records]) {
    for (const skip of [0, 5]) {
      for (const companyId of [null, svcCompanyId]) {
        const request = {
          definition,
          columns: new Set(Object.keys(definition.fields)),
          companyId,
          filter: { or: [{ svcId: { eq: 1 } }, { svcId: { gt: 0 } }] },
          includeDeleted: true,
          order: createOrder(definition, null, 1),
          page: { size: 1, skip, reversed: false, from: [1], until: null },
        };
        await readPage(sql, request, DEFAULT_LIMITS);
        await countRows(sql, request, DEFAULT_LIMITS);
        if (definition === company) continue;
        const parents = [{ svcCompanyId, reference: null }];
        const joined = { ...request, companyId: 'joined' as const };
        await readChildren(sql, { parents, parentColumn: null }, joined, DEFAULT_LIMITS);
        await countChildren(sql, { parents, parentColumn: null }, joined, DEFAULT_LIMITS);
      }
    }
    if (definition === company) continue;
    await readByReference(sql, definition, new Set(['svcId']), ['1:1:a']);
    await readByReference(sql, definition, new Set(['svcId']), ['1:1:a', '2:1:a']);
  }
  for (const definition of lineTypes) {
    const parent = { svcCompanyId: 1, svcId: 1 };
    await readLines(sql, definition, new Set(['svcId']), [parent]);
    await readLines(sql, definition, new Set(['svcId']), [parent, { svcCompanyId: 2, svcId: 2 }]);
  }
}
