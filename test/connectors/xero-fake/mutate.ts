import { type Mutation } from '../conformance.js';
import { changesOf } from './changes.js';
import { type Organisation } from './domain.js';
import { isLiving, livingIdsOf, objectsOf, recordIdsOf } from './models.js';

const DELETIONS = 3;
const GIVEN_UP = 2;
const ADDITIONS = 3;

/**
 * A third of the records of a type is changed; some others are deleted or given up, where Xero lets them be, and some
 * are new. `now` is later than any change before.
 */
export function mutate(organisation: Organisation, dataModel: string, now: Date): Mutation {
  const change = changesOf(organisation, dataModel, now);
  const before = livingIdsOf(organisation, dataModel);
  const living = objectsOf(organisation, dataModel).filter(isLiving);
  living.filter((_, index) => index % 3 === 0).forEach(change.edit);
  const others = living.filter((_, index) => index % 3 === 1);
  const deletable = others.filter(change.canDelete);
  // From both ends: a record type may be of several kinds.
  const deleted = new Set([...deletable.slice(0, DELETIONS), ...deletable.slice(-DELETIONS)]);
  deleted.forEach(change.remove);
  others.filter(isLiving).filter(change.canGiveUp).slice(0, GIVEN_UP).forEach(change.giveUp);
  others.filter(isLiving).slice(-ADDITIONS).forEach(change.add);
  const after = new Set(livingIdsOf(organisation, dataModel));
  return {
    changed: objectsOf(organisation, dataModel)
      .filter((object) => isLiving(object) && object.updatedAt >= now)
      .flatMap((object) => recordIdsOf(object, dataModel)),
    deleted: before.filter((id) => !after.has(id)),
  };
}
