import { type project } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { textOf } from '../../../values/platform-values.js';
import { guidOf } from './guid.js';

/** A project that lines can be booked to. */
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
