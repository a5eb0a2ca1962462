import { Decimal } from 'decimal.js';

import { type EntityName, type QuickbooksCompany } from '../company.js';
import {
  type Account,
  type Attachable,
  type Currency,
  type Item,
  type Kept,
  type Named,
  type Payment,
  SALES,
  type TaxCode,
  type TradeDocument,
} from '../domain.js';
import { voidDocument } from '../makers/documents.js';
import { ZERO } from '../totals.js';

/** What can be done to objects of the company. */
export interface Changes {
  readonly edit: (object: Kept) => void;
  readonly canDelete: (object: Kept) => boolean;
  readonly remove: (object: Kept) => void;
  /** Whether it can be made inactive or voided. */
  readonly canGiveUp: (object: Kept) => boolean;
  readonly giveUp: (object: Kept) => void;
  /** A new one that is like it; null where there can be none. */
  readonly copy: (object: Kept) => Kept | null;
}

const NEVER_DELETED: readonly EntityName[] = [
  'CompanyCurrency',
  'Account',
  'Class',
  'Department',
  'TaxRate',
  'TaxCode',
  'Item',
  'Customer',
  'Vendor',
  'Employee',
];

export const INACTIVE_SUFFIX = ' (deleted)';

export function changesOf(company: QuickbooksCompany): Changes {
  const { shelves } = company;
  const entityOf = (object: Kept): EntityName | null => {
    const names = Object.keys(shelves) as EntityName[];
    return names.find((name) => (shelves[name] as readonly Kept[]).includes(object)) ?? null;
  };
  const isNamed = (object: Kept): object is Named => {
    const name = entityOf(object);
    return name !== null && NEVER_DELETED.includes(name);
  };

  function edit(object: Kept): void {
    if (object === company.home) return;
    const name = entityOf(object);
    if (name === 'TaxCode') return editTax(object as TaxCode);
    if (name === 'Account') {
      // What is posted to an account changes its balance, and not when it was changed.
      const account = object as Account;
      account.balance = account.balance.plus('1.25');
      if (Number(account.id) % 2 === 0) return;
      account.description = `Edited ${account.version}`;
    } else if (isDocument(object)) object.number = `${object.number ?? 'No'}-${object.version}`;
    else if (name === 'Item') (object as Item).unitPrice = new Decimal('77.75');
    else if (name === 'Attachable') (object as Attachable).fileName = `edited-${object.version}.pdf`;
    else if (name === null || isNamed(object)) rename(object as Named);
    else if (name === 'Payment' || name === 'BillPayment') editPayment(object as Payment);
    else (object as Payment).note = `Edited ${object.version}`;
    company.touch(object);
  }

  /** One of several documents is no longer paid: what it came to is left of the payment. */
  function editPayment(payment: Payment): void {
    payment.note = `Edited ${payment.version}`;
    const [first, ...rest] = payment.applied;
    if (first && rest.length > 0 && !payment.total.isZero()) {
      release({ ...payment, applied: rest });
      payment.applied = [first];
    }
  }

  function rename(object: Named): void {
    const [plain = ''] = object.name.split(INACTIVE_SUFFIX);
    object.name = `${plain} *${object.active === false ? INACTIVE_SUFFIX : ''}`;
  }

  /** A rate has another name, of which its codes say nothing. */
  function editTax(code: TaxCode): void {
    const [part] = code.sales.length > 0 ? code.sales : code.purchases;
    if (!part) return;
    rename(part.rate);
    company.touch(part.rate);
  }

  function canDelete(object: Kept): boolean {
    const name = entityOf(object);
    if (name === null || NEVER_DELETED.includes(name)) return false;
    if (isDocument(object)) return object.links.length === 0 && object.settled.isZero();
    const { Payment, BillPayment, Deposit } = shelves;
    if (name === 'JournalEntry') {
      const applied = [...Payment, ...BillPayment].flatMap((payment) => payment.applied);
      return !applied.some(({ type, id }) => type === 'JournalEntry' && id === object.id);
    }
    return !Deposit.some(({ payments }) => payments.some(({ id }) => id === object.id));
  }

  function remove(object: Kept): void {
    const name = entityOf(object);
    if (name === null) throw new Error(`${object.id} is not there`);
    if (name === 'Payment' || name === 'BillPayment') release(object as Payment);
    company.remove(name, object.id);
  }

  /** What a payment had paid is open again. */
  function release({ id, applied }: Payment): void {
    for (const part of applied) {
      if (part.type === 'JournalEntry') continue;
      const document = shelves[part.type].find((one) => one.id === part.id);
      if (!document) continue;
      document.settled = document.settled.minus(part.amount);
      const at = document.links.findIndex((link) => link.id === id);
      if (at !== -1) document.links.splice(at, 1);
      company.touch(document);
    }
  }

  function canGiveUp(object: Kept): boolean {
    if (isNamed(object)) return object.active && !('isPseudo' in object && object.isPseudo);
    const isSale = isDocument(object) && SALES.includes(object.entity);
    return isSale && canDelete(object) && !object.isVoid;
  }

  function giveUp(object: Kept): void {
    if (isNamed(object)) {
      object.active = false;
      object.name += INACTIVE_SUFFIX;
    } else voidDocument(object as TradeDocument);
    company.touch(object);
  }

  function copy(object: Kept): Kept | null {
    const name = entityOf(object);
    if (name === null || name === 'CompanyCurrency' || ('isPseudo' in object && object.isPseudo)) return null;
    const shelf = shelves[name] as Kept[];
    const highest = shelf.reduce(
      (most, { id }) => (/^\d+$/.test(id) && BigInt(id) > most ? BigInt(id) : most),
      0n,
    );
    const isTransaction = !NEVER_DELETED.includes(name) && name !== 'Attachable';
    const made: Kept = {
      ...object,
      ...(isNamed(object) ? { name: `${object.name} again` } : {}),
      ...(isDocument(object) ? { links: [], settled: ZERO } : {}),
      ...('applied' in object ? { applied: [], total: new Decimal(55) } : {}),
      id: isTransaction ? company.nextTransactionId() : String(highest + 1n),
      version: 0,
      createdAt: company.now,
      updatedAt: company.now,
    };
    shelf.push(made);
    return made;
  }

  return { edit, canDelete, remove, canGiveUp, giveUp, copy };
}

const isDocument = (object: Kept): object is TradeDocument => 'settled' in object;

/** Whether a record of ours is changed although its object does not say so. */
export function isSilentlyChanged(object: Kept, since: Date): boolean {
  if (!('sales' in object)) return false;
  const { sales, purchases } = object as TaxCode;
  return (sales.length > 0 ? sales : purchases).some(({ rate }) => rate.updatedAt >= since);
}

export const isHome = (object: Kept): boolean => 'isHome' in object && (object as Currency).isHome;
