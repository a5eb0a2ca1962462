import { type currency, type trackingCategory } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../pull.js';
import { booleanOf, textOf } from '../../values/platform-values.js';
import { requiredText } from '../../values/required-values.js';
import { QUICKBOOKS_TITLE } from '../client.js';
import { markedId, markOf } from '../kinds.js';
import { HAS_CHILDREN } from '../settings.js';
import { activityOf, refOf, updatedAtOf } from './values.js';

/** A currency of the company. Documents refer to it by its code. */
export function toCurrency(
  object: PlatformObject,
  { baseCurrency }: Lookups,
): UnifiedRecord<typeof currency> {
  const code = requiredText(QUICKBOOKS_TITLE, object, 'Code');
  return {
    platformId: code,
    unresolved: baseCurrency === null,
    values: {
      code,
      name: textOf(object['Name']),
      isBaseCurrency: baseCurrency === null ? null : baseCurrency === code,
      updatedAt: updatedAtOf(object),
    },
  };
}

/** A class, or a location (department). */
export function toTrackingCategory(object: PlatformObject): UnifiedRecord<typeof trackingCategory> {
  const { entity, platformId } = markOf(object);
  const parent = refOf(object['ParentRef']);
  return {
    platformId,
    values: {
      name: textOf(object['Name']),
      status: activityOf(object),
      parentId: parent === null ? null : markedId(entity, parent),
      hasChildren: booleanOf(object[HAS_CHILDREN]),
      updatedAt: updatedAtOf(object),
    },
  };
}
