import { type Steps } from '../conformance.js';
import { changesOf } from './changes.js';
import { type DocumentType, type Organisation } from './domain.js';
import { isLiving, objectsOf, recordIdsOf } from './models.js';

/** What a draft becomes when its type is changed in Xero's own pages. */
const OTHER_TYPES: Readonly<Record<string, readonly [DocumentType, string]>> = {
  INVOICES: ['ACCRECCREDIT', 'INVOICE_CREDIT_NOTES'],
  BILLS: ['ACCPAYCREDIT', 'BILL_CREDIT_NOTES'],
  INVOICE_CREDIT_NOTES: ['ACCREC', 'INVOICES'],
  BILL_CREDIT_NOTES: ['ACCPAY', 'BILLS'],
};

const ARCHIVED: readonly string[] = ['ACCOUNTS', 'CONTACTS'];

/** Each is done to the first record that Xero lets it be done to. `later` is later than any change before. */
export function stepsOf(organisation: Organisation, later: () => Date): Steps {
  const living = (dataModel: string) => objectsOf(organisation, dataModel).filter(isLiving);
  return {
    archive: async (dataModel) => {
      const found =
        ARCHIVED.includes(dataModel) && living(dataModel).find(({ status }) => status === 'ACTIVE');
      if (!found) return null;
      changesOf(organisation, dataModel, later()).giveUp(found);
      return found.id;
    },
    restore: async (dataModel, platformId) => {
      const found = objectsOf(organisation, dataModel).find(({ id }) => id === platformId);
      if (found) Object.assign(found, { status: 'ACTIVE', updatedAt: later() });
    },
    delete: async (dataModel) => {
      const change = changesOf(organisation, dataModel, later());
      const found = living(dataModel).find(change.canDelete);
      if (!found) return null;
      change.remove(found);
      return recordIdsOf(found, dataModel)[0] ?? null;
    },
    changeType: async (dataModel) => {
      const other = OTHER_TYPES[dataModel];
      const draft = living(dataModel).find(({ status }) => status === 'DRAFT');
      if (!other || !draft) return null;
      const [type, becomes] = other;
      Object.assign(draft, { type, updatedAt: later() });
      return { platformId: draft.id, becomes };
    },
  };
}
