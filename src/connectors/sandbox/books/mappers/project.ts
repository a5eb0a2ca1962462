import { type project } from '../../../../records/index.js';
import { type PlatformObject, type UnifiedRecord } from '../../../connector.js';
import { textOf } from '../../../platform-values.js';
import { guidOf } from './guid.js';

/** A job that lines are booked for. */
export function toProject(object: PlatformObject): UnifiedRecord<typeof project> {
  return {
    platformId: guidOf(object),
    values: {
      code: textOf(object['Code']),
      name: textOf(object['Title']),
      description: textOf(object['Notes']),
    },
  };
}
