import { type PlatformClient, type PlatformObject } from '../platform.js';
import { nullIfRefused } from '../client/platform-errors.js';
import { listPage } from '../lists/newest-first.js';
import { withContext } from '../values/platform-json.js';
import { decimalOf, objectOf, textOf } from '../values/platform-values.js';
import { STRIPE_TITLE } from './client.js';
import { type Complete } from './kinds.js';
import { idOf } from './mappers/id.js';

/** Where the id of a payment's invoice is put. */
export const INVOICE = 'svc_invoice';

const PATH = '/v1/invoice_payments';

/** A payment of an invoice is not older than what it is paid with; one may be dated as its draft, of an hour before. */
const SLACK_SECONDS = 2 * 3600;

/** How far apart a charge and the payment of an invoice are that were made at once. */
const AT_ONCE_SECONDS = 60;

/** Clients whose key may not read invoices, which is asked once. */
const refused = new WeakSet<PlatformClient>();

/**
 * Adds to payments the ids of their invoices, which only invoice payments name. Both lists begin with the newest, so one
 * is read along with the other; those of a single payment are asked for. A key may lack the right to invoices: then they
 * are unknown.
 */
export const completeInvoices =
  (way: 'payment_intent' | 'charge') =>
  (client: PlatformClient): Complete => {
    const links = new InvoicePayments(client, way);
    return async (payments) => {
      // Invoices have customers.
      const asked = payments.filter((payment) => textOf(payment['customer']) !== null);
      const [only] = payments.length === 1 ? asked : [];
      if (only) await links.readOf(only);
      else if (asked.length > 0) await links.readTo(Math.min(...asked.map(createdAt)) - SLACK_SECONDS);
      return payments.map((payment) => withContext(payment, { [INVOICE]: links.take(idOf(payment)) }));
    };
  };

const createdAt = (object: PlatformObject): number => Number(decimalOf(object['created']) ?? '0');

class InvoicePayments {
  private readonly invoices = new Map<string, string>();
  private place: string | null = null;
  private isRead = false;
  private oldest = Infinity;

  constructor(
    private readonly client: PlatformClient,
    private readonly way: 'payment_intent' | 'charge',
  ) {}

  /** The invoice of a payment, which is asked for once. */
  take(paymentId: string): string | null {
    const invoice = this.invoices.get(paymentId) ?? null;
    this.invoices.delete(paymentId);
    return invoice;
  }

  /** Reads on to those made at a time in seconds. */
  async readTo(seconds: number): Promise<void> {
    while (!this.isRead && this.oldest >= seconds) {
      const from = this.place === null ? {} : { starting_after: this.place };
      const { data, hasMore } = await this.read(from);
      this.note(data);
      const last = data.at(-1);
      this.isRead = !hasMore || last === undefined;
      if (last) [this.place, this.oldest] = [idOf(last), createdAt(last)];
    }
  }

  async readOf(payment: PlatformObject): Promise<void> {
    const { data } = await this.read(this.queryOf(payment));
    this.note(data);
  }

  /** A further page is no question of rights: its place may be gone. */
  private async read(query: Readonly<Record<string, string>>): ReturnType<typeof listPage> {
    const none = { data: [], hasMore: false };
    if (refused.has(this.client)) return none;
    const answer = listPage(STRIPE_TITLE, this.client, PATH, query);
    if ('starting_after' in query) return answer;
    const page = await answer.catch(nullIfRefused);
    if (page === null) refused.add(this.client);
    return page ?? none;
  }

  /** There is no filter by charge: these are of invoices that were paid at once, before there were payment intents. */
  private queryOf(payment: PlatformObject): Readonly<Record<string, string>> {
    if (this.way === 'payment_intent') {
      return { 'payment[type]': this.way, 'payment[payment_intent]': idOf(payment) };
    }
    const created = createdAt(payment);
    return {
      'created[gte]': String(created - AT_ONCE_SECONDS),
      'created[lte]': String(created + AT_ONCE_SECONDS),
    };
  }

  private note(data: readonly PlatformObject[]): void {
    for (const made of data) {
      const payment = textOf(objectOf(made['payment'])?.[this.way]);
      const invoice = textOf(made['invoice']);
      const isOff = made['status'] === 'canceled';
      if (payment !== null && invoice !== null && !isOff && !this.invoices.has(payment)) {
        this.invoices.set(payment, invoice);
      }
    }
  }
}
