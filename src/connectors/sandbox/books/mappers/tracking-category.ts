import { type trackingCategory } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { withContext } from '../../../values/platform-json.js';
import { objectsIn, textOf } from '../../../values/platform-values.js';
import { instantOf } from '../../../values/times.js';
import { guidOf } from './guid.js';
import { recordStatus } from './words.js';

/** A dimension followed by its options, each with the context that its mapper needs. */
export function withOptions(dimension: PlatformObject): PlatformObject[] {
  const options = objectsIn(dimension['Options']);
  const parents = new Set(options.map((option) => option['Parent']));
  return [
    dimension,
    ...options.map((option) =>
      asOption(option, {
        Dimension: dimension['Guid'] ?? null,
        HasOptions: parents.has(option['OptionGuid'] ?? null),
      }),
    ),
  ];
}

/** An option with its dimension. Without an id it keeps a null one, so that it is not mistaken for a dimension. */
export const asOption = (
  option: PlatformObject,
  context: { readonly Dimension: unknown; readonly HasOptions: boolean },
): PlatformObject => withContext(option, { ...context, OptionGuid: option['OptionGuid'] ?? null });

/** A dimension, or one of its options, whose parent is the dimension or another option. Lines are tagged with options. */
export function toTrackingCategory(object: PlatformObject): UnifiedRecord<typeof trackingCategory> {
  const isOption = object['OptionGuid'] !== undefined;
  return {
    platformId: guidOf(object, isOption ? 'OptionGuid' : 'Guid'),
    values: {
      name: textOf(object['Title']),
      status: recordStatus(object['State']),
      parentId: isOption ? (textOf(object['Parent']) ?? textOf(object['Dimension'])) : null,
      hasChildren: isOption ? object['HasOptions'] === true : objectsIn(object['Options']).length > 0,
      updatedAt: instantOf(object['ChangedOn']),
    },
  };
}
