import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { Failure } from '../failure.js';
import { parseBody } from '../gate/parse-body.js';
import type { ApiHandler } from '../gate/platform-api.js';
import { performWrite, type Written } from '../gate/write.js';
import { jsonBody } from '../http/call.js';
import type { Change } from '../store/change.js';
import { listOf, PAY_KINDS, type PayKind, type PayLine, type PayObject } from './objects.js';
import { kindOf } from './read.js';

const text = z.string().max(500);
const optional = text.nullish();
const currency = z.string().regex(/^[a-z]{3}$/, 'must be a lower-case currency code');
const metadata = z.record(z.string().max(40), text).default({});

const customerInput = z.strictObject({
  name: text.min(1),
  email: z.email().nullish(),
  website: optional,
  phones: z
    .array(z.strictObject({ type: z.enum(['landline', 'mobile', 'fax']), number: text.min(1) }))
    .max(20)
    .default([]),
  tax_id: optional,
  currency: currency.nullish(),
  address: z
    .strictObject({
      ...{ line1: optional, line2: optional, city: optional },
      ...{ state: optional, postal_code: optional, country: optional },
    })
    .nullish(),
  metadata,
});

const minor = z.number().int().min(0).max(1e12);
const TAX_RATES = ['txr_gst_0', 'txr_gst_10', 'txr_gst_15', 'txr_gst_18'] as const;
const linkInput = z.strictObject({
  currency,
  line_items: z
    .array(
      z
        .strictObject({
          item: optional,
          description: optional,
          quantity: z.number().int().min(1).max(1_000_000),
          unit_amount: minor,
          amount_discount: minor.default(0),
          tax_rate: z.enum(TAX_RATES).nullish(),
        })
        .refine(({ item, description }) => item != null || description != null, 'needs item or description'),
    )
    .min(1)
    .max(100),
  description: optional,
  active: z.boolean().default(true),
  metadata,
});
const linkChange = z.strictObject({ active: z.boolean(), description: optional, metadata }).partial();

/** When an object changes, and what it was before. */
interface Occasion {
  readonly now: Date;
  readonly before: PayObject | null;
}

const seconds = (now: Date): number => Math.floor(now.getTime() / 1000);
const newId = (prefix: string): string =>
  `${prefix}_${randomBytes(12).toString('base64url').replaceAll(/[-_]/g, 'x')}`;

function customerOf(body: unknown, { now, before }: Occasion): PayObject {
  const { metadata: marks, ...own } = parseBody(customerInput, body);
  return {
    id: before?.id ?? newId('cus'),
    object: 'customer',
    created: before?.created ?? seconds(now),
    ...own,
    metadata: marks,
  };
}

function linkOf(body: unknown, { now }: Occasion): PayObject {
  const input = parseBody(linkInput, body);
  const lines = input.line_items.map((line, index): PayLine => {
    const subtotal = line.quantity * line.unit_amount;
    if (line.amount_discount > subtotal) {
      const field = `line_items.${index}.amount_discount`;
      const message = `${field} is more than the line`;
      throw new Failure('invalid', message, { problems: [{ field, code: 'Invalid', message }] });
    }
    const percent = Number(line.tax_rate?.split('_').at(-1) ?? 0);
    const tax = Math.round(((subtotal - line.amount_discount) * percent) / 100);
    return {
      id: newId('il'),
      object: 'line_item',
      item: line.item ?? null,
      tax_rate: line.tax_rate ?? null,
      description: line.description ?? null,
      quantity: line.quantity,
      unit_amount: line.unit_amount,
      amount_subtotal: subtotal,
      amount_discount: line.amount_discount,
      amount_tax: tax,
      amount_total: subtotal - line.amount_discount + tax,
      updated: seconds(now),
    };
  });
  const id = newId('plink');
  const own = {
    updated: seconds(now),
    active: input.active,
    url: `https://pay.lantern.example/${id}`,
    currency: input.currency,
    amount_total: lines.reduce((sum, line) => sum + line.amount_total, 0),
    description: input.description ?? null,
    line_items: listOf(lines),
  };
  return { id, object: 'payment_link', created: seconds(now), ...own, metadata: input.metadata };
}

function changedLink(body: unknown, before: PayObject, now: Date): PayObject {
  const change = Object.entries(parseBody(linkChange, body)).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(change), updated: seconds(now) } as PayObject;
}

/** `POST /{kind}`. */
export const create: ApiHandler = async (call) => {
  const kind = writableKind(kindOf(call));
  const body = await jsonBody(call);
  return performWrite(call, async (change) => {
    const occasion = { now: change.now, before: null };
    const object = kind === 'customers' ? customerOf(body, occasion) : linkOf(body, occasion);
    await change.insert(toStored(kind, object));
    await change.event(`${object.object}.created`, JSON.stringify(object));
    return written(kind, object, 'create');
  });
};

/** `POST /{kind}/{id}`: changes the given fields. */
export const update: ApiHandler = async (call) => {
  const kind = writableKind(kindOf(call));
  const body = await jsonBody(call);
  return performWrite(call, async (change) => {
    const before = await liveObject(change, kind, call.params['id']);
    const object =
      kind === 'customers'
        ? customerOf({ ...withoutIdentity(before), ...body }, { now: change.now, before })
        : changedLink(body, before, change.now);
    await change.update(toStored(kind, object));
    await change.event(`${object.object}.updated`, JSON.stringify(object));
    return written(kind, object, 'update');
  });
};

/** `DELETE /customers/{id}`. */
export const removeCustomer: ApiHandler = async (call) =>
  performWrite(call, async (change) => {
    const customer = await liveObject(change, 'customers', call.params['id']);
    const body = await removeObject(change, 'customers', customer.id);
    return { ...written('customers', customer, 'delete'), body };
  });

/** Deletes an object and adds an event for it. Returns the JSON of the deleted object. */
export async function removeObject(change: Change, kind: PayKind, id: string): Promise<string> {
  const rest = JSON.stringify({ id, object: PAY_KINDS[kind], deleted: true });
  await change.remove(kind, id);
  await change.event(`${PAY_KINDS[kind]}.deleted`, rest);
  return rest;
}

function writableKind(kind: PayKind): 'customers' | 'payment_links' {
  if (kind === 'customers' || kind === 'payment_links') return kind;
  throw new Failure('not-supported', `${kind} cannot be written`);
}

async function liveObject(change: Change, kind: PayKind, id = ''): Promise<PayObject> {
  const row = await change.find(kind, id);
  if (row) return JSON.parse(row.body) as PayObject;
  throw new Failure('not-found', `no such object: ${id}`);
}

function withoutIdentity({ id: _id, object: _object, created: _created, ...rest }: PayObject): object {
  return rest;
}

/** An object in the form in which it is stored. */
const toStored = (kind: PayKind, object: PayObject) => ({
  kind,
  id: object.id,
  body: JSON.stringify(object),
  marker: object.metadata['marker'] ?? null,
});

const written = (kind: PayKind, object: PayObject, operation: Written['operation']): Written => ({
  status: 200,
  body: JSON.stringify(object),
  kind,
  id: object.id,
  operation,
  marker: object.metadata['marker'] ?? null,
});
