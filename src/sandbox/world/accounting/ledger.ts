import { Decimal } from 'decimal.js';
import type { UnifiedLine, UnifiedRecord } from '../../../connectors/pull.js';
import type { journalEntry, journalLine } from '../../../records/index.js';
import { cents, money, sum } from '../money.js';
import type { Random } from '../random.js';
import { many, type Size, spread } from '../size.js';
import { day, instant } from '../time.js';
import type { DemoContact } from './contacts.js';
import { BASE_CURRENCY, currencyFields } from './currencies.js';
import { trackingOf } from './tracking.js';

/** An account and its percentage of the entry; the last one on a side has none and gets the rest. */
type Share = readonly [account: string, percent?: string];

interface Template {
  readonly description: string;
  readonly type: string;
  readonly debit: readonly Share[];
  readonly credit: readonly Share[];
  /** Whether the debited expense was bought from a vendor, with GST that the line on 2200 claims back. */
  readonly taxed?: boolean;
}

/** The net share, in percent, of an amount that includes 10 % GST. */
const TEN_ELEVENTHS = new Decimal(1000).div(11).toString();
const TEMPLATES: readonly Template[] = [
  { description: 'Depreciation', type: 'RECURRING', debit: [['6800']], credit: [['1510', '70'], ['1520']] },
  { description: 'Wages', type: 'RECURRING', debit: [['6200']], credit: [['2300', '76.5'], ['2310']] },
  {
    description: 'Rent not billed yet',
    type: 'ADJUSTING',
    debit: [['6100', TEN_ELEVENTHS], ['2200']],
    credit: [['2500']],
    taxed: true,
  },
  { description: 'Insurance used up', type: 'ADJUSTING', debit: [['6700']], credit: [['1300']] },
  { description: 'Stock taken', type: 'STANDARD', debit: [['5000']], credit: [['1200']] },
  {
    description: 'Advertising not billed yet',
    type: 'ADJUSTING',
    debit: [['6500', TEN_ELEVENTHS], ['2200']],
    credit: [['2500']],
    taxed: true,
  },
  {
    description: 'Loan repayment and interest',
    type: 'STANDARD',
    debit: [['2700', '91.7'], ['6600']],
    credit: [['1010']],
  },
];
const ENTRIES = 42;

/** Journal entries that balance to the cent. */
export function createJournal(
  random: Random,
  contacts: readonly DemoContact[],
  size: Size,
): UnifiedRecord<typeof journalEntry>[] {
  const vendors = contacts.filter(({ type, active }) => type === 'VENDOR' && active);
  return Array.from({ length: many(size, ENTRIES) }, (_, index) => {
    const template = TEMPLATES[index % TEMPLATES.length];
    if (!template) throw new Error('there are no templates');
    const amount = new Decimal(random.integer(20_000, 900_000)).div(100);
    const contact = random.pick(vendors);
    return createEntry(template, { index, amount, contact, posted: spread(size, index, 3.5) });
  });
}

interface EntryOptions {
  readonly index: number;
  readonly amount: Decimal;
  readonly contact: DemoContact;
  /** In days. */
  readonly posted: number;
}

function createEntry(
  template: Template,
  { index, amount, contact, posted }: EntryOptions,
): UnifiedRecord<typeof journalEntry> {
  const platformId = `jnl-${index + 1}`;
  const sides = [
    ...split(template.debit, amount).map((part) => ({ ...part, type: 'DEBIT' })),
    ...split(template.credit, amount).map((part) => ({ ...part, type: 'CREDIT' })),
  ];
  const tax = template.taxed ? sides[1]?.amount : undefined;
  const lines = sides.map(({ code, amount: netAmount, type }, position): UnifiedLine<typeof journalLine> => {
    const isTaxed = tax !== undefined && position === 0;
    return {
      platformId: `${platformId}-line-${position + 1}`,
      values: {
        journalEntryId: platformId,
        accountId: `acc-${code}`,
        accountCode: code,
        contactId: template.taxed && code !== '2200' ? contact.platformId : null,
        description: template.description,
        type,
        netAmount: money(netAmount),
        taxAmount: isTaxed ? money(tax) : '0.00',
        taxId: isTaxed ? 'tax-au-gst' : null,
        trackingCategoryIds: trackingOf(index + position),
        updatedAt: instant(posted),
      },
    };
  });
  return {
    platformId,
    // Posted twice, then deleted.
    deleted: index % 21 === 20,
    values: {
      accountId: `acc-${sides[0]?.code ?? ''}`,
      amount: money(amount),
      ...currencyFields(BASE_CURRENCY),
      description: `${template.description}, ${day(posted).slice(0, 7)}`,
      documentNumber: `JNL-${String(index + 1).padStart(4, '0')}`,
      journalEntryType: template.type,
      postedDate: day(posted),
      status: 'POSTED',
      updatedAt: instant(posted),
    },
    lines: { journalLines: lines },
  };
}

function split(shares: readonly Share[], amount: Decimal): { code: string; amount: Decimal }[] {
  const parts = shares.slice(0, -1).map(([, percent]) => cents(amount.times(percent ?? 0).div(100)));
  const rest = amount.minus(sum(parts));
  return shares.map(([code], index) => ({ code, amount: parts[index] ?? rest }));
}
