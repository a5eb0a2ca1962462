import { type Records } from '../pulls.js';
import { pickFrom, type WriteSamples } from '../write-samples.js';
import { documentSamples } from './samples/documents.js';
import { masterSamples } from './samples/masters.js';
import { paymentSamples } from './samples/payments.js';

/** Items for Zoho Books, made of an organization's records. */
export function zohoSamples(living: Records): WriteSamples {
  const pick = pickFrom(living);
  return { ...masterSamples(pick), ...documentSamples(pick), ...paymentSamples(pick, living) };
}
