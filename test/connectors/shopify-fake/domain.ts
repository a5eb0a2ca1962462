/** What a shop keeps of everything; amounts are decimals as text, in its own currency. */
export interface Kept {
  readonly id: number;
  readonly createdAt: Date;
  /** In whole seconds. */
  updatedAt: Date;
}

export interface Customer extends Kept {
  firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: Address | null;
}

export interface Address {
  readonly street: string;
  readonly more: string | null;
  readonly city: string;
  readonly province: string | null;
  readonly zip: string;
  readonly country: string;
  readonly phone: string | null;
}

export interface Product extends Kept {
  title: string;
  readonly description: string;
  status: 'ACTIVE' | 'ARCHIVED' | 'DRAFT' | 'UNLISTED';
}

export interface Variant extends Kept {
  readonly product: Product;
  readonly name: string;
  readonly sku: string | null;
  quantity: number;
  readonly isTracked: boolean;
}

export interface Line {
  readonly id: number;
  readonly name: string;
  readonly product: Product | null;
  readonly quantity: number;
  readonly price: string;
  readonly discounts: readonly string[];
  readonly taxes: readonly string[];
}

export interface Transaction {
  readonly id: number;
  readonly kind: 'AUTHORIZATION' | 'CAPTURE' | 'REFUND' | 'SALE' | 'VOID';
  readonly status: 'SUCCESS' | 'FAILURE' | 'PENDING';
  readonly gateway: string;
  readonly isCard: boolean;
  readonly errorCode: 'CARD_DECLINED' | null;
  readonly amount: string;
  readonly fees: readonly string[];
  readonly createdAt: Date;
}

export interface Parcel {
  readonly id: number;
  status: 'SUCCESS' | 'CANCELLED';
  readonly carrier: string | null;
  readonly number: string | null;
  readonly link: string | null;
  readonly createdAt: Date;
  updatedAt: Date;
}

export interface Order extends Kept {
  readonly number: number;
  readonly customer: Customer | null;
  readonly lines: readonly Line[];
  readonly shipping: readonly Line[];
  /** Whether prices include tax. */
  readonly isTaxed: boolean;
  /** A tip, of which no line tells. */
  readonly tip: string;
  readonly transactions: Transaction[];
  readonly parcels: Parcel[];
  note: string | null;
  readonly poNumber: string | null;
  cancelledAt: Date | null;
  readonly isClosed: boolean;
  readonly status: 'PAID' | 'PENDING' | 'REFUNDED' | 'PARTIALLY_PAID';
  readonly outstanding: string;
}
