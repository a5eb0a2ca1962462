import type { Change } from '../../store/change.js';
import { findByNumber, type ObjectRow } from '../../store/objects.js';
import { dimensionsOf } from '../dimensions.js';
import type { BooksKind } from '../kinds.js';
import type { BooksObject, PartnerReference } from '../objects.js';
import { fromStored } from '../stored.js';
import type { Fields } from './fields.js';

interface NamedObject extends BooksObject {
  readonly [field: string]: unknown;
}

/** The kind that a code refers to, and the problem reported for an unknown code. */
interface Coded {
  readonly kind: BooksKind;
  readonly problem: string;
  readonly noun: string;
}

/**
 * Resolves references in a body, and records those that do not exist. References that an update keeps may be to objects
 * deleted since.
 */
export class References {
  private readonly numbered = new Map<string, Promise<NamedObject | null>>();

  constructor(private readonly change: Change) {}

  account(fields: Fields, field: string): Promise<string | null> {
    return this.code(fields, field, {
      kind: 'LedgerAccounts',
      problem: 'UnknownAccount',
      noun: 'ledger account',
    });
  }

  taxCode(fields: Fields, field: string): Promise<string | null> {
    return this.code(fields, field, { kind: 'TaxCodes', problem: 'UnknownTaxCode', noun: 'tax code' });
  }

  /** A project by its GUID. */
  async project(fields: Fields, field: string): Promise<string | null> {
    const guid = fields.text(field, 100);
    if (guid === null || fields.isKept(field) || (await this.change.find('Projects', guid))) return guid;
    fields.problems.add(fields.name(field), 'UnknownProject', `there is no project ${guid}`);
    return null;
  }

  async sku(fields: Fields, field: string): Promise<string | null> {
    return this.code(fields, field, { kind: 'Products', problem: 'UnknownProduct', noun: 'product' });
  }

  /** The currency named in a body, or the one from before, or the base currency. */
  async currency(fields: Fields, before = 'AUD'): Promise<string> {
    const known = await this.code(fields, 'Currency', {
      kind: 'Currencies',
      problem: 'UnknownCurrency',
      noun: 'currency',
    });
    return known ?? before;
  }

  byNumber(kind: BooksKind, number: string): Promise<NamedObject | null> {
    const key = `${kind} ${number}`;
    let found = this.numbered.get(key);
    if (!found) {
      found = findByNumber(this.change.client, this.change.account, kind, number).then((row) =>
        row ? fromStored<NamedObject>(row) : null,
      );
      this.numbered.set(key, found);
    }
    return found;
  }

  private async code(fields: Fields, field: string, { kind, problem, noun }: Coded): Promise<string | null> {
    const code = fields.text(field, 100);
    if (code === null || fields.isKept(field) || (await this.byNumber(kind, code))) return code;
    fields.problems.add(fields.name(field), problem, `there is no ${noun} ${code}`);
    return null;
  }

  /** A partner, given as `{ "Guid" }` or as a plain GUID. */
  async partner(fields: Fields, field: string): Promise<PartnerReference | null> {
    const value = fields.raw(field);
    if (value === null) return null;
    let guid: string | null;
    let title: string | null = null;
    if (typeof value === 'string') {
      guid = value;
    } else {
      const inner = fields.object(field);
      title = inner?.text('Title') ?? null;
      guid = inner?.requiredText('Guid') ?? null;
      inner?.finish();
    }
    const row = guid === null ? null : await this.change.find('Partners', guid);
    if (row) {
      const { Guid, Title } = fromStored<PartnerReference & BooksObject>(row);
      return { Guid, Title };
    }
    if (guid === null) return null;
    if (fields.isKept(field)) return { Guid: guid, Title: title ?? '' };
    fields.problems.add(fields.name(field), 'UnknownPartner', `there is no partner ${guid}`);
    return null;
  }

  /** An object of a kind by its GUID. */
  async document(fields: Fields, field: string, kind: BooksKind): Promise<ObjectRow | null> {
    const guid = fields.text(field, 100);
    const row = guid === null ? null : await this.change.find(kind, guid);
    if (guid !== null && !row) {
      fields.problems.add(fields.name(field), 'UnknownDocument', `${kind} has no object ${guid}`);
    }
    return row;
  }

  async documents(fields: Fields, field: string, kind: BooksKind): Promise<string[]> {
    const guids = fields.texts(field);
    for (const [index, guid] of guids.entries()) {
      if (fields.isKept(field) || (await this.change.find(kind, guid))) continue;
      const name = `${fields.name(field)}[${index}]`;
      fields.problems.add(name, 'UnknownDocument', `${kind} has no object ${guid}`);
    }
    return guids;
  }

  async options(fields: Fields, field: string): Promise<string[]> {
    const guids = fields.texts(field);
    if (guids.length === 0 || fields.isKept(field)) return guids;
    const known = (await dimensionsOf(this.change)).flatMap(({ Options }) => Options);
    for (const [index, guid] of guids.entries()) {
      if (known.some(({ OptionGuid }) => OptionGuid === guid)) continue;
      fields.problems.add(`${fields.name(field)}[${index}]`, 'UnknownOption', `there is no option ${guid}`);
    }
    return guids;
  }
}
