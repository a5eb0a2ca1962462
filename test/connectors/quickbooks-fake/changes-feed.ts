import { type Entity, entityNamed, type View } from './entities.js';
import { badChanges, Refusal } from './problems.js';
import { secondsOf, valueAt } from './query/compare.js';
import { type Json, time } from './wire/values.js';

const REACH_SECONDS = 30 * 86_400;
const MOST = 1000;

/** What changed and what was deleted since a time, at most thousand objects in all and without a way to the rest. */
export function changesOf(view: View, query: URLSearchParams): Json {
  const { company } = view;
  const names = (query.get('entities') ?? '').split(',').filter(Boolean);
  const text = query.get('changedSince');
  if (names.length === 0 || text === null) {
    throw new Refusal(badChanges('Required parameter entities or changedSince is missing in the request'));
  }
  const since = secondsOf(text);
  if (since < company.time - REACH_SECONDS) {
    throw new Refusal(badChanges('The changedSince date-time is more than 30 days in the past'));
  }
  let left = MOST;
  const groups = names.map((name) => {
    const entity = entityNamed(name.trim());
    if (!entity?.hasChanges) throw new Refusal(badChanges(`Invalid entity in the entities list: ${name}`));
    const objects = [...changed(entity, view, since), ...deleted(entity, view, since)].slice(0, left);
    left -= objects.length;
    if (objects.length === 0) return {};
    return { [entity.answered]: objects, startPosition: 1, maxResults: objects.length };
  });
  return { CDCResponse: [{ QueryResponse: groups }] };
}

const updatedAt = (row: Json): number => secondsOf(String(valueAt(row, 'MetaData.LastUpdatedTime')));

const changed = (entity: Entity, view: View, since: number): readonly Json[] =>
  entity
    .rows(view)
    .filter((row) => updatedAt(row) >= since)
    .sort((one, other) => updatedAt(one) - updatedAt(other));

const deleted = ({ name }: Entity, { company }: View, since: number): readonly Json[] =>
  company.removed
    .filter(({ entity, at }) => entity === name && at.getTime() >= since * 1000)
    .map(({ id, at }) => ({
      domain: 'QBO',
      status: 'Deleted',
      Id: id,
      MetaData: { LastUpdatedTime: time(at) },
    }));
