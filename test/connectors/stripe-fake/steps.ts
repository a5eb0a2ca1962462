import { type Steps } from '../conformance.js';
import { type StripeAccount } from './account.js';
import { archiveProduct, deleteProduct, restoreProduct } from './changes/catalogue.js';
import { deleteCustomer } from './changes/customers.js';
import { deleteDraft } from './changes/invoices.js';

/** Each goes well apart from any change before. */
export function stepsOf(account: StripeAccount, later: () => void): Steps {
  const deleters: Readonly<Record<string, () => string | null>> = {
    PAYMENT_CUSTOMERS: () => deleteCustomer(account),
    PAYMENT_ITEMS: () => deleteProduct(account),
    PAYMENT_INVOICES: () => deleteDraft(account),
  };
  return {
    // Tax rates and links are switched off, too, but have no status that says ARCHIVED: `mutate` does it to them.
    archive: async (dataModel) => {
      if (dataModel !== 'PAYMENT_ITEMS') return null;
      later();
      return archiveProduct(account);
    },
    restore: async (_dataModel, platformId) => {
      later();
      restoreProduct(account, platformId);
    },
    delete: async (dataModel) => {
      later();
      return deleters[dataModel]?.() ?? null;
    },
  };
}
