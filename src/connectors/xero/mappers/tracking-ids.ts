import { arrayOf, objectOf, textOf } from '../../platform-values.js';

/** What a line is tagged with: the option; the category is all that some answers name. */
export function trackingIdsOf(tracking: unknown): string[] {
  return (arrayOf(tracking) ?? [])
    .map(objectOf)
    .map((tag) => textOf(tag?.['TrackingOptionID']) ?? textOf(tag?.['TrackingCategoryID']))
    .filter((id) => id !== null);
}
