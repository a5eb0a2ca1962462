import { type trackingCategory } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { objectsIn, textOf } from '../../values/platform-values.js';
import { platformIdOf } from './platform-id.js';

/** A tracking category, or one of its options as its child. Lines are tagged with options. */
export function toTrackingCategory(object: PlatformObject): UnifiedRecord<typeof trackingCategory> {
  const isOption = object['TrackingOptionID'] !== undefined && object['Options'] === undefined;
  const status = textOf(object['Status']);
  return {
    platformId: platformIdOf(object, isOption ? 'TrackingOptionID' : 'TrackingCategoryID'),
    deleted: status === 'DELETED',
    values: {
      name: textOf(object['Name']),
      status,
      parentId: isOption ? textOf(object['TrackingCategoryID']) : null,
      hasChildren: !isOption && hasOptions(object),
    },
  };
}

function hasOptions(category: PlatformObject): boolean {
  return objectsIn(category['Options']).some((option) => option['Status'] !== 'DELETED');
}
