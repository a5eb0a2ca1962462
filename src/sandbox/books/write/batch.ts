import { badRequest, Failure } from '../../failure.js';
import type { ApiHandler } from '../../gate/platform-api.js';
import { performWrites, type WrittenObject } from '../../gate/write.js';
import { jsonBody } from '../../http/call.js';
import { booksErrorOf } from '../failures.js';
import { kindOf } from '../read.js';
import { isObject } from './fields.js';
import { buildOf, createObject } from './write.js';

const MAX_OBJECTS = 50;

/** `POST /{Kind}/Batch`: creates several objects. The answer lists each object, or its error, in the same order. */
export const createBatch: ApiHandler = async (call) => {
  const kind = kindOf(call);
  const build = buildOf(kind);
  const bodies = objectsIn((await jsonBody(call))[kind]);
  if (bodies === null) throw badRequest(kind, `${kind} must be a list of 1 to ${MAX_OBJECTS} objects`);
  return performWrites(call, async (change) => {
    const results: object[] = [];
    const objects: WrittenObject[] = [];
    for (const body of bodies) {
      try {
        const made = await change.attempt(() => createObject(change, { kind, build, body }));
        results.push({ Status: 201, Object: made });
        objects.push({ kind, id: made.Guid, operation: 'create', marker: made.Reference ?? null });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        const { status, Error } = booksErrorOf(error);
        results.push({ Status: status, Error });
      }
    }
    return { status: 200, body: JSON.stringify({ [kind]: results }), objects };
  });
};

function objectsIn(list: unknown): Readonly<Record<string, unknown>>[] | null {
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_OBJECTS) return null;
  return list.every(isObject) ? list : null;
}
