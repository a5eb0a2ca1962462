import { z } from 'zod';
import { Failure } from '../failure.js';
import { parseBody } from '../gate/parse-body.js';
import type { ApiHandler } from '../gate/platform-api.js';
import { performWrite, type Written } from '../gate/write.js';
import { jsonBody } from '../http/call.js';
import type { Change } from '../store/change.js';
import { findByParent } from '../store/objects.js';
import { numericId } from '../world/ids.js';
import { gid, SHOP_KINDS, type ShopKind, type ShopObject, shopTime } from './objects.js';
import { kindOf, singular } from './read.js';

const text = z.string().max(500);
const optional = text.nullish();
const customerInput = z
  .strictObject({
    ...{ first_name: optional, last_name: optional, email: z.email().nullish() },
    ...{ phone: optional, note: optional, tags: text.default('') },
  })
  .refine(({ first_name, last_name, email }) => Boolean(first_name ?? last_name ?? email), {
    path: ['email'],
    message: 'a name or an email is needed',
  });
const orderInput = z
  .strictObject({
    note: optional,
    tags: text,
    note_attributes: z.array(z.strictObject({ name: text, value: text })).max(50),
  })
  .partial();

/** `POST /customers.json`. */
export const createCustomer: ApiHandler = async (call) => {
  const { customer } = await jsonBody(call);
  return performWrite(call, async (change) => {
    const input = parseBody(customerInput, customer ?? {}, 'customer');
    const time = shopTime(change.now);
    const { rows } = await change.client.query<{ positions: number }>(
      `SELECT positions FROM kinds WHERE account = $1 AND kind = 'customers'`,
      [change.account],
    );
    const number = numericId(call.caller.account.id, `written/${rows[0]?.positions ?? 0}`);
    const object = { id: gid('Customer', number), ...input, created_at: time, updated_at: time };
    await change.insert(toStored('customers', object));
    return written('customers', object, 'create');
  });
};

/** `PUT /customers/{number}.json` and `PUT /orders/{number}.json`. */
export const update: ApiHandler = async (call) => {
  const kind = kindOf(call);
  if (kind === 'transactions') throw new Failure('not-supported', 'transactions cannot be changed');
  const { [singular(kind)]: body } = await jsonBody(call);
  return performWrite(call, async (change) => {
    const id = gid(SHOP_KINDS[kind], call.params['number'] ?? '');
    const row = await change.find(kind, id);
    if (!row) throw new Failure('not-found', `there is no ${id}`);
    const before = JSON.parse(row.body) as ShopObject;
    const { id: _id, created_at: _created, updated_at: _updated, ...rest } = before;
    const input =
      kind === 'customers'
        ? parseBody(customerInput, { ...rest, ...(body as object | undefined) }, 'customer')
        : parseBody(orderInput, body ?? {}, 'order');
    const object = { ...before, ...input, updated_at: shopTime(change.now) } as ShopObject;
    await change.update({ ...toStored(kind, object), parent: row.parent ?? null });
    return written(kind, object, 'update');
  });
};

/** Makes an order and its transactions, or another object, vanish; the feed of deletions tells of each. */
export async function removeObject(change: Change, kind: ShopKind, id: string): Promise<void> {
  await change.remove(kind, id);
  await change.deletion(kind, id);
  if (kind !== 'orders') return;
  for (const transaction of await findByParent(change.client, change.account, 'transactions', id)) {
    await removeObject(change, 'transactions', transaction.id);
  }
}

/** What a caller can find an object by again: its first tag. */
function markerOf({ tags }: ShopObject): string | null {
  const [first = ''] = (tags ?? '').split(',');
  return first.trim() === '' ? null : first.trim();
}

/** An object as it is stored. */
export const toStored = (kind: ShopKind, object: ShopObject) => ({
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
