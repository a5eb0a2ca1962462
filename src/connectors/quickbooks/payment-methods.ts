import { type PlatformClient, type PlatformObject } from '../platform.js';
import { nullIfRefused } from '../client/platform-errors.js';
import { withContext } from '../values/platform-json.js';
import { objectOf, textOf } from '../values/platform-values.js';
import { listOfNames } from './kinds.js';
import { METHOD } from './links.js';
import { allOf } from './numbered.js';
import { idOf } from './query.js';

/** Notes in a payment the name of its method. */
export type Noter = (payment: PlatformObject) => Promise<PlatformObject>;

type Names = ReadonlyMap<string, string | null>;

/** Notes in payments the names of their methods, to which they refer by Id alone. The list is read for the first of them. */
export function methodNoter(client: PlatformClient): Noter {
  let names: Promise<Names> | undefined;
  return async (payment) => {
    const id = textOf(objectOf(payment['PaymentMethodRef'])?.['value']);
    if (id === null) return payment;
    names ??= methodNames(client);
    return withContext(payment, { [METHOD]: (await names).get(id) ?? null });
  };
}

async function methodNames(client: PlatformClient): Promise<Names> {
  const methods = await allOf(listOfNames('PaymentMethod'), client).catch(nullIfRefused);
  return new Map((methods ?? []).map((method) => [idOf(method), textOf(method['Name'])]));
}
