import { type Customer, type Kept, type Line, type Order, type Product, type Variant } from './domain.js';
import { type Arguments, connectionOf } from './lists.js';
import { type ShopifyShop, totalsOf } from './shop.js';

/** A shop's objects as Shopify's types have them: functions take the arguments of a field. */
export type Wire = Readonly<Record<string, unknown>>;

const timeOf = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;

/** Amounts have at least one decimal and no zeros behind it. */
const amountOf = (text: string): string => text.replace(/(\.\d+?)0+$/, '$1');

export class Wires {
  constructor(private readonly shop: ShopifyShop) {}

  shopItself(): Wire {
    const { name, domain, currency, createdAt, updatedAt } = this.shop;
    return {
      ...this.#kept('Shop', { id: 61_000_000_001, createdAt, updatedAt }),
      name,
      url: 'https://harbour.example.com',
      contactEmail: 'hello@harbour.example.com',
      myshopifyDomain: domain,
      currencyCode: currency,
    };
  }

  order(order: Order): Wire {
    const { tax, discount, total } = totalsOf(order);
    const money = (amount: { toFixed(digits: number): string }) => this.#bag(amount.toFixed(2));
    return {
      ...this.#kept('Order', order),
      name: `#${order.number}`,
      number: order.number,
      note: order.note,
      poNumber: order.poNumber,
      cancelledAt: order.cancelledAt && timeOf(order.cancelledAt),
      closed: order.isClosed,
      currencyCode: this.shop.currency,
      taxesIncluded: order.isTaxed,
      displayFinancialStatus: order.status,
      customer: () => order.customer && this.customer(order.customer),
      totalPriceSet: money(total),
      totalTaxSet: money(tax),
      totalDiscountsSet: money(discount),
      totalOutstandingSet: this.#bag(order.outstanding),
      lineItems: (asked: Arguments) =>
        connectionOf(order.lines, asked, (line) => ({
          ...this.#line('LineItem', line),
          name: line.name,
          quantity: line.quantity,
          product: () => line.product && this.product(line.product),
          originalUnitPriceSet: this.#bag(line.price),
        })),
      shippingLines: (asked: Arguments) =>
        connectionOf(order.shipping, asked, (line) => ({
          ...this.#line('ShippingLine', line),
          title: line.name,
          originalPriceSet: this.#bag(line.price),
        })),
      shippingLine: () => {
        const [first] = order.shipping;
        return first ? { ...this.#line('ShippingLine', first), title: first.name } : null;
      },
      transactions: ({ first }: Arguments) =>
        order.transactions.slice(0, first ?? undefined).map((one) => ({
          __typename: 'OrderTransaction',
          id: `gid://shopify/OrderTransaction/${one.id}`,
          kind: one.kind,
          status: one.status,
          gateway: one.gateway,
          errorCode: one.errorCode,
          createdAt: timeOf(one.createdAt),
          amountSet: this.#bag(one.amount),
          fees: one.fees.map((fee) => ({ amount: this.#money(fee) })),
          paymentDetails: one.isCard ? { __typename: 'CardPaymentDetails', company: 'Visa' } : null,
        })),
      fulfillments: ({ first }: Arguments) =>
        order.parcels.slice(0, first ?? undefined).map((one) => ({
          ...this.#kept('Fulfillment', one),
          status: one.status,
          trackingInfo:
            one.number === null ? [] : [{ company: one.carrier, number: one.number, url: one.link }],
        })),
    };
  }

  customer(customer: Customer): Wire {
    const { address } = customer;
    return {
      ...this.#kept('Customer', customer),
      firstName: customer.firstName,
      lastName: customer.lastName,
      defaultEmailAddress: customer.email && { emailAddress: customer.email },
      defaultPhoneNumber: customer.phone && { phoneNumber: customer.phone },
      amountSpent: this.#money('0.0'),
      defaultAddress: address && {
        address1: address.street,
        address2: address.more,
        city: address.city,
        province: address.province,
        zip: address.zip,
        countryCodeV2: address.country,
        phone: address.phone,
      },
    };
  }

  product(product: Product): Wire {
    const { title, description, status } = product;
    return { ...this.#kept('Product', product), title, description, status };
  }

  variant(variant: Variant): Wire {
    return {
      ...this.#kept('ProductVariant', variant),
      displayName: variant.name,
      sku: variant.sku,
      inventoryQuantity: variant.quantity,
      product: () => this.product(variant.product),
      inventoryItem: { tracked: variant.isTracked },
    };
  }

  #kept(type: string, { id, createdAt, updatedAt }: Kept): Wire {
    return {
      __typename: type,
      id: `gid://shopify/${type}/${id}`,
      createdAt: timeOf(createdAt),
      updatedAt: timeOf(updatedAt),
    };
  }

  #line(type: string, { id, discounts, taxes }: Line): Wire {
    return {
      __typename: type,
      id: `gid://shopify/${type}/${id}`,
      discountAllocations: discounts.map((one) => ({ allocatedAmountSet: this.#bag(one) })),
      taxLines: taxes.map((one) => ({ title: 'VAT', priceSet: this.#bag(one) })),
    };
  }

  #money(amount: string): Wire {
    return { amount: amountOf(amount), currencyCode: this.shop.currency };
  }

  /** A customer may have paid in another currency. */
  #bag(amount: string): Wire {
    return { shopMoney: this.#money(amount), presentmentMoney: { amount: '1.0', currencyCode: 'USD' } };
  }
}
