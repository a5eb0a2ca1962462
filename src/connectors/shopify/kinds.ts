import { CUSTOMER_FIELDS } from './mappers/customer.js';
import { FULFILLMENT_FIELDS } from './mappers/fulfillment.js';
import { LINE_FIELDS, ORDER_FIELDS, SHIPPING_FIELDS } from './mappers/order.js';
import { PRODUCT_FIELDS, VARIANT_FIELDS } from './mappers/product.js';
import { TRANSACTION_FIELDS } from './mappers/transaction.js';

/** A list within an object, of which a page of objects holds the beginning. */
export interface NestedList {
  readonly name: string;
  readonly fields: string;
  /** So many are read with the object. */
  readonly first: number;
  /** A connection has pages of its own; a plain list is only cut off. */
  readonly isConnection: boolean;
}

/** A list of the Admin API, and what is read of its objects. */
export interface ShopifyKind {
  readonly name: 'orders' | 'customers' | 'products' | 'productVariants';
  /** Type of its objects, also in their global ids. */
  readonly type: 'Order' | 'Customer' | 'Product' | 'ProductVariant';
  /** By last change, or by id where Shopify cannot order by that. */
  readonly sortKey: 'UPDATED_AT' | 'ID';
  /** Search terms for all that is read. */
  readonly terms: readonly string[];
  /** Besides `id` and `updatedAt`. */
  readonly fields: string;
  readonly nested: readonly NestedList[];
  /**
   * Objects in the first page: a single query may cost 1,000 points, at one for each object within it. Shopify then says
   * what it demands, which may be less: later pages are as long as that allows, up to `most`.
   */
  readonly first: number;
  readonly most: number;
}

/** How many objects a connection may have in one page. */
export const MAX_PAGE = 250;

export const orderKind: ShopifyKind = {
  name: 'orders',
  type: 'Order',
  sortKey: 'UPDATED_AT',
  terms: [],
  fields: ORDER_FIELDS,
  nested: [
    { name: 'lineItems', fields: LINE_FIELDS, first: 5, isConnection: true },
    { name: 'shippingLines', fields: SHIPPING_FIELDS, first: 1, isConnection: true },
  ],
  first: 10,
  most: 100,
};

const transactions: NestedList = {
  name: 'transactions',
  fields: TRANSACTION_FIELDS,
  first: 10,
  isConnection: false,
};
const fulfillments: NestedList = {
  name: 'fulfillments',
  fields: FULFILLMENT_FIELDS,
  first: 10,
  isConnection: false,
};

/** Orders, with what is paid of them. */
export const paidKind: ShopifyKind = {
  ...orderKind,
  fields: '',
  nested: [transactions],
  first: 12,
};

/** Orders, with their parcels. */
export const shippedKind: ShopifyKind = {
  ...orderKind,
  fields: 'shippingLine { title }',
  nested: [fulfillments],
  first: 30,
};

export const customerKind: ShopifyKind = {
  name: 'customers',
  type: 'Customer',
  sortKey: 'UPDATED_AT',
  terms: [],
  fields: CUSTOMER_FIELDS,
  nested: [],
  first: 150,
  most: MAX_PAGE,
};

export const productKind: ShopifyKind = {
  name: 'products',
  type: 'Product',
  sortKey: 'UPDATED_AT',
  // Without them there may be active ones only.
  terms: ['status:active,archived,draft,unlisted'],
  fields: PRODUCT_FIELDS,
  nested: [],
  first: MAX_PAGE,
  most: MAX_PAGE,
};

export const variantKind: ShopifyKind = {
  name: 'productVariants',
  type: 'ProductVariant',
  sortKey: 'ID',
  terms: [],
  fields: VARIANT_FIELDS,
  nested: [],
  first: MAX_PAGE,
  most: MAX_PAGE,
};

const PAGE_INFO = 'pageInfo { hasNextPage endCursor }';

const selectionOf = ({ name, fields, first, isConnection }: NestedList): string =>
  isConnection
    ? `${name}(first: ${first}) { nodes { ${fields} } ${PAGE_INFO} }`
    : `${name}(first: ${first}) { ${fields} }`;

const objectSelection = ({ fields, nested }: Pick<ShopifyKind, 'fields' | 'nested'>): string =>
  ['id updatedAt', fields, ...nested.map(selectionOf)].join(' ');

/** A page of a kind's list. */
export const listQuery = (kind: ShopifyKind): string => `
  query ($first: Int!, $after: String, $query: String) {
    ${kind.name}(first: $first, after: $after, query: $query, sortKey: ${kind.sortKey}) {
      nodes { ${objectSelection(kind)} }
      ${PAGE_INFO}
    }
  }`;

/** Objects by their ids. */
export const nodesQuery = (kind: ShopifyKind): string => `
  query ($ids: [ID!]!) { nodes(ids: $ids) { ... on ${kind.type} { ${objectSelection(kind)} } } }`;

/** The rest of a list within an object: a plain one is read again as a whole. */
export const nestedQuery = ({ type }: ShopifyKind, { name, fields, isConnection }: NestedList): string =>
  isConnection
    ? `query ($id: ID!, $after: String) {
        node(id: $id) { ... on ${type} { ${name}(first: 50, after: $after) { nodes { ${fields} } ${PAGE_INFO} } } }
      }`
    : `query ($id: ID!) { node(id: $id) { ... on ${type} { ${name} { ${fields} } } } }`;

/** A page of ids, with those of the lists within the objects. */
export const idsQuery = ({ name, terms, nested }: ShopifyKind): string => {
  const lists = nested.map((list) => selectionOf({ ...list, fields: 'id' }));
  const query = terms.length > 0 ? `, query: "${terms.join(' ')}"` : '';
  return `query ($first: Int!, $after: String) {
    ${name}(first: $first, after: $after, sortKey: ID${query}) { nodes { ${['id', ...lists].join(' ')} } ${PAGE_INFO} }
  }`;
};
