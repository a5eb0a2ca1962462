import { type Records } from '../pulls.js';
import { pickFrom, type WriteSamples } from '../write-samples.js';
import { masterSamples } from './samples/masters.js';

/** Items for Zoho Books, made of an organization's records. */
export function zohoSamples(living: Records): WriteSamples {
  const pick = pickFrom(living);
  return { ...masterSamples(pick) };
}
