import { type RecordDefinition, ecommerceCustomer, ecommerceProduct } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { choice, itemOf } from '../../../inputs/fields.js';
import { partsOfName, shopCustomerShape, shopProductShape } from '../../../inputs/shop.js';
import { objectOf, textOf } from '../../../values/platform-values.js';
import { listOf } from '../../../values/required-values.js';
import { bodyOf, type PushResource, type PushScheme, type WriteForm, writeForm } from '../../../push.js';
import { SHOP_TITLE } from '../client.js';
import { type FieldNames, refusalOf } from './refusal.js';

interface ShopPush {
  readonly definition: RecordDefinition;
  /** Shop's names for the kind: of its list, and of a single object. */
  readonly list: string;
  readonly object: string;
  readonly create: WriteForm;
  /** Our field names by Shop's. */
  readonly names: FieldNames;
}

/** A kind that can be created at Shop, and found again by its first tag. */
function shopPush({ definition, list, object, create, names }: ShopPush): PushResource {
  return {
    definition,
    create,
    update: null,
    reads: [],
    written: (answer) => objectOf(answer[object]),
    find: async (client, { marker }) => {
      const answer = await client.get(`/${list}.json`, { query: { tag: marker } });
      return listOf(SHOP_TITLE, answer, list)[0] ?? null;
    },
    refusal: (answer) => refusalOf(answer, names),
  };
}

/** A body with the marker as first tag. */
const taggedBody = (
  extra: PlatformObject | undefined,
  fields: PlatformObject,
  marker: string,
): PlatformObject => ({ ...bodyOf(extra, fields), tags: tagsOf(extra?.['tags'], marker) });

/** Tags of another type are sent unchanged, so that Shop can refuse them. */
function tagsOf(tags: unknown, marker: string): unknown {
  if (tags === undefined || tags === null || tags === '') return marker;
  const text = textOf(tags);
  return text === null ? tags : `${marker}, ${text}`;
}

const customerItem = itemOf(shopCustomerShape);
const customer = shopPush({
  definition: ecommerceCustomer,
  list: 'customers',
  object: 'customer',
  create: writeForm(customerItem, ({ name, email, phone, address, raw_data }, { marker }) => {
    const { first, last } = partsOfName(name);
    const fields = {
      ...{ first_name: first, last_name: last, email, phone },
      default_address: address && {
        address1: address.street,
        address2: address.locality,
        city: address.city,
        province: address.state,
        zip: address.pincode,
        country: address.country,
      },
    };
    return {
      method: 'POST',
      path: '/customers.json',
      body: { customer: taggedBody(raw_data, fields, marker) },
    };
  }),
  names: {
    first_name: 'name',
    last_name: 'name',
    default_address: 'address',
    address1: 'street',
    address2: 'locality',
    province: 'state',
    zip: 'pincode',
  },
});

const PRODUCT_STATES = { ACTIVE: 'active', ARCHIVED: 'archived' } as const;
const productItem = itemOf({ ...shopProductShape, status: choice(['ACTIVE', 'ARCHIVED']) }, ['name']);
const product = shopPush({
  definition: ecommerceProduct,
  list: 'products',
  object: 'product',
  create: writeForm(productItem, ({ name, description, status, raw_data }, { marker }) => {
    const fields = { title: name, body_text: description, status: status && PRODUCT_STATES[status] };
    return {
      method: 'POST',
      path: '/products.json',
      body: { product: taggedBody(raw_data, fields, marker) },
    };
  }),
  names: { title: 'name', body_text: 'description' },
});

/** Supported writes. Shop executes each key at most once within a day, and finds created objects by their tag. */
export const shopPushes: PushScheme = {
  idempotencyKey: { in: 'header', name: 'idempotency-key', hours: 24 },
  resources: [customer, product],
};
