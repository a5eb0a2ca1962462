import type { PlatformHooks } from '../connector.js';
import { eventsIn, isSigned } from '../hook-signature.js';
import { objectOf, textOf } from '../platform-values.js';
import { isGuid } from './guid.js';
import { billCreditNotes, bills, contacts, invoiceCreditNotes, invoices } from './resources/trade.js';

const namesOf = (...resources: readonly { readonly definition: { readonly dataModel: string } }[]) =>
  resources.map(({ definition }) => definition.dataModel);

/** By category of event. Invoices do not say whether they are sales or purchases; a credit note may have become the other. */
const DATA_MODELS: Readonly<Record<string, readonly string[]>> = {
  CONTACT: namesOf(contacts),
  INVOICE: namesOf(invoices, bills),
  CREDITNOTE: namesOf(invoiceCreditNotes, billCreditNotes),
};

/**
 * Xero's webhooks: an HMAC-SHA256 of the body, in base64, with the webhooks key of the app. There are no events in the
 * request by which Xero tries whether signatures are checked.
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
