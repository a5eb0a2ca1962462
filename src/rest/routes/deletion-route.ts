import type { Context } from '../../context.js';
import type { RouteDescription } from '../description/describe.js';
import { object, word } from '../description/json-schema.js';
import type { AnsweringRoute, RestRequest } from '../route.js';

interface Deletion extends Omit<RouteDescription, 'answer'> {
  readonly path: string;
  readonly run: (params: RestRequest['params'], context: Context) => Promise<unknown>;
}

/** A route that deletes what its path names: `{ "status": "success" }`, or the error of `run`. */
export const deletionRoute = ({ path, run, ...description }: Deletion): AnsweringRoute => ({
  method: 'DELETE',
  path,
  describe: () => ({ ...description, answer: object({ status: word('success') }) }),
  answer: async ({ params, context }) => {
    await run(params, context);
    return { body: '{"status":"success"}' };
  },
});
