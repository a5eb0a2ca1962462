import { type UnifiedLine, type UnifiedRecord } from '../../../../src/connectors/pull.js';
import { type StripeAccount } from '../account.js';
import { taxIdsOf } from '../parts.js';
import { idOf } from '../wire.js';
import { amountOf, currencyOf, lineRecord, record, textOf, timeOf } from './values.js';

type Address = Readonly<
  Record<'line1' | 'line2' | 'city' | 'state' | 'postal_code' | 'country', string | null>
>;

const addressLine = (
  dataModelId: string,
  type: string,
  address: Address | null | undefined,
): UnifiedLine[] =>
  address
    ? [
        lineRecord(null, {
          dataModel: 'PAYMENT_CUSTOMERS',
          dataModelId,
          type,
          street: address.line1,
          locality: address.line2,
          city: address.city,
          state: address.state,
          pincode: address.postal_code,
          country: address.country,
        }),
      ]
    : [];

export const customersOf = (account: StripeAccount): UnifiedRecord[] =>
  account.customers.values().map(({ id, name, currency, created, email, phone, address, shipping }) =>
    record(
      id,
      {
        name,
        taxNumber: taxIdsOf(account, id).data[0]?.value ?? null,
        ...currencyOf(currency),
        createdAt: timeOf(created),
      },
      {
        externalLinks: email === null ? [] : [lineRecord(null, { type: 'EMAIL', link: email })],
        phoneNumbers: phone ? [lineRecord(null, { number: phone, type: null })] : [],
        addresses: [
          ...addressLine(id, 'BILLING', address),
          ...addressLine(id, 'SHIPPING', shipping?.address),
        ],
      },
    ),
  );

export const itemsOf = (account: StripeAccount): UnifiedRecord[] =>
  account.products.values().map(({ id, name, description, active, created, updated, default_price }) => {
    const price = account.prices.get(idOf(default_price));
    return record(id, {
      name,
      description,
      code: null,
      unitPrice: price && amountOf(price.unit_amount_decimal, price.currency),
      ...currencyOf(price?.currency),
      status: active ? 'ACTIVE' : 'ARCHIVED',
      createdAt: timeOf(created),
      updatedAt: timeOf(updated),
    });
  });

export const taxRatesOf = (account: StripeAccount): UnifiedRecord[] =>
  account.taxRates.values().map(({ id, display_name, description, percentage, created }) =>
    record(id, {
      name: display_name,
      description,
      rate: textOf(percentage),
      createdAt: timeOf(created),
      updatedAt: null,
    }),
  );
