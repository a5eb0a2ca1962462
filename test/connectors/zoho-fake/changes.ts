import { type Mutation, type Steps } from '../conformance.js';
import { type Account, type Contact, type Currency, type Item, type Kept, type Tax } from './domain.js';
import { livingIdsOf, objectsOf, recordIdsOf } from './models.js';
import { type ZohoOrganization } from './organization.js';

const DELETIONS = 2;
const ADDITIONS = 2;

/** Types of which nothing is deleted or made: they are needed by others, or one of a kind. */
const FIXED: readonly string[] = ['COMPANY_INFO', 'CURRENCIES', 'TAX_RATES', 'ACCOUNTS', 'BANK_ACCOUNTS'];

/** A third of the records of a type is changed; some others are deleted, and some are new. */
export function mutate(organization: ZohoOrganization, dataModel: string): Mutation {
  const objects = [...objectsOf(organization, dataModel)];
  const before = livingIdsOf(organization, dataModel);
  const changed = objects.filter((_, index) => index % 3 === 0);
  changed.forEach((object) => edit(organization, object));
  const others = objects.filter((_, index) => index % 3 === 1);
  const added: Kept[] = [];
  if (!FIXED.includes(dataModel)) {
    [...others.slice(0, DELETIONS), ...others.slice(-DELETIONS)].forEach((one) => organization.remove(one));
    const models = objects.filter((_, index) => index % 3 === 2).slice(0, ADDITIONS);
    for (const object of models) added.push(addLike(organization, object));
  }
  const after = new Set(livingIdsOf(organization, dataModel));
  return {
    changed: [...changed, ...added].flatMap(recordIdsOf),
    deleted: before.filter((id) => !after.has(id)),
  };
}

/** Changes a field of an object that records have. */
function edit(organization: ZohoOrganization, object: Kept): void {
  if (object === organization) organization.name += ' renamed';
  else if ('notes' in object) object.notes = `${String(object.notes)} changed`;
  else if ('stock' in object) (object as Item).price = (object as Item).price.plus(1);
  else if ('members' in object) (object as Tax).name += ' changed';
  else if ('balance' in object) (object as Account).balance = (object as Account).balance.plus('0.01');
  else if ('symbol' in object) (object as Currency).rate = (object as Currency).rate.times('1.01');
  else (object as Contact).name += ' changed';
  organization.touch(object);
}

function addLike(organization: ZohoOrganization, object: Kept): Kept {
  const copy = { ...object, ...organization.kept() };
  const shelves = [
    organization.items,
    organization.contacts,
    organization.documents,
    organization.payments,
    organization.journals,
  ] as Kept[][];
  const shelf = shelves.find((one) => one.includes(object));
  if (!shelf) throw new Error('nothing is added to that');
  if ('sku' in copy) Object.assign(copy, { name: `New ${copy.id}` });
  shelf.push(copy);
  return copy;
}

const ARCHIVED: readonly string[] = ['ACCOUNTS', 'ITEMS', 'CONTACTS'];

/** Each is done to the first record that it can be done to. */
export function stepsOf(organization: ZohoOrganization, later: () => void): Steps {
  const active = (object: Kept): object is Kept & { isActive: boolean } =>
    'isActive' in object && object.isActive === true;
  return {
    archive: async (dataModel) => {
      const found = ARCHIVED.includes(dataModel) && objectsOf(organization, dataModel).find(active);
      if (!found) return null;
      later();
      found.isActive = false;
      organization.touch(found);
      return found.id;
    },
    restore: async (dataModel, platformId) => {
      const found = objectsOf(organization, dataModel).find(({ id }) => id === platformId);
      if (!found) return;
      later();
      Object.assign(found, { isActive: true });
      organization.touch(found);
    },
    // Of a payment several records go at once: one that is a single record is deleted.
    delete: async (dataModel) => {
      if (FIXED.includes(dataModel)) return null;
      const found = objectsOf(organization, dataModel).find((one) => recordIdsOf(one).length === 1);
      if (!found) return null;
      later();
      organization.remove(found);
      return recordIdsOf(found)[0] ?? null;
    },
  };
}
