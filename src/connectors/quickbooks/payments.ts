import { type PlatformClient, type PlatformObject } from '../platform.js';
import {
  type CuttableDeletions,
  type CuttableIdPage,
  type Deletions,
  type IdPage,
  type PulledPage,
  type PullOptions,
  type Sweep,
} from '../pull.js';
import { difference, isPositive, isZero, sum } from '../values/decimals.js';
import { inTurn, type Part } from '../lists/in-turn.js';
import { withContext } from '../values/platform-json.js';
import { decimalOf, objectsIn } from '../values/platform-values.js';
import { CHANGE_DAYS, deletedSince, feedOf } from './deletions.js';
import { ownIdOf, platformIdIn, platformIdOf, type QuickBooksKind } from './kinds.js';
import { listPages } from './lists.js';
import { LEFT, linkOf, linksIn, paymentIdOf } from './links.js';
import { methodNoter, type Noter } from './payment-methods.js';
import { readIds } from './read.js';
import { isReceipt } from './receipts.js';

const DAY_MS = 86_400_000;

/**
 * Payments, split by what they pay. A payment that now pays something else, or is deleted, loses parts: the pull says so,
 * as far back as QuickBooks tells.
 */
export function paymentPages(
  kinds: readonly QuickBooksKind[],
  client: PlatformClient,
  options: PullOptions,
): AsyncGenerator<PulledPage> {
  const noted = methodNoter(client);
  const listings = kinds.flatMap((kind) => [changedPart(kind, noted), deletedPart(kind)]);
  return inTurn(listings, client, options);
}

const changedPart = (kind: QuickBooksKind, noted: Noter): Part => ({
  name: kind.entity,
  pages: (client, options) => changedPages({ kind, noted }, client, options),
});

const deletedPart = (kind: QuickBooksKind): Part => ({
  name: `${kind.entity} deleted`,
  async *pages(client, { since }) {
    const reach = Date.now() - CHANGE_DAYS * DAY_MS;
    const from = new Date(Math.max(since?.getTime() ?? 0, reach));
    const { ids } = await deletedSince(client, kind.entity, from);
    yield { objects: [], wholes: ids.map((id) => platformIdOf(kind, id)), cursor: null };
  },
});

async function* changedPages(
  { kind, noted }: { readonly kind: QuickBooksKind; readonly noted: Noter },
  client: PlatformClient,
  options: PullOptions,
): AsyncGenerator<PulledPage> {
  for await (const { objects, cursor } of listPages(kind, client, options)) {
    const payments: PlatformObject[] = [];
    for (const object of objects) payments.push(await noted(object));
    yield { objects: payments.flatMap(recordsIn), wholes: objects.map(platformIdIn), cursor };
  }
}

/** What is deleted shows in pulls, by whole payments: the feed only tells whether that is all. */
export const paymentDeletions = (kinds: readonly QuickBooksKind[]): CuttableDeletions => [
  ...kinds.map((kind): Deletions<CuttableIdPage> => ({
    kind: 'feed',
    reachDays: CHANGE_DAYS,
    async *pages(client, options) {
      for await (const { isCut } of feedOf(kind).pages(client, options)) {
        yield { platformIds: [], cursor: null, ...(isCut ? { isCut } : {}) };
      }
    },
  })),
  paymentSweep(kinds),
];

/** The ids of all parts, which only whole payments tell. */
const paymentSweep = (kinds: readonly QuickBooksKind[]): Sweep => ({
  kind: 'sweep',
  async *pages(client, options): AsyncGenerator<IdPage> {
    const noted = methodNoter(client);
    const listings = kinds.map((kind) => changedPart(kind, noted));
    const whole = inTurn(listings, client, { ...options, since: null });
    for await (const { objects, cursor } of whole) {
      yield { platformIds: objects.map(paymentIdOf), cursor };
    }
  },
});

/** One part by its id. */
export const readPayment =
  (kinds: readonly QuickBooksKind[]) =>
  async (client: PlatformClient, platformId: string): Promise<PlatformObject | null> => {
    for (const kind of kinds) {
      const [id = ''] = kind.isMarked ? [ownIdOf(kind, platformId) ?? ''] : platformId.split(':');
      const [payment] = await readIds(kind, client, [id]);
      const records = payment ? recordsIn(await methodNoter(client)(payment)) : [];
      const found = records.find((record) => paymentIdOf(record) === platformId);
      if (found) return found;
    }
    return null;
  };

/**
 * A payment for each transaction that it is linked to, with those of its lines, and one for what is left of it. A receipt
 * is one payment. What comes to nothing, as what is voided does, is none.
 */
function recordsIn(payment: PlatformObject): PlatformObject[] {
  if (isNothing(payment)) return [];
  if (isReceipt(payment)) return [payment];
  const lines = objectsIn(payment['Line']).flatMap((line) =>
    linksIn(line).map((link) => ({ ...line, LinkedTxn: [link] })),
  );
  const keys = new Set(lines.map((line) => linkOf(line)?.key ?? '').filter((key) => key !== ''));
  const parts = [...keys].map((key) =>
    withContext(payment, { Line: lines.filter((line) => linkOf(line)?.key === key) }),
  );
  const left = unappliedOf(payment, lines);
  const isLeft = parts.length === 0 || isPositive(left);
  return isLeft ? [...parts, withContext(payment, { Line: [], [LEFT]: left })] : parts;
}

/** Whether a payment pays nothing: one that applies a credit has amounts in its lines. */
function isNothing(payment: PlatformObject): boolean {
  const lines = isReceipt(payment) ? [] : objectsIn(payment['Line']);
  const amounts = [payment['TotalAmt'], ...lines.map(({ Amount }) => Amount)];
  return amounts.every((amount) => isZero(decimalOf(amount)));
}

/** What is left of a payment. A payment to a vendor does not say it: credits were paid with, too. */
function unappliedOf(payment: PlatformObject, lines: readonly PlatformObject[]): string | null {
  const given = decimalOf(payment['UnappliedAmt']);
  if (given !== null) return lines.length === 0 && isZero(given) ? decimalOf(payment['TotalAmt']) : given;
  return lines.reduce<string | null>((left, line) => {
    const amount = decimalOf(line['Amount']);
    return linkOf(line)?.type === 'VendorCredit' ? sum(left, amount) : difference(left, amount);
  }, decimalOf(payment['TotalAmt']));
}
