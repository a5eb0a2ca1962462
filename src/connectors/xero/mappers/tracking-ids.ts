import { objectsIn, textOf } from '../../values/platform-values.js';

/** The tracking options of a line; some responses only name the category. */
export function trackingIdsOf(tracking: unknown): string[] {
  return objectsIn(tracking)
    .map((tag) => textOf(tag['TrackingOptionID']) ?? textOf(tag['TrackingCategoryID']))
    .filter((id) => id !== null);
}
