import DataLoader from 'dataloader';
import { GraphQLScalarType } from 'graphql';
import { connection } from './connection.js';

/** Created per request. */
export function createLoaders(prisma) {
  const byPlatformId = (model) =>
    new DataLoader(
      async (keys) => {
        const rows = await model.findMany({
          where: {
            svcCompanyId: { in: [...new Set(keys.map(({ svcCompanyId }) => svcCompanyId))] },
            platformId: { in: keys.map(({ platformId }) => platformId) },
          },
        });
        const found = new Map(rows.map((row) => [`${row.svcCompanyId}:${row.platformId}`, row]));
        return keys.map(({ svcCompanyId, platformId }) => found.get(`${svcCompanyId}:${platformId}`) ?? null);
      },
      { cacheKeyFn: ({ svcCompanyId, platformId }) => `${svcCompanyId}:${platformId}` },
    );
  return {
    account: byPlatformId(prisma.account),
    bill: byPlatformId(prisma.bill),
    currency: byPlatformId(prisma.currency),
    contact: byPlatformId(prisma.contact),
    lines: new DataLoader(async (notes) => {
      const rows = await prisma.lineItem.findMany({
        where: {
          svcCompanyId: { in: [...new Set(notes.map(({ svcCompanyId }) => svcCompanyId))] },
          parentSvcId: { in: notes.map(({ svcId }) => svcId) },
        },
        orderBy: { position: 'asc' },
      });
      const byParent = groupByParent(rows);
      return notes.map(({ svcId }) => byParent.get(svcId) ?? []);
    }),
  };
}

function groupByParent(rows) {
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(row.parentSvcId);
    if (group) group.push(row);
    else groups.set(row.parentSvcId, [row]);
  }
  return groups;
}

/**
 * A page of a model after a svc_id. More efficient than usual: Prisma's own `cursor:` reads everything after the
 * cursor, so that this baseline would never finish with many rows.
 */
async function readConnection(model, where, { first, after }) {
  const rows = await model.findMany({
    where: { ...where, svcDeletedAt: null, ...(after ? { svcId: { gt: BigInt(after) } } : {}) },
    orderBy: { svcId: 'asc' },
    take: first + 1,
  });
  return connection(rows, first, { model, where });
}

const list =
  (model) =>
  (_source, args, { prisma }) =>
    readConnection(prisma[model], { svcCompanyId: BigInt(args.companyId) }, args);
/** The related record, through the loader named `name`. */
const one =
  (name) =>
  (row, _args, { loaders }) =>
    row[`${name}Id`]
      ? loaders[name].load({ svcCompanyId: row.svcCompanyId, platformId: row[`${name}Id`] })
      : null;

const scalar = (name, serialize) => new GraphQLScalarType({ name, serialize });

export const resolvers = {
  DateTime: scalar('DateTime', (value) => value.toISOString()),
  Date: scalar('Date', (value) => value.toISOString().slice(0, 10)),
  Decimal: scalar('Decimal', String),
  SvcId: scalar('SvcId', Number),
  Query: {
    accounts: list('account'),
    billPayments: list('billPayment'),
    invoiceCreditNotes: list('invoiceCreditNote'),
  },
  BillPaymentConnection: {
    totalCount: ({ model, where }) => model.count({ where: { ...where, svcDeletedAt: null } }),
  },
  BillPayment: {
    bill: one('bill'),
    account: one('account'),
    currency: one('currency'),
    contact: one('contact'),
  },
  InvoiceCreditNote: {
    currency: one('currency'),
    contact: one('contact'),
    lineItems: (row, _args, { loaders }) => loaders.lines.load(row),
  },
  Account: {
    currency: one('currency'),
    billPayments: ({ svcCompanyId, platformId }, args, { prisma }) =>
      readConnection(prisma.billPayment, { svcCompanyId, accountId: platformId }, args),
  },
  Node: { __resolveType: () => null },
  Record: { __resolveType: () => null },
};
