import { type PlatformClient, type PlatformObject } from '../platform.js';
import { withContext } from '../values/platform-json.js';
import { objectOf } from '../values/platform-values.js';
import { listOf } from '../values/required-values.js';
import { STRIPE_TITLE } from './client.js';
import { type Complete } from './kinds.js';
import { wholeList } from './lists.js';
import { idOf } from './mappers/id.js';

/** Adds the rest of the lines to objects whose list of lines is cut off; `name` is that of the list and of its path. */
export const completeLines =
  (path: string, name: string) =>
  (client: PlatformClient): Complete =>
  async (objects) => {
    const completed: PlatformObject[] = [];
    for (const object of objects) {
      const lines = objectOf(object[name]);
      if (lines?.['has_more'] !== true) completed.push(object);
      else {
        const place = `${path}/${encodeURIComponent(idOf(object))}/${name}`;
        const data = listOf(STRIPE_TITLE, lines, 'data');
        completed.push(withContext(object, { [name]: await wholeList(client, place, lines, data) }));
      }
    }
    return completed;
  };
