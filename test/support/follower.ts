import { type Caller } from './service.js';

/** A client that keeps a copy of records by following the change log. */
export interface Follower {
  /** The records by data model and svc_id, as REST returns them. */
  readonly copy: ReadonlyMap<string, unknown>;
  /** All positions received, in order. */
  readonly positions: readonly number[];
  /** Reads one page; returns whether there are more. A page that fails to arrive has no effect. */
  step(): Promise<boolean>;
  /** Reads all remaining pages. */
  catchUp(): Promise<void>;
}

/** Starts at a position with the copy made so far; `parameters` are those of the list, such as a limit. */
export function createFollower(
  caller: Caller,
  { from = null as string | null, copy = new Map<string, unknown>(), parameters = 'limit=7' } = {},
): Follower {
  const positions: number[] = [];
  let next = from;
  const step = async (): Promise<boolean> => {
    const place = next === null ? '' : `&next=${next}`;
    const answer = await caller.get(`/v3/core/changes?${parameters}${place}`);
    // The database is unavailable; the same page is requested again.
    if (answer.status === 503 || answer.status === 504) return true;
    if (answer.status !== 200) throw new Error(answer.text);
    for (const { position, data_model, svc_id, data } of answer.body.data) {
      positions.push(position);
      const key = `${data_model} ${svc_id}`;
      if (data === null) copy.delete(key);
      else copy.set(key, data);
    }
    next = answer.body.next;
    return answer.body.has_more;
  };
  const catchUp = async () => {
    while (await step());
  };
  return { copy, positions, step, catchUp };
}
