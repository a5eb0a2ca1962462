import { type Mutation } from '../../conformance.js';
import { type QuickbooksCompany } from '../company.js';
import { type Kept, type TaxCode } from '../domain.js';
import { livingIdsOf, modelOf, recordIdsOf } from '../models.js';
import { changesOf, isHome, isSilentlyChanged } from './change.js';

const DELETIONS = 3;
const ADDITIONS = 2;
const GIVEN_UP = 2;
/** More are there of an import: all of them are changed, of which no single list of changes can tell. */
const FEW = 120;

/**
 * A third of the records of a type is changed, and all that were imported; some others are deleted or given up, as
 * QuickBooks lets them be, and some are new.
 */
export function mutate(company: QuickbooksCompany, dataModel: string): Mutation {
  const change = changesOf(company);
  const before = livingIdsOf(company, dataModel);
  const all = modelOf(dataModel).objects(company);
  const objects = all.slice(0, FEW);
  const edited = new Set<Kept>([
    ...objects.filter((object, index) => index % 3 === 0 && !isUntouchable(object)),
    ...all.slice(FEW),
  ]);
  edited.forEach(change.edit);
  const others = objects.filter((_, index) => index % 3 === 1);
  const deletable = others.filter(change.canDelete);
  // From both ends: a record type may be of several kinds.
  const deleted = new Set([...deletable.slice(0, DELETIONS), ...deletable.slice(-DELETIONS)]);
  deleted.forEach(change.remove);
  const left = others.filter((one) => !deleted.has(one));
  left.filter(change.canGiveUp).slice(0, GIVEN_UP).forEach(change.giveUp);
  left.slice(-ADDITIONS).forEach(change.copy);
  const after = new Set(livingIdsOf(company, dataModel));
  const isChanged = (object: Kept) =>
    edited.has(object) || object.updatedAt >= company.now || isSilentlyChanged(object, company.now);
  return {
    changed: modelOf(dataModel)
      .objects(company)
      .filter(isChanged)
      .flatMap((object) => recordIdsOf(object, dataModel)),
    deleted: before.filter((id) => !after.has(id)),
  };
}

/** Nobody can change the home currency, nor the tax codes that are none. */
const isUntouchable = (object: Kept): boolean =>
  isHome(object) || ('sales' in object && !hasRates(object as TaxCode));

const hasRates = ({ sales, purchases }: TaxCode): boolean => sales.length + purchases.length > 0;
