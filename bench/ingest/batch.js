import { createHash } from 'node:crypto';

const SIZE = 1000;

/** Bill payments as a connector returns them. `version` 1 changes four fields of each. */
export function createBatch(turn, version) {
  return Array.from({ length: SIZE }, (_, index) => {
    const number = turn * SIZE + index;
    const values = {
      paymentId: `payment-${number}`,
      billId: `bill-${1 + (number % 160)}`,
      accountId: `acc-${1 + (number % 160)}`,
      contactId: `con-${1 + (number % 160)}`,
      currencyId: 'cur-AUD',
      currencyCode: 'AUD',
      currencyRate: '1',
      amount: `${number + version}.25`,
      paymentMode: version ? 'CARD' : 'CASH',
      documentNumber: `PAY-${number}`,
      memo: `Payment of a bill, number ${number}${version ? ', changed' : ''}`,
      paymentDate: '2026-06-01',
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
