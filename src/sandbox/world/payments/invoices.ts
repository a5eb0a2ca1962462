import { Decimal } from 'decimal.js';
import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { paymentInvoice } from '../../../records/index.js';
import { cents, money } from '../money.js';
import type { Random } from '../random.js';
import { many, type Size, spread } from '../size.js';
import { day, TODAY } from '../time.js';
import { type DemoCustomer, isoCurrency } from './customers.js';
import { createPaymentLines } from './lines.js';
import type { Payable, PaymentStatus } from './payments.js';

/** The result of each payment attempt, and its share of the amount due. */
type Plan = readonly (readonly [PaymentStatus, string])[] | 'DRAFT' | 'VOID';
const PLANS: readonly Plan[] = [
  [['PAID', '1']],
  [
    ['FAILED', '1'],
    ['PAID', '1'],
  ],
  [['PAID', '0.5']],
  [['CREATED', '1']],
  [['PAID', '1']],
  'DRAFT',
  [
    ['PAID', '0.3'],
    ['ATTEMPTED', '1'],
  ],
  [['FAILED', '1']],
  [],
  'VOID',
];
const INVOICES = 40;

interface DemoInvoice {
  readonly record: UnifiedRecord<typeof paymentInvoice>;
  readonly payable: Payable;
}

export function createInvoices(
  random: Random,
  customers: readonly DemoCustomer[],
  size: Size,
): DemoInvoice[] {
  return Array.from({ length: many(size, INVOICES) }, (_, index) =>
    createInvoice(random, PLANS[index % PLANS.length] ?? 'DRAFT', {
      index,
      customer: random.pick(customers),
      created: 4 + spread(size, index, 3.5),
    }),
  );
}

interface InvoiceOptions {
  readonly index: number;
  readonly customer: DemoCustomer;
  /** In days. */
  readonly created: number;
}

function createInvoice(
  random: Random,
  plan: Plan,
  { index, customer, created }: InvoiceOptions,
): DemoInvoice {
  const platformId = `inv_${30_412 + index * 11}`;
  const due = created + random.pick([7, 14, 30]);
  const { currency } = customer;
  const owner = {
    lineItemType: 'PAYMENT_INVOICES',
    lineItemTypeId: platformId,
    currency,
    updated: created,
  } as const;
  const { lines, totals } = createPaymentLines(random, owner);
  let left = new Decimal(plan === 'VOID' ? 0 : totals.totalAmount);
  const attempts = (typeof plan === 'string' ? [] : plan).map(([status, share]) => {
    const amount = cents(left.times(share));
    if (status === 'PAID') left = left.minus(amount);
    return { status, amount };
  });
  return {
    payable: { platformId, kind: 'invoice', customer, created, attempts },
    record: {
      platformId,
      values: {
        contactId: customer.platformId,
        ...isoCurrency(currency),
        documentNumber: `LP-${2001 + index}`,
        postedDate: day(created),
        dueDate: day(due),
        status: typeof plan === 'string' ? plan : statusOf(left, totals.totalAmount, due),
        ...totals,
        amountDue: money(left),
      },
      lines: { lineItems: lines },
    },
  };
}

function statusOf(left: Decimal, totalAmount: string, due: number): string {
  if (left.isZero()) return 'PAID';
  if (due < TODAY) return 'OVERDUE';
  return left.equals(totalAmount) ? 'SUBMITTED' : 'PARTIALLY_PAID';
}
