import { createHash } from 'node:crypto';

const SIZE = 1000;

/** Accounts as a connector hands them over. `version` 1 changes every one of them in four fields. */
export function createBatch(turn, version) {
  return Array.from({ length: SIZE }, (_, index) => {
    const number = turn * SIZE + index;
    const values = {
      name: `Ingested account ${number}${version ? ', renamed' : ''}`,
      description: `What is booked here, number ${number}`,
      nominalCode: String(1000 + number),
      category: version ? 'EXPENSE' : 'ASSET',
      subCategory: 'BANK',
      status: version ? 'ARCHIVED' : 'ACTIVE',
      currentBalance: `${number + version}.25`,
      currencyId: 'cur-AUD',
      currencyCode: 'AUD',
      parentAccountId: null,
      updatedAt: new Date(Date.UTC(2026, 5, 1 + version)).toISOString(),
    };
    const text = JSON.stringify({
      ...values,
      History: 'Changed by an employee; '.repeat(20),
      Address: '1 Harbour Street, Sydney, '.repeat(15),
    });
    return {
      platformId: `ingest-${number}`,
      platformUniqueId: `xero/ingest/${number}`,
      values,
      raw: { text, altered: false },
      dataHash: createHash('sha256').update(text).digest('hex'),
      mapperVersion: 1,
    };
  });
}
