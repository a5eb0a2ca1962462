import { type payment } from '../../../records/index.js';
import { type PAYMENT_METHODS, type PAYMENT_STATUSES } from '../../../records/value-sets.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { currencyCodeOf, objectOf, textOf } from '../../values/platform-values.js';
import { instantOfSeconds } from '../../values/times.js';
import { INVOICE } from '../invoice-ids.js';
import { idOf } from './id.js';
import { amountOf } from './money.js';

type Status = (typeof PAYMENT_STATUSES)[number];
type Method = (typeof PAYMENT_METHODS)[number];

const INTENT_STATUSES: ReadonlyMap<unknown, Status> = new Map([
  ['requires_payment_method', 'CREATED'],
  ['requires_confirmation', 'CREATED'],
  ['requires_action', 'ATTEMPTED'],
  ['requires_capture', 'ATTEMPTED'],
  ['processing', 'ATTEMPTED'],
  ['succeeded', 'PAID'],
  ['canceled', 'FAILED'],
]);

const CHARGE_STATUSES: ReadonlyMap<unknown, Status> = new Map([
  ['pending', 'ATTEMPTED'],
  ['succeeded', 'PAID'],
  ['failed', 'FAILED'],
]);

const METHODS: ReadonlyMap<unknown, Method> = new Map<string, Method>([
  ['upi', 'UPI'],
  ...['card', 'card_present', 'interac_present', 'kr_card'].map((type) => [type, 'CARD'] as const),
  ...['bancontact', 'eps', 'fpx', 'giropay', 'ideal', 'netbanking', 'p24', 'pay_by_bank', 'sofort'].map(
    (type) => [type, 'NET_BANKING'] as const,
  ),
  ...[
    'alipay',
    'amazon_pay',
    'cashapp',
    'grabpay',
    'kakao_pay',
    'link',
    'mb_way',
    'mobilepay',
    'naver_pay',
    'payco',
    'paypal',
    'paypay',
    'revolut_pay',
    'samsung_pay',
    'satispay',
    'wechat_pay',
  ].map((type) => [type, 'WALLET'] as const),
]);

/** A payment intent; or a charge that was made without one, which a charge of an intent is not. */
export function toPayment(object: PlatformObject): UnifiedRecord<typeof payment> | null {
  const isCharge = object['object'] === 'charge';
  if (isCharge && textOf(object['payment_intent']) !== null) return null;
  const currency = currencyCodeOf(object['currency']);
  const charge = isCharge ? object : objectOf(object['latest_charge']);
  return {
    platformId: idOf(object),
    values: {
      amount: amountOf(paidOf(object) ?? object['amount'], currency),
      currencyId: currency,
      currencyCode: currency,
      customerId: textOf(object['customer']),
      description: textOf(object['description']),
      invoiceId: textOf(object[INVOICE]),
      orderId: textOf(objectOf(object['metadata'])?.['order_id']),
      paymentMethod: methodOf(objectOf(charge?.['payment_method_details'])),
      status: isCharge ? chargeStatusOf(object) : intentStatusOf(object),
      createdAt: instantOfSeconds(object['created']),
    },
  };
}

/** What was paid, where it may be a part of what was authorised. */
function paidOf(object: PlatformObject): unknown {
  if (object['status'] !== 'succeeded' || object['captured'] === false) return null;
  return object['object'] === 'charge' ? object['amount_captured'] : object['amount_received'];
}

function methodOf(details: PlatformObject | null): Method | null {
  const type = textOf(details?.['type']) ?? '';
  const method = METHODS.get(type) ?? null;
  const hasWallet = objectOf(objectOf(details?.[type])?.['wallet']) !== null;
  return method === 'CARD' && hasWallet ? 'WALLET' : method;
}

/** After a payment that failed, an intent waits for another method. */
function intentStatusOf(intent: PlatformObject): Status | null {
  const status = INTENT_STATUSES.get(intent['status']) ?? null;
  const hasFailed = intent['status'] === 'requires_payment_method' && objectOf(intent['last_payment_error']);
  return hasFailed ? 'ATTEMPTED' : status;
}

function chargeStatusOf(charge: PlatformObject): Status | null {
  const status = CHARGE_STATUSES.get(charge['status']) ?? null;
  return status === 'PAID' && charge['captured'] === false ? 'ATTEMPTED' : status;
}
