import { type PlatformObject } from '../../platform.js';
import { type ReferenceNeed, type WriteTools } from '../../push.js';
import { isGuid } from '../guid.js';
import { ACCOUNTS_BY_CODE, ITEMS_BY_CODE } from '../mappers/codes.js';

const TRACKING = 'TRACKING_CATEGORIES';

/** Stored values by which Xero refers to records, instead of by our platform ids. */
export const REFERENCE_NEEDS: readonly ReferenceNeed[] = [
  ACCOUNTS_BY_CODE,
  ITEMS_BY_CODE,
  { dataModel: TRACKING, field: 'name' },
  { dataModel: TRACKING, field: 'parentId', names: TRACKING },
];

/**
 * The account of a line by code, or by id if it has no code or is unknown; an unknown value that is not an id may
 * already be a code.
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

/** The tracking of a line: category and option by name, or by id if we do not know the names. */
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
