import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type PulledPage, type PullOptions, type Sweep } from '../pull.js';
import { difference, isPositive, sum } from '../values/decimals.js';
import { withContext } from '../values/platform-json.js';
import { decimalOf, objectsIn, textOf, textsIn } from '../values/platform-values.js';
import { type DetailedList, detailedPages, readOne } from './details.js';
import { idOf, listPages } from './lists.js';

/** Payments, and what they pay. */
export interface PaymentList extends DetailedList {
  readonly idName: 'payment_id';
  /** The name of the list of paid documents in a payment. */
  readonly paid: 'invoices' | 'bills';
  readonly paidId: 'invoice_id' | 'bill_id';
  /** The kind of such a document in our ids. */
  readonly kind: 'invoice' | 'bill';
}

/** Where the amount is noted that a payment has left. */
export const LEFT = 'svc_left';

/** Payments, split by what they pay. */
export async function* paymentPages(
  list: PaymentList,
  client: PlatformClient,
  options: PullOptions,
): AsyncGenerator<PulledPage> {
  for await (const { objects, cursor } of detailedPages(list, client, options)) {
    yield {
      objects: objects.flatMap((payment) => partsOf(list, payment)),
      wholes: objects.map((payment) => idOf(list, payment)),
      cursor,
    };
  }
}

/** The existing payments: what each pays only its own call would tell. */
export const paymentSweep = (list: PaymentList): Sweep => ({
  kind: 'sweep',
  ofWholes: true,
  async *pages(client, { cursor }) {
    const listed = listPages(list, client, { since: null, cursor }, { isToTheLast: true });
    for await (const { objects, cursor: next } of listed) {
      yield { platformIds: [], wholes: objects.map((payment) => idOf(list, payment)), cursor: next };
    }
  },
});

/** One part by our id. */
export const readPayment =
  (list: PaymentList) =>
  async (client: PlatformClient, platformId: string): Promise<PlatformObject | null> => {
    const [id = ''] = platformId.split(':');
    const payment = await readOne(list, client, id);
    const parts = payment ? partsOf(list, payment) : [];
    return parts.find((part) => partId(list, part) === platformId) ?? null;
  };

/** The id of a part: `88:invoice:12`, or `88` for what is not applied. */
export function partId(list: PaymentList, part: PlatformObject): string {
  const id = idOf(list, part);
  const paid = paidIn(list, part);
  return paid ? [id, list.kind, paid.id].join(':') : id;
}

interface Paid {
  readonly id: string;
  readonly amount: string | null;
}

/** The document that a part pays, which it may name more than once. */
export function paidIn({ paid, paidId }: PaymentList, part: PlatformObject): Paid | null {
  const [document, ...more] = objectsIn(part[paid]);
  const id = textOf(document?.[paidId]);
  if (id === null) return null;
  const applied = [document, ...more].map((one) => decimalOf(one?.['amount_applied']));
  return { id, amount: applied.reduce<string | null>(sum, '0') };
}

/** A payment for each document that it pays, and one for what is left of it; none for a payment that failed. */
function partsOf(list: PaymentList, payment: PlatformObject): PlatformObject[] {
  if (payment['status'] === 'failure') return [];
  const documents = objectsIn(payment[list.paid]).filter((one) => textOf(one[list.paidId]) !== null);
  const ids = textsIn(documents.map((one) => one[list.paidId]));
  const parts = ids.map((id) =>
    withContext(payment, { [list.paid]: documents.filter((one) => one[list.paidId] === id) }),
  );
  const left = leftOf(payment, documents);
  const isLeft = parts.length === 0 || isPositive(left);
  return isLeft ? [...parts, withContext(payment, { [list.paid]: [], [LEFT]: left })] : parts;
}

/** What is left of a payment: `unused_amount` of a customer's, `balance` of one to a vendor. */
const leftOf = (payment: PlatformObject, documents: readonly PlatformObject[]): string | null =>
  decimalOf(payment['unused_amount'] ?? payment['balance']) ??
  documents.reduce<string | null>(
    (left, document) => difference(left, decimalOf(document['amount_applied'])),
    decimalOf(payment['amount']),
  );
