import { type PlatformObject } from '../platform.js';
import { objectsIn, textOf, textsIn } from '../values/platform-values.js';
import { platformIdIn } from './kinds.js';
import { idOf } from './query.js';
import { isReceipt } from './receipts.js';

/** Where the amount is noted that a payment has left. */
export const LEFT = 'svc_left';
/** Where the name of a payment's method is noted. */
export const METHOD = 'svc_payment_method';

/** Another transaction that one is linked to. */
interface Link {
  readonly type: string;
  readonly id: string;
  /** `invoice:12` */
  readonly key: string;
}

export const linksIn = (object: PlatformObject): PlatformObject[] => objectsIn(object['LinkedTxn']);

/** The first transaction that an object is linked to. */
export function linkOf(object: PlatformObject): Link | null {
  const [link] = linksIn(object);
  const [type, id] = [textOf(link?.['TxnType']), textOf(link?.['TxnId'])];
  return type === null || id === null ? null : { type, id, key: `${type.toLowerCase()}:${id}` };
}

/** The ids of linked transactions of one type, of a document or its lines. */
export const linkedIds = (object: PlatformObject, type: string): string[] =>
  textsIn(
    [object, ...objectsIn(object['Line'])]
      .flatMap(linksIn)
      .filter(({ TxnType }) => TxnType === type)
      .map(({ TxnId }) => TxnId),
  );

/** The id of a part of a payment: `88:invoice:12`, or `88` for what is not applied; of a receipt's, its own. */
export function paymentIdOf(part: PlatformObject): string {
  if (isReceipt(part)) return platformIdIn(part);
  const [line] = objectsIn(part['Line']);
  const link = line && linkOf(line);
  return [idOf(part), ...(link ? [link.key] : [])].join(':');
}
