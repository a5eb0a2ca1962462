import { type Records } from '../pulls.js';
import { pickFrom, type WriteSamples } from '../write-samples.js';
import { contactSamples } from './samples/contacts.js';
import { documentSamples } from './samples/documents.js';
import { masterSamples } from './samples/masters.js';
import { paymentSamples } from './samples/payments.js';

/** Items for QuickBooks, made of a company's records. */
export function quickbooksSamples(living: Records): WriteSamples {
  const pick = pickFrom(living);
  return {
    ...masterSamples(pick, living),
    CONTACTS: contactSamples(pick, living),
    ...documentSamples(pick, living),
    ...paymentSamples(pick),
  };
}
