import { type z } from 'zod';

import {
  bill,
  billCreditNote,
  invoice,
  invoiceCreditNote,
  type RecordDefinition,
} from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { checked, type Wrong } from '../../inputs/checked.js';
import { invoiceShape } from '../../inputs/documents.js';
import { choice, itemOf, name, type OptionalShape, text } from '../../inputs/fields.js';
import { bodyOf, type PushResource, type WriteForm, writeForm, type WriteTools } from '../../push.js';
import { toNumber } from '../../values/json-number.js';
import { objectOf } from '../../values/platform-values.js';
import { transactions } from '../kinds.js';
import { contactRef, customerId, vendorId } from './contact-ids.js';
import {
  checkLocations,
  locationOf,
  purchaseLines,
  salesLines,
  toPurchaseLine,
  toSalesLine,
  unwrittenOfLines,
} from './lines.js';
import { CONTACT_ABSENT, type Subjects } from './refusal.js';
import { changeIn, createIn, ownFields, quickbooksPush } from './resource.js';
import { refTo } from './values.js';

/** There are no drafts. */
const status = choice(['SUBMITTED']);
const { platform_id, posted_date, due_date, currency_id, currency_rate } = invoiceShape;
const common = {
  platform_id,
  document_number: text(21),
  posted_date,
  currency_id,
  currency_rate,
  raw_data: ownFields(),
};
const sale = { ...common, status, contact_id: customerId(), memo: text(1000), line_items: salesLines };
const purchase = { ...common, status, contact_id: vendorId(), memo: text(), line_items: purchaseLines };

/** All fields that any document has. */
const every = { ...purchase, due_date, status: choice(['SUBMITTED', 'VOID']) };
type DocumentItem = z.output<z.ZodObject<OptionalShape<typeof every>>>;

interface DocumentPush {
  readonly definition: RecordDefinition;
  readonly entity: string;
  readonly isSale: boolean;
  /** Its fields, all of them in `every`. */
  readonly shape: typeof sale | typeof purchase;
  /** Other statuses of a change; absent if there are no changes. */
  readonly changed?: { readonly status: z.ZodType };
}

function documentPush({ definition, entity, isSale, shape, changed }: DocumentPush): PushResource {
  const checks = (given: object, { wrong }: { readonly wrong: Wrong }) =>
    checkLocations((given as DocumentItem).line_items ?? [], wrong);
  const toBody = (given: object, tools: WriteTools) => documentBody(given as DocumentItem, { isSale, tools });
  const warned = (form: WriteForm): WriteForm =>
    isSale
      ? form
      : { ...form, warnings: (given) => unwrittenOfLines((given as DocumentItem).line_items ?? []) };
  const create = checked(itemOf(shape, ['contact_id', 'line_items']), checks);
  return quickbooksPush({
    definition,
    kinds: [transactions(entity)],
    create: warned(writeForm(create, (given, tools) => createIn(entity, toBody(given, tools)))),
    ...(changed && {
      update: warned(changeForm({ entity, isWhole: !isSale }, { ...shape, ...changed }, { checks, toBody })),
    }),
    subjects: isSale ? SALE_SUBJECTS : PURCHASE_SUBJECTS,
    reads: [{ dataModel: 'CONTACTS', raw: 'CurrencyRef.value' }],
  });
}

interface ChangeForm {
  readonly checks: (given: object, report: { readonly wrong: Wrong }) => void;
  readonly toBody: (given: object, tools: WriteTools) => PlatformObject;
}

/** Purchases are only replaced as a whole: of their lines, QuickBooks refuses a sparse change. */
function changeForm(
  object: { readonly entity: string; readonly isWhole: boolean },
  shape: z.ZodRawShape,
  { checks, toBody }: ChangeForm,
): WriteForm {
  const input = checked(itemOf({ ...shape, platform_id: name() }, ['platform_id']), (given, report) => {
    const item = given as DocumentItem;
    if (!/^\d+$/.test(item.platform_id ?? ''))
      report.wrong(['platform_id'], `must be the id of a document such as 12: a receipt cannot be changed`);
    if (item.status === 'VOID' && Object.entries(item).some(isMore))
      report.wrong(['status'], 'must be the only change: QuickBooks voids a document as it is');
    checks(given, report);
  });
  return {
    ...writeForm(input, (given, tools) => {
      const { platform_id: id = '', status: wanted } = given as DocumentItem;
      return wanted === 'VOID'
        ? changeIn({ ...object, id, operation: 'void' }, {}, tools)
        : changeIn({ ...object, id }, toBody(given, tools), tools);
    }),
    readsCurrent: () => true,
  };
}

const isMore = ([name, value]: [string, unknown]): boolean =>
  value !== undefined && !['platform_id', 'status', 'expected_version'].includes(name);

interface BodyContext {
  readonly isSale: boolean;
  readonly tools: WriteTools;
}

function documentBody(item: DocumentItem, { isSale, tools }: BodyContext): PlatformObject {
  const { line_items: lines, memo } = item;
  return bodyOf(item.raw_data, {
    ...contactOf(item, { isSale, tools }),
    DocNumber: item.document_number,
    TxnDate: item.posted_date,
    DueDate: item.due_date,
    ExchangeRate: toNumber(item.currency_rate),
    ...(isSale ? { CustomerMemo: memo === undefined ? undefined : { value: memo } } : { PrivateNote: memo }),
    ...(lines && {
      DepartmentRef: locationOf(lines),
      Line: lines.map(isSale ? toSalesLine : toPurchaseLine),
      GlobalTaxCalculation: item.raw_data?.['GlobalTaxCalculation'] ?? taxCalculationOf(lines),
    }),
  });
}

/** A change repeats the contact, which not every document may be changed without. */
function contactOf(item: DocumentItem, { isSale, tools }: BodyContext): PlatformObject {
  const field = isSale ? 'CustomerRef' : 'VendorRef';
  const { contact_id: id, currency_id: currency } = item;
  const own = id === undefined ? undefined : tools.references.rawValueOf('CONTACTS', 'CurrencyRef.value', id);
  return {
    [field]: contactRef(id) ?? objectOf(tools.current?.[field]) ?? undefined,
    CurrencyRef: refTo(currency ?? own ?? undefined),
  };
}

/**
 * Our prices exclude tax. Without any tax code QuickBooks would ask for one in most countries; in the United States it
 * does not look at this.
 */
const taxCalculationOf = (lines: readonly { readonly tax_id?: string | undefined }[]): string =>
  lines.some(({ tax_id }) => tax_id !== undefined) ? 'TaxExcluded' : 'NotApplicable';

const SUBJECTS: Subjects = [
  [CONTACT_ABSENT, 'contact_id'],
  [/doc ?number|document number/i, 'document_number'],
  [/due ?date/i, 'due_date'],
  [/exchange ?rate/i, 'currency_rate'],
  [/currency/i, 'currency_id'],
  [/txn ?date/i, 'posted_date'],
  [/memo|private ?note/i, 'memo'],
  [/\bline|item|account|amount|qty|unit ?price|tax|\bvat\b|\bgst\b|class/i, 'line_items'],
];
const SALE_SUBJECTS: Subjects = [[/^customer|customerref/i, 'contact_id'], ...SUBJECTS];
const PURCHASE_SUBJECTS: Subjects = [[/^vendor|vendorref/i, 'contact_id'], ...SUBJECTS];

/**
 * Documents with lines. A change with lines replaces all existing ones. Only what is sold can be voided by the API. Credit
 * is applied by payments.
 */
export const documentPushes: readonly PushResource[] = [
  documentPush({
    definition: invoice,
    entity: 'Invoice',
    isSale: true,
    shape: { ...sale, due_date } as typeof sale,
    changed: { status: every.status },
  }),
  documentPush({
    definition: bill,
    entity: 'Bill',
    isSale: false,
    shape: { ...purchase, due_date } as typeof purchase,
    changed: { status },
  }),
  documentPush({ definition: invoiceCreditNote, entity: 'CreditMemo', isSale: true, shape: sale }),
  documentPush({ definition: billCreditNote, entity: 'VendorCredit', isSale: false, shape: purchase }),
];
