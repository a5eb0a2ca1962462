import { Decimal } from 'decimal.js';
import type { Change } from '../store/change.js';
import { findByNumber } from '../store/objects.js';
import { money, sum } from '../world/money.js';
import { type MoneySet, type ShopKind, type ShopObject, shopTime } from './objects.js';

interface Order {
  readonly fulfillment_status: string | null;
  readonly line_items: readonly { readonly product_id: string; readonly quantity: number }[];
}

interface Transaction {
  readonly kind: string;
  readonly amount_set: MoneySet;
  readonly fees: readonly { readonly amount_set: MoneySet }[];
}

type InventoryLevel = ShopObject & { readonly available: number };
type Balance = ShopObject & { readonly amount: string };

/** Reverses the effect of a deleted object on stock and balance. */
export async function takeBack(change: Change, kind: ShopKind, body: string): Promise<void> {
  if (kind === 'orders') await returnGoods(change, JSON.parse(body) as Order);
  if (kind === 'transactions') await returnMoney(change, JSON.parse(body) as Transaction);
}

async function returnGoods(change: Change, { fulfillment_status, line_items }: Order): Promise<void> {
  if (fulfillment_status !== 'fulfilled') return;
  const returned = new Map<string, number>();
  for (const { product_id, quantity } of line_items) {
    returned.set(product_id, quantity + (returned.get(product_id) ?? 0));
  }
  for (const [product, count] of returned) {
    await adjust<InventoryLevel>(change, 'inventory_levels', product, (level) => ({
      available: level.available + count,
    }));
  }
}

async function returnMoney(change: Change, { kind, amount_set, fees }: Transaction): Promise<void> {
  const { amount, currency_code } = amount_set.shop_money;
  const paid = sum(fees.map((fee) => fee.amount_set.shop_money.amount));
  const moved = new Decimal(kind === 'refund' ? `-${amount}` : amount).minus(paid);
  await adjust<Balance>(change, 'balances', currency_code, (balance) => ({
    amount: money(new Decimal(balance.amount).minus(moved)),
  }));
}

/** Changes the object of a kind that has this number: the product for a stock level, the currency for a balance. */
async function adjust<One extends ShopObject>(
  change: Change,
  kind: ShopKind,
  number: string,
  changed: (object: One) => Partial<One>,
): Promise<void> {
  const row = await findByNumber(change.client, change.account, kind, number);
  if (!row) return;
  const before = JSON.parse(row.body) as One;
  const object = { ...before, ...changed(before), updated_at: shopTime(change.now) };
  await change.update({ ...row, body: JSON.stringify(object) });
}
