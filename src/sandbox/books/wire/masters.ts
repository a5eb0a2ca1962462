import type { UnifiedLine, UnifiedRecord } from '../../../connectors/pull.js';
import type { contact, externalLink, item, phoneNumber } from '../../../records/index.js';
import { customFieldsOf } from '../custom-fields.js';
import type { BooksObject } from '../objects.js';
import { moneyOf } from '../values.js';
import { addressesOf, idAndTimes } from './object-parts.js';
import type { BooksNames } from './names.js';
import { NATURES, PHONE_USES, ROLES, STATES, word } from './words.js';

/** The currency of product prices. */
const BASE = 'AUD';

export function toProduct(record: UnifiedRecord, names: BooksNames): BooksObject {
  const { values } = record as UnifiedRecord<typeof item>;
  const { Guid, ...times } = idAndTimes(record, names);
  const own = {
    Sku: values.code,
    Title: values.name,
    Notes: values.description,
    Nature: word(NATURES, values.type),
    State: word(STATES, values.status),
    OnHand: values.quantityOnHand ?? null,
    Selling: values.isInvoiceItem
      ? {
          Price: moneyOf(values.invoiceItemUnitPrice ?? 0, BASE),
          AccountNumber: names.accountNumber(values.invoiceItemAccountId),
          TaxCode: names.taxCode(values.invoiceItemTaxId),
          Text: values.invoiceItemDescription ?? null,
        }
      : null,
    Buying: values.isBillItem
      ? {
          Price: moneyOf(values.billItemUnitPrice ?? 0, BASE),
          AccountNumber: names.accountNumber(values.billItemAccountId),
          TaxCode: names.taxCode(values.billItemTaxId),
          Text: values.billItemDescription ?? null,
        }
      : null,
    CustomFields: customFieldsOf('Products', values.name),
    Reference: null,
  };
  return { Guid, ...own, ...times };
}

export function toPartner(record: UnifiedRecord, names: BooksNames): BooksObject {
  const { values, lines } = record as UnifiedRecord<typeof contact>;
  const { Guid, ...times } = idAndTimes(record, names);
  const phones = (lines?.['phoneNumbers'] ?? []) as readonly UnifiedLine<typeof phoneNumber>[];
  const links = (lines?.['externalLinks'] ?? []) as readonly UnifiedLine<typeof externalLink>[];
  const linked = (type: string) =>
    links.filter((one) => one.values.type === type).map((one) => one.values.link);
  const own = {
    Role: word(ROLES, values.contactType),
    Title: values.name,
    Person: values.contactName,
    Currency: names.currency(values.currencyId),
    TaxRegistration: values.taxNumber,
    CompanyRegistration: values.registrationNumber,
    State: word(STATES, values.status),
    Addresses: addressesOf(record),
    Phones: phones.map((one) => ({ Use: word(PHONE_USES, one.values.type), Number: one.values.number })),
    Emails: linked('EMAIL'),
    Websites: linked('WEBSITE'),
    CustomFields: customFieldsOf('Partners', values.name),
    Reference: null,
  };
  return { Guid, ...own, ...times };
}
