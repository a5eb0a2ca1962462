import { account } from './accounting/account.js';
import { contact } from './accounting/contact.js';
import { currency } from './accounting/currency.js';
import { invoiceCreditNote } from './accounting/invoice-credit-note.js';
import { invoice } from './accounting/invoice.js';
import { lineItem } from './accounting/line-item.js';
import { company } from './company.js';
import { type RecordDefinition } from './define.js';
import { ecommerceTransaction } from './ecommerce/transaction.js';

/** Every record type, in the order of the schema and of the demo data. */
export const records: readonly RecordDefinition[] = [
  account,
  contact,
  currency,
  invoice,
  invoiceCreditNote,
  ecommerceTransaction,
];

/** Every line type. */
export const lineTypes: readonly RecordDefinition[] = [lineItem];

const byModel = new Map(
  [company, ...records, ...lineTypes].map((definition) => [definition.model, definition]),
);

/** The definition of a GraphQL type. Throws for a name that has no definition. */
export function definitionOf(model: string): RecordDefinition {
  const definition = byModel.get(model);
  if (!definition) throw new Error(`${model} is not a record type`);
  return definition;
}

export {
  account,
  company,
  contact,
  currency,
  ecommerceTransaction,
  invoice,
  invoiceCreditNote,
  lineItem,
  type RecordDefinition,
};
