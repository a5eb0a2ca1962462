import type { PlatformHooks } from '../hooks.js';
import { eventsIn, isSigned } from '../hook-signature.js';
import { objectOf, textOf } from '../values/platform-values.js';
import { isGuid } from './guid.js';
import { billCreditNotes, bills, contacts, invoiceCreditNotes, invoices } from './resources/trade.js';

const namesOf = (...resources: readonly { readonly definition: { readonly dataModel: string } }[]) =>
  resources.map(({ definition }) => definition.dataModel);

/** Record types by event category. Invoice events do not tell sales from purchases; a credit note may have changed its type. */
const DATA_MODELS: Readonly<Record<string, readonly string[]>> = {
  CONTACT: namesOf(contacts),
  INVOICE: namesOf(invoices, bills),
  CREDITNOTE: namesOf(invoiceCreditNotes, billCreditNotes),
};

/**
 * Xero's webhooks, signed with a base64 HMAC-SHA256 of the body and the app's webhooks key. The request with which Xero
 * tests the signature check has no events.
 */
export const xeroHooks: PlatformHooks = {
  dataModels: Object.values(DATA_MODELS).flat(),
  read: ({ headers, body, secret }) => {
    const given = Buffer.from(textOf(headers['x-xero-signature']) ?? '', 'base64');
    if (!isSigned(body, secret, given)) return null;
    return eventsIn(body).flatMap((one) => {
      const event = objectOf(one) ?? {};
      const externalAccountId = textOf(event['tenantId']);
      const dataModels = DATA_MODELS[textOf(event['eventCategory']) ?? ''];
      if (externalAccountId === null || !dataModels) return [];
      const id = textOf(event['resourceId']) ?? '';
      return [{ externalAccountId, dataModels, platformId: isGuid(id) ? id.toLowerCase() : null }];
    });
  },
};
