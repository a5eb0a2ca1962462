import { type StripeAccount } from './account.js';
import { oldShape } from './old-shapes.js';

/** That of the account: events are shown in it, whatever version a call names. */
const EVENTS_VERSION = '2024-06-20';

/** Says that something happened to an object, and how it was then. */
export function note(
  account: StripeAccount,
  type: string,
  object: { readonly id: string },
  at = account.time,
): void {
  account.events.add(
    {
      id: account.newId('evt'),
      object: 'event',
      api_version: EVENTS_VERSION,
      created: at,
      data: {
        object: oldShape(account, object),
        ...(type.endsWith('.updated') ? { previous_attributes: { metadata: {} } } : {}),
      },
      livemode: true,
      pending_webhooks: 0,
      request: { id: null, idempotency_key: null },
      type,
    },
    at,
  );
}
