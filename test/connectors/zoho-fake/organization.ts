import {
  type Account,
  type Contact,
  type Currency,
  type DocumentKind,
  type Item,
  type Journal,
  type Kept,
  type Payment,
  type Tax,
  type TradeDocument,
} from './domain.js';

export const ORGANIZATION_ID = '10229182';

/** An organization at Zoho Books, with a clock of its own. */
export class ZohoOrganization implements Kept {
  readonly id = ORGANIZATION_ID;
  readonly createdAt = new Date('2024-02-15T00:00:00Z');
  updatedAt = this.createdAt;
  name = 'Zylker Trading';
  readonly currencies: Currency[] = [];
  readonly taxes: Tax[] = [];
  readonly accounts: Account[] = [];
  readonly items: Item[] = [];
  readonly contacts: Contact[] = [];
  readonly documents: TradeDocument[] = [];
  readonly payments: Payment[] = [];
  readonly journals: Journal[] = [];
  /** In seconds: Zoho's stamps have no more. */
  time = Math.floor(Date.UTC(2026, 5, 1) / 1000);
  #ids = 0;

  get now(): Date {
    return new Date(this.time * 1000);
  }

  advance(seconds: number): void {
    this.time += seconds;
  }

  nextId(): string {
    this.#ids += 1;
    return String(460_000_000_000_000 + this.#ids);
  }

  /** What every new object has. */
  kept(): Kept {
    return { id: this.nextId(), createdAt: this.now, updatedAt: this.now };
  }

  of(kind: DocumentKind): TradeDocument[] {
    return this.documents.filter((document) => document.kind === kind);
  }

  touch(object: Kept): void {
    object.updatedAt = this.now;
  }

  /** An object leaves its list without a trace. */
  remove(object: Kept): void {
    const shelves: Kept[][] = [
      this.currencies,
      this.taxes,
      this.accounts,
      this.items,
      this.contacts,
      this.documents,
      this.payments,
      this.journals,
    ];
    for (const shelf of shelves) {
      const index = shelf.indexOf(object);
      if (index !== -1) shelf.splice(index, 1);
    }
  }
}
