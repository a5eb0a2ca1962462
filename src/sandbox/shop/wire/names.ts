import type { ShopKind, ShopObject } from '../objects.js';

/** Translates ids of the world to those of one shop. */
export interface ShopNames {
  readonly id: (kind: ShopKind, id: string) => string;
  readonly lineId: (id: string) => string;
}

/** An object that belongs to an order. */
export interface PartOfOrder extends ShopObject {
  readonly order_id: string;
}
