import { arrayOf, objectOf, textOf } from '../../platform-values.js';

/** The tracking options of a line; some responses only name the category. */
export function trackingIdsOf(tracking: unknown): string[] {
  return (arrayOf(tracking) ?? [])
    .map(objectOf)
    .map((tag) => textOf(tag?.['TrackingOptionID']) ?? textOf(tag?.['TrackingCategoryID']))
    .filter((id) => id !== null);
}
