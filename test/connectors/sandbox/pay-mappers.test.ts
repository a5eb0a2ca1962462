import { describe, expect, test } from '@jest/globals';
import { LosslessNumber } from 'lossless-json';

import { toItem, toSubscription, toTaxRate } from '../../../src/connectors/sandbox/pay/mappers/catalog.js';
import { toCustomer } from '../../../src/connectors/sandbox/pay/mappers/customer.js';
import { toDispute } from '../../../src/connectors/sandbox/pay/mappers/dispute.js';
import { toInvoice } from '../../../src/connectors/sandbox/pay/mappers/invoice.js';
import { toBalance, toPayout, toTransaction } from '../../../src/connectors/sandbox/pay/mappers/ledger.js';
import { toOrder } from '../../../src/connectors/sandbox/pay/mappers/order.js';
import { toPaymentLink } from '../../../src/connectors/sandbox/pay/mappers/payment-link.js';
import { toPayment } from '../../../src/connectors/sandbox/pay/mappers/payment.js';
import { toRefund } from '../../../src/connectors/sandbox/pay/mappers/refund.js';
import {
  balance,
  CREATED_AT,
  customer,
  dispute,
  invoice,
  item,
  order,
  payment,
  paymentLink,
  payout,
  refund,
  subscription,
  taxRate,
  transaction,
} from './wire-pay.js';

const unifiedLine = (lineItemType: string, lineItemTypeId: string) => ({
  platformId: 'il_1',
  values: {
    lineItemType,
    lineItemTypeId,
    itemId: 'item_7003',
    taxId: 'txr_gst_18',
    description: 'Extra seat',
    quantity: '3',
    unitAmount: '12.50',
    subTotal: '37.50',
    totalDiscount: '0.00',
    taxAmount: '6.75',
    totalAmount: '44.25',
    updatedAt: CREATED_AT,
  },
});

test('a customer is read field by field', () => {
  expect(toCustomer(customer)).toEqual({
    platformId: 'cus_1',
    values: {
      name: 'Priya Nair',
      taxNumber: '82736451029',
      currencyId: 'INR',
      currencyCode: 'INR',
      createdAt: CREATED_AT,
    },
    lines: {
      externalLinks: [
        { platformId: null, values: { link: 'accounts@priya-nair.example', type: 'EMAIL' } },
        { platformId: null, values: { link: 'https://priya-nair.example', type: 'WEBSITE' } },
      ],
      phoneNumbers: [{ platformId: null, values: { number: '+61 491 570 123', type: 'MOBILE' } }],
      addresses: [
        {
          platformId: null,
          values: {
            dataModel: 'PAYMENT_CUSTOMERS',
            dataModelId: 'cus_1',
            type: 'BILLING',
            street: '12 Mill Lane',
            locality: 'Riverside',
            city: 'Mumbai',
            state: 'Maharashtra',
            pincode: '400001',
            country: 'India',
          },
        },
      ],
    },
  });
});

test('a customer without particulars has no lines', () => {
  const bare = { ...customer, email: null, website: null, phones: [], address: null };
  expect(toCustomer(bare).lines).toEqual({ externalLinks: [], phoneNumbers: [], addresses: [] });
});

describe('an invoice', () => {
  test('is read field by field', () => {
    expect(toInvoice(invoice)).toEqual({
      platformId: 'in_1',
      values: {
        contactId: 'cus_1',
        currencyId: 'INR',
        currencyCode: 'INR',
        documentNumber: 'LP-2001',
        postedDate: '2026-01-09',
        dueDate: '2026-01-23',
        status: 'SUBMITTED',
        subTotal: '37.50',
        totalDiscount: '0.00',
        taxAmount: '6.75',
        totalAmount: '44.25',
        amountDue: '44.25',
      },
      lines: { lineItems: [unifiedLine('PAYMENT_INVOICES', 'in_1')] },
    });
  });

  test.each([
    ['draft', 'DRAFT'],
    ['open', 'SUBMITTED'],
    ['part_paid', 'PARTIALLY_PAID'],
    ['paid', 'PAID'],
    ['overdue', 'OVERDUE'],
    ['void', 'VOID'],
    ['lost', 'UNKNOWN'],
  ])('in the status %s is %s', (status, unified) => {
    expect(toInvoice({ ...invoice, status }).values.status).toBe(unified);
  });

  test('whose lines are cut is refused: half of them would not add up', () => {
    const lines = { ...invoice.lines, has_more: true };
    expect(() => toInvoice({ ...invoice, lines })).toThrow('truncated the lines of in_1');
  });
});

describe('an amount in minor units', () => {
  const amount = (value: unknown, currency: string) =>
    toOrder({ ...order, amount: value, currency }).values.amount;

  test.each([
    [4425, 'inr', '44.25'],
    [5, 'aud', '0.05'],
    [50, 'aud', '0.50'],
    [0, 'aud', '0.00'],
    [-5, 'aud', '-0.05'],
    [4425, 'jpy', '4425'],
    [4425, 'kwd', '4.425'],
    [1, 'kwd', '0.001'],
    [new LosslessNumber('900719925474099301'), 'usd', '9007199254740993.01'],
    ['4425', 'usd', '44.25'],
    [44.25, 'usd', null],
    [null, 'usd', null],
    ['many', 'usd', null],
  ])('%s %s is %s', (value, currency, expected) => {
    expect(amount(value, currency)).toBe(expected);
  });

  test('without a currency is unknown', () => {
    expect(toOrder({ ...order, currency: null }).values.amount).toBeNull();
  });
});

describe('a time', () => {
  test.each([
    [1767603600, CREATED_AT],
    [0, '1970-01-01T00:00:00.000Z'],
    ['1767603600', CREATED_AT],
    [1.5, null],
    [-1, null],
    [1e15, null],
    [null, null],
  ])('of %p is %p', (created, createdAt) => {
    expect(toOrder({ ...order, created }).values.createdAt).toBe(createdAt);
  });
});

describe('an order', () => {
  test('is read field by field', () => {
    expect(toOrder(order)).toEqual({
      platformId: 'ord_1',
      values: {
        reference: 'WEB-5001',
        amount: '542.10',
        amountDue: '0.05',
        status: 'PAID',
        currencyId: 'AUD',
        currencyCode: 'AUD',
        createdAt: CREATED_AT,
      },
    });
  });

  test.each([
    ['created', 'CREATED'],
    ['attempted', 'ATTEMPTED'],
    ['paid', 'PAID'],
    ['canceled', 'CANCELLED'],
    ['lost', null],
  ])('in the status %s is %s', (status, unified) => {
    expect(toOrder({ ...order, status }).values.status).toBe(unified);
  });
});

describe('a payment link', () => {
  test('is read field by field', () => {
    expect(toPaymentLink(paymentLink)).toEqual({
      platformId: 'plink_1',
      values: {
        amount: '44.25',
        currencyId: 'AUD',
        currencyCode: 'AUD',
        description: 'Checkout 1: Extra seat',
        link: 'https://pay.lantern.example/plink_1',
        status: 'ACTIVE',
        createdAt: CREATED_AT,
        updatedAt: '2026-01-09T23:06:40.000Z',
      },
      lines: { lineItems: [unifiedLine('PAYMENT_PAYMENT_LINKS', 'plink_1')] },
    });
  });

  test.each([
    [true, 'ACTIVE'],
    [false, 'INACTIVE'],
    [null, null],
  ])('that is active: %s is %s', (active, status) => {
    expect(toPaymentLink({ ...paymentLink, active }).values.status).toBe(status);
  });
});

describe('a payment', () => {
  test('is read field by field', () => {
    expect(toPayment(payment)).toEqual({
      platformId: 'pay_1',
      values: {
        amount: '44.25',
        currencyId: 'INR',
        currencyCode: 'INR',
        customerId: 'cus_1',
        description: 'Hana Lindqvist, invoice in_1',
        invoiceId: 'in_1',
        orderId: null,
        paymentMethod: 'UPI',
        status: 'PAID',
        createdAt: CREATED_AT,
      },
    });
  });

  test.each([
    ['created', 'CREATED'],
    ['attempted', 'ATTEMPTED'],
    ['succeeded', 'PAID'],
    ['failed', 'FAILED'],
    ['lost', null],
  ])('in the status %s is %s', (status, unified) => {
    expect(toPayment({ ...payment, status }).values.status).toBe(unified);
  });

  test.each([
    ['card', 'CARD'],
    ['wallet', 'WALLET'],
    ['upi', 'UPI'],
    ['emi', 'EMI'],
    ['netbanking', 'NET_BANKING'],
    ['coins', null],
  ])('by %s is by %s', (type, method) => {
    expect(toPayment({ ...payment, method: { type } }).values.paymentMethod).toBe(method);
  });
});

const RUPEES = { currencyId: 'INR', currencyCode: 'INR' };

describe('a refund', () => {
  test('is read field by field', () => {
    expect(toRefund(refund)).toEqual({
      platformId: 're_1',
      values: {
        ...RUPEES,
        amount: '11.06',
        description: 'A part of it',
        status: 'SUCCESS',
        paymentId: 'pay_1',
        createdAt: CREATED_AT,
      },
    });
  });

  test.each([
    ['pending', 'PENDING'],
    ['failed', 'FAILED'],
    ['lost in the post', null],
  ])('that is %s is %s', (status, expected) => {
    expect(toRefund({ ...refund, status }).values.status).toBe(expected);
  });
});

describe('a dispute', () => {
  test('is read field by field', () => {
    expect(toDispute(dispute)).toEqual({
      platformId: 'dp_1',
      values: {
        ...RUPEES,
        amount: '44.25',
        reasonCode: 'fraudulent',
        reasonDescription: 'The payer does not know of the payment',
        status: 'OPEN',
        paymentId: 'pay_1',
        createdAt: CREATED_AT,
      },
    });
  });

  test.each([
    ['won', 'WON'],
    ['lost', 'LOST'],
    ['under_review', 'PENDING'],
    ['closed', 'CLOSED'],
    [undefined, null],
  ])('that is %s is %s', (status, expected) => {
    expect(toDispute({ ...dispute, status }).values.status).toBe(expected);
  });
});

describe('a payout', () => {
  test('is read field by field', () => {
    expect(toPayout(payout)).toEqual({
      platformId: 'po_1',
      values: {
        ...RUPEES,
        amount: '4196.50',
        description: 'Week to 2026-02-09',
        status: 'CREATED',
        createdAt: CREATED_AT,
      },
    });
  });

  test.each([
    ['paid', 'SUCCESS'],
    ['failed', 'FAILED'],
    ['', null],
  ])('that is %s is %s', (status, expected) => {
    expect(toPayout({ ...payout, status }).values.status).toBe(expected);
  });
});

test('a movement on the balance is read field by field, below zero where it leaves', () => {
  expect(toTransaction(transaction)).toEqual({
    platformId: 'txn_1',
    values: {
      ...RUPEES,
      amount: '-1.28',
      type: 'FEE',
      description: 'Fee in INR',
      status: 'AVAILABLE',
      source: 'pay_1',
      payoutId: 'po_1',
      createdAt: CREATED_AT,
    },
  });
});

describe('a balance', () => {
  test('is added up from what is available and what is pending', () => {
    expect(toBalance(balance)).toEqual({
      platformId: 'bal_1',
      values: { ...RUPEES, totalBalance: '886.60', availableBalance: '902.10', pendingBalance: '-15.50' },
    });
  });

  test('that lacks a part has no total', () => {
    expect(toBalance({ ...balance, pending: null }).values).toMatchObject({
      totalBalance: null,
      availableBalance: '902.10',
      pendingBalance: null,
    });
  });

  test('in a currency without minor units is whole', () => {
    expect(toBalance({ ...balance, currency: 'jpy' }).values.totalBalance).toBe('88660');
  });

  test('adds up every digit', () => {
    const available = new LosslessNumber('900719925474099300000001');
    expect(toBalance({ ...balance, available, pending: 2 }).values.totalBalance).toBe(
      '9007199254740993000000.03',
    );
  });
});

describe('an item', () => {
  test('is read field by field', () => {
    expect(toItem(item)).toEqual({
      platformId: 'item_7003',
      values: {
        name: 'Extra seat',
        description: 'Extra seat, priced by itself',
        code: 'P-7003',
        unitPrice: '12.50',
        currencyId: 'AUD',
        currencyCode: 'AUD',
        status: 'ACTIVE',
        createdAt: CREATED_AT,
        updatedAt: CREATED_AT,
      },
    });
  });

  test.each([
    [false, 'ARCHIVED'],
    ['yes', 'UNKNOWN'],
  ])('whose `active` is %s is %s', (active, expected) => {
    expect(toItem({ ...item, active }).values.status).toBe(expected);
  });
});

test('a tax rate is read field by field', () => {
  expect(toTaxRate(taxRate)).toEqual({
    platformId: 'txr_gst_18',
    values: {
      name: 'GST 18%',
      description: 'Goods and services tax of 18 percent',
      rate: '18',
      createdAt: CREATED_AT,
      updatedAt: CREATED_AT,
    },
  });
});

test('a subscription is read field by field, and ends only where it was ended', () => {
  expect(toSubscription(subscription)).toEqual({
    platformId: 'sub_1',
    values: {
      ...RUPEES,
      description: 'Monthly plan',
      status: 'CANCELLED',
      contactId: 'cus_1',
      paymentMethod: 'UPI',
      currentStart: CREATED_AT,
      currentEnd: '2026-02-04T09:00:00.000Z',
      expireBy: '2026-02-04T09:00:00.000Z',
      createdAt: CREATED_AT,
    },
  });
  expect(toSubscription({ ...subscription, cancel_at: null }).values.expireBy).toBeNull();
});
