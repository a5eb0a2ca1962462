import type { UnifiedLine, UnifiedRecord } from '../../../connectors/pull.js';
import type {
  account,
  bankAccount,
  companyInfo,
  currency,
  project,
  taxRate,
  taxRateComponent,
  trackingCategory,
} from '../../../records/index.js';
import type { BooksObject } from '../objects.js';
import { moneyOf, toBooksDay } from '../values.js';
import { instant } from '../../world/time.js';
import { idAndTimes } from './object-parts.js';
import type { BooksNames } from './names.js';
import { ACCOUNT_CLASSES, STATES, TAX_SIDES, word } from './words.js';

export function toCurrency(record: UnifiedRecord, names: BooksNames): BooksObject {
  const { values } = record as UnifiedRecord<typeof currency>;
  const { Guid, ...times } = idAndTimes(record, names);
  const own = {
    Code: values.code,
    Title: values.name,
    Sign: values.symbol,
    IsBase: values.isBaseCurrency,
    ExchangeRate: values.exchangeRate,
  };
  return { Guid, ...own, ...times };
}

export function toTaxCode(record: UnifiedRecord, names: BooksNames): BooksObject {
  const { values, lines } = record as UnifiedRecord<typeof taxRate>;
  const { Guid, ...times } = idAndTimes(record, names);
  const parts = (lines?.['components'] ?? []) as readonly UnifiedLine<typeof taxRateComponent>[];
  const own = {
    Code: values.code,
    Title: values.name,
    AppliesTo: word(TAX_SIDES, values.taxType),
    Percentage: values.totalTaxRate,
    EffectivePercentage: values.effectiveTaxRate,
    Parts: parts.map((part) => ({
      PartGuid: names.guid(part.platformId ?? ''),
      Title: part.values.name,
      Percentage: part.values.rate,
      Authority: part.values.taxAgency,
      Compound: part.values.isCompound,
    })),
  };
  return { Guid, ...own, ...times };
}

/** The bank of an account in the chart. */
export interface Bank {
  readonly Institution: string | null;
  readonly AccountNumber: string | null;
}

/** The banks of bank accounts, by the account's id in the world. */
export function banksOf(records: readonly UnifiedRecord[]): ReadonlyMap<string, Bank> {
  const accounts = records as readonly UnifiedRecord<typeof bankAccount>[];
  return new Map(
    accounts.map(({ platformId, values: { institutionName, accountNumber } }) => [
      platformId,
      { Institution: institutionName ?? null, AccountNumber: accountNumber ?? null },
    ]),
  );
}

export function toLedgerAccount(
  record: UnifiedRecord,
  names: BooksNames,
  banks: ReadonlyMap<string, Bank>,
): BooksObject {
  const { values } = record as UnifiedRecord<typeof account>;
  const { Guid, ...times } = idAndTimes(record, names);
  const code = values.currencyCode ?? 'AUD';
  const own = {
    Number: values.nominalCode,
    Title: values.name,
    Notes: values.description,
    Class: word(ACCOUNT_CLASSES, values.category),
    Group: values.subCategory?.toLowerCase().replaceAll('_', ' ') ?? null,
    State: word(STATES, values.status),
    Currency: code,
    Balance: moneyOf(values.currentBalance ?? 0, code),
    ParentNumber: names.accountNumber(values.parentAccountId),
    Bank: banks.get(record.platformId) ?? null,
    Reference: null,
  };
  return { Guid, ...own, ...times };
}

/** The company itself. */
export function toCompanyDetails(record: UnifiedRecord, names: BooksNames): BooksObject {
  const { values } = record as UnifiedRecord<typeof companyInfo>;
  const { Guid, ...times } = idAndTimes(record, names);
  const own = {
    Title: values.name,
    RegisteredName: values.legalName,
    TaxRegistration: values.taxNumber,
    CompanyRegistration: values.registrationNumber,
    BaseCurrency: values.baseCurrency,
    YearStart: toBooksDay(values.fiscalStartAt ?? ''),
  };
  return { Guid, ...own, ...times, CreatedOn: values.orgCreatedAt ?? times.CreatedOn };
}

/** All projects were opened together with the books. */
export function toProject(record: UnifiedRecord, names: BooksNames): BooksObject {
  const { platformId, values } = record as UnifiedRecord<typeof project>;
  const opened = instant(0.5);
  const own = { Code: values.code, Title: values.name, Notes: values.description };
  return { Guid: names.guid(platformId), ...own, CreatedOn: opened, ChangedOn: opened };
}

/** The roots of a tree of tracking categories, each with all its descendants. */
export function toDimensions(records: readonly UnifiedRecord[], names: BooksNames): BooksObject[] {
  const categories = records as readonly UnifiedRecord<typeof trackingCategory>[];
  const below = (parent: string): readonly UnifiedRecord<typeof trackingCategory>[] =>
    categories
      .filter(({ values }) => values.parentId === parent)
      .flatMap((one) => [one, ...below(one.platformId)]);
  return categories
    .filter(({ values }) => values.parentId === null)
    .map((root) => {
      const options = below(root.platformId);
      const { Guid, CreatedOn } = idAndTimes(root, names);
      const changes = [root, ...options].map(({ values }) => values.updatedAt ?? CreatedOn);
      return {
        Guid,
        Title: root.values.name,
        State: word(STATES, root.values.status),
        Options: options.map(({ platformId, values }) => ({
          OptionGuid: names.guid(platformId),
          Title: values.name,
          Parent:
            values.parentId == null || values.parentId === root.platformId
              ? null
              : names.guid(values.parentId),
          State: word(STATES, values.status),
          ChangedOn: values.updatedAt,
        })),
        CreatedOn,
        ChangedOn: changes.sort().at(-1) ?? CreatedOn,
      };
    });
}
