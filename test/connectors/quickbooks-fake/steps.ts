import { type Steps } from '../conformance.js';
import { changesOf, INACTIVE_SUFFIX } from './changes/change.js';
import { type QuickbooksCompany } from './company.js';
import { type Kept, type Named } from './domain.js';
import { modelOf, recordIdsOf } from './models.js';

const ARCHIVED: readonly string[] = ['ACCOUNTS', 'CONTACTS', 'ITEMS', 'TRACKING_CATEGORIES'];

/** Each is done to the first record that QuickBooks lets it be done to. `later` is later than any change before. */
export function stepsOf(company: QuickbooksCompany, later: () => void): Steps {
  const change = changesOf(company);
  const objects = (dataModel: string): readonly Kept[] => modelOf(dataModel).objects(company);
  return {
    archive: async (dataModel) => {
      const found = ARCHIVED.includes(dataModel) && objects(dataModel).find(change.canGiveUp);
      if (!found) return null;
      later();
      change.giveUp(found);
      return recordIdsOf(found, dataModel)[0] ?? null;
    },
    restore: async (dataModel, platformId) => {
      const found = objects(dataModel).find((one) => recordIdsOf(one, dataModel).includes(platformId)) as
        Named | undefined;
      if (!found) return;
      later();
      found.active = true;
      found.name = found.name.replace(INACTIVE_SUFFIX, '');
      company.touch(found);
    },
    // Of a payment several records go at once: one that is a single record is deleted.
    delete: async (dataModel) => {
      const found = objects(dataModel).find(
        (one) => change.canDelete(one) && recordIdsOf(one, dataModel).length === 1,
      );
      if (!found) return null;
      later();
      const [id = null] = recordIdsOf(found, dataModel);
      change.remove(found);
      return id;
    },
  };
}
