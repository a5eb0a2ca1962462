import { z } from 'zod';
import { Failure } from '../failure.js';
import { parseBody } from '../gate/parse-body.js';
import type { ApiHandler } from '../gate/platform-api.js';
import { performWrite, type Written } from '../gate/write.js';
import { jsonBody } from '../http/call.js';
import type { Change } from '../store/change.js';
import { findByParent } from '../store/objects.js';
import { numericId } from '../world/ids.js';
import { gid, PARTS_OF_ORDERS, SHOP_KINDS, type ShopKind, type ShopObject, shopTime } from './objects.js';
import { kindOf, singular } from './read.js';
import { takeBack } from './take-back.js';

const text = z.string().max(500);
const optional = text.nullish();
const addressInput = z
  .strictObject({
    ...{ address1: text, address2: text, city: text },
    ...{ province: text, zip: text, country: text },
  })
  .partial();
const customerInput = z
  .strictObject({
    ...{ first_name: optional, last_name: optional, email: z.email().nullish() },
    ...{ phone: optional, note: optional, tags: text.default('') },
    default_address: addressInput.nullish(),
  })
  .refine(({ first_name, last_name, email }) => Boolean(first_name ?? last_name ?? email), {
    path: ['email'],
    message: 'a name or an email is needed',
  });
const productInput = z.strictObject({
  title: text.min(1),
  body_text: optional,
  status: z.enum(['active', 'archived']).default('active'),
  tags: text.default(''),
});
const orderInput = z
  .strictObject({
    note: optional,
    tags: text,
    note_attributes: z.array(z.strictObject({ name: text, value: text })).max(50),
  })
  .partial();

/** Input schema and fields set by the shop, by kind that can be created. */
const CREATED = {
  customers: { input: customerInput, own: { state: 'enabled', currency: 'AUD' } },
  products: { input: productInput, own: {} },
} as const;

const isCreated = (kind: ShopKind): kind is keyof typeof CREATED => Object.hasOwn(CREATED, kind);

/** `POST /customers.json` and `POST /products.json`. */
export const create: ApiHandler = async (call) => {
  const kind = kindOf(call);
  if (!isCreated(kind)) throw new Failure('not-supported', `${kind} cannot be created`);
  const { [singular(kind)]: body } = await jsonBody(call);
  return performWrite(call, async (change) => {
    const { input, own } = CREATED[kind];
    const given = parseBody(input, body ?? {}, singular(kind));
    const time = shopTime(change.now);
    const { rows } = await change.client.query<{ positions: number }>(
      'SELECT positions FROM kinds WHERE account = $1 AND kind = $2',
      [change.account, kind],
    );
    const number = numericId(call.caller.account.id, `${kind}/written/${rows[0]?.positions ?? 0}`);
    const id = gid(SHOP_KINDS[kind], number);
    const object = { id, ...given, ...own, created_at: time, updated_at: time };
    await change.insert(toStored(kind, object));
    return written(kind, object, 'create');
  });
};

/** `PUT /customers/{number}.json` and `PUT /orders/{number}.json`. */
export const update: ApiHandler = async (call) => {
  const kind = kindOf(call);
  if (kind !== 'orders' && kind !== 'customers') {
    throw new Failure('not-supported', `${kind} cannot be changed`);
  }
  const { [singular(kind)]: body } = await jsonBody(call);
  return performWrite(call, async (change) => {
    const id = gid(SHOP_KINDS[kind], call.params['number'] ?? '');
    const row = await change.find(kind, id);
    if (!row) throw new Failure('not-found', `there is no ${id}`);
    const before = JSON.parse(row.body) as ShopObject;
    const input =
      kind === 'customers'
        ? parseBody(customerInput, { ...changeable(before), ...(body as object | undefined) }, 'customer')
        : parseBody(orderInput, body ?? {}, 'order');
    const object = { ...before, ...input, updated_at: shopTime(change.now) } as ShopObject;
    await change.update({ ...toStored(kind, object), parent: row.parent ?? null });
    return written(kind, object, 'update');
  });
};

/** The fields of a customer that a caller may set, as they are now. */
const changeable = (customer: ShopObject): object =>
  Object.fromEntries(Object.entries(customer).filter(([name]) => name in customerInput.shape));

/** Deletes an object and adds it to the feed of deletions. Deleting an order also deletes its parts. */
export async function removeObject(change: Change, kind: ShopKind, id: string): Promise<void> {
  const row = await change.find(kind, id);
  if (row) await takeBack(change, kind, row.body);
  await change.remove(kind, id);
  await change.deletion(kind, id);
  if (kind !== 'orders') return;
  for (const part of PARTS_OF_ORDERS) {
    for (const object of await findByParent(change.client, change.account, part, id)) {
      await removeObject(change, part, object.id);
    }
  }
}

/** The marker by which a caller can find an object again: its first tag. */
function markerOf({ tags }: ShopObject): string | null {
  const [first = ''] = (tags ?? '').split(',');
  return first.trim() === '' ? null : first.trim();
}

/** An object in the form in which it is stored. */
const toStored = (kind: ShopKind, object: ShopObject) => ({
  kind,
  id: object.id,
  body: JSON.stringify(object),
  marker: markerOf(object),
});

const written = (kind: ShopKind, object: ShopObject, operation: Written['operation']): Written => ({
  status: operation === 'create' ? 201 : 200,
  body: JSON.stringify({ [singular(kind)]: object }),
  kind,
  id: object.id,
  operation,
  marker: markerOf(object),
});
