import { type PlatformObject } from '../../../platform.js';
import type { Path, WriteProblem } from '../../../../errors.js';
import { fromWirePath } from '../../../../base/names.js';
import { type RefusedWrite } from '../../../push.js';
import { objectOf, objectsIn, textOf } from '../../../values/platform-values.js';
import { excerptOf } from '../../../client/platform-errors.js';

/** Item field names by Books field name; each kind adds its own. */
export type FieldNames = Readonly<Record<string, string>>;

const COMMON: FieldNames = {
  Number: 'document_number',
  Partner: 'contact_id',
  Currency: 'currency_id',
  ExchangeRate: 'currency_rate',
  Date: 'posted_date',
  DueDate: 'due_date',
  DeliveryDate: 'delivery_date',
  State: 'status',
  Text: 'memo',
  Lines: 'line_items',
  ProductSku: 'item_id',
  AccountNumber: 'account_id',
  TaxCode: 'tax_id',
  Tax: 'tax_amount',
  Quantity: 'quantity',
  UnitPrice: 'unit_amount',
  Discount: 'total_discount',
  DimensionOptions: 'tracking_category_ids',
  Amount: 'amount',
  PaymentMeans: 'payment_mode',
  CustomFields: 'custom_fields',
  Name: 'name',
  Value: 'value',
};

/** Why Books refused a write. */
export function refusalOf({ status, body, text }: RefusedWrite, names: FieldNames): WriteProblem {
  const error = objectOf(body?.['Error']);
  const code = textOf(error?.['Code']);
  const message = textOf(error?.['Message']) ?? excerptOf(text);
  const [problem] = objectsIn(error?.['Problems']);
  if (problem) return problemOf(problem, error ?? {}, names);
  const platformError = [code, message].filter((part) => part !== null).join(': ');
  if (code === 'Stale') return { code: 'conflict', words: message, path: [], platformError };
  const denied = status === 403 || status === 404 || status === 405 || status === 409;
  return denied
    ? { code: 'operation-denied', words: `Operation Denied: ${message}`, path: [], platformError }
    : {
        code: 'platform-denied',
        words: `SVC Sandbox Books refused the write: ${message}`,
        path: [],
        platformError,
      };
}

function problemOf(problem: PlatformObject, error: PlatformObject, names: FieldNames): WriteProblem {
  const path = pathOf(textOf(problem['Field']) ?? '', { ...COMMON, ...names });
  const words = textOf(problem['Message']) ?? 'it is invalid';
  const platformError = objectsIn(error['Problems'])
    .map((one) => `${textOf(one['Field']) ?? ''}: ${textOf(one['Message']) ?? ''}`)
    .join('; ')
    .slice(0, 2000);
  switch (problem['Code']) {
    case 'Required':
      return { code: 'missing-params', words, path, platformError };
    case 'DuplicateNumber':
      return { code: 'record-already-exists', words, path, platformError };
    default:
      return { code: 'invalid-params', words, path, platformError };
  }
}

/** `Lines[0].AccountNumber` as `['lineItems', 0, 'accountId']`. */
function pathOf(field: string, names: FieldNames): Path {
  const parts = field.split(/[.[\]]+/).filter((part) => part !== '');
  return fromWirePath(parts.map((part) => (/^\d+$/.test(part) ? Number(part) : (names[part] ?? part))));
}
