import { type PlatformObject } from '../../connector.js';
import { type ReferenceNeed, type WriteTools } from '../../push.js';
import { isGuid } from '../guid.js';
import { ACCOUNTS_BY_CODE, ITEMS_BY_CODE } from '../mappers/codes.js';

const TRACKING = 'TRACKING_CATEGORIES';

/** What Xero names otherwise than by the ids that we have. */
export const REFERENCE_NEEDS: readonly ReferenceNeed[] = [
  ACCOUNTS_BY_CODE,
  ITEMS_BY_CODE,
  { dataModel: TRACKING, field: 'name' },
  { dataModel: TRACKING, field: 'parentId', names: TRACKING },
];

/**
 * The account of a line, by code. One that has none, or that we do not know, goes by its id; what is no id may be a
 * code already.
 */
export function lineAccount(id: string | undefined, { references }: WriteTools): PlatformObject {
  if (id === undefined) return {};
  const code = references.valueOf('ACCOUNTS', 'nominalCode', id);
  if (code === null && isGuid(id)) return { AccountID: id };
  return { AccountCode: code ?? id };
}

export function accountCode(id: string | undefined, { references }: WriteTools): string | undefined {
  return id === undefined ? undefined : (references.valueOf('ACCOUNTS', 'nominalCode', id) ?? id);
}

export function itemCode(id: string | undefined, { references }: WriteTools): string | undefined {
  return id === undefined ? undefined : (references.valueOf('ITEMS', 'code', id) ?? id);
}

/** What a line is tagged with: a category and its option by name, by id where we do not know the names. */
export function tracking(
  optionIds: readonly string[] | undefined,
  { references }: WriteTools,
): PlatformObject[] | undefined {
  return optionIds?.map((id) => {
    const categoryId = references.valueOf(TRACKING, 'parentId', id);
    const option = references.valueOf(TRACKING, 'name', id);
    const category = categoryId === null ? null : references.valueOf(TRACKING, 'name', categoryId);
    if (category !== null && option !== null) return { Name: category, Option: option };
    return { ...(categoryId !== null && { TrackingCategoryID: categoryId }), TrackingOptionID: id };
  });
}
