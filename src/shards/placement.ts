import { lineTypes, records } from '../records/index.js';

/** The column by which the rows of a distributed table are placed: those of one company, or organisation, together. */
export const DISTRIBUTION_COLUMN = {
  company: 'svc_company_id',
  organisation: 'svc_organisation_id',
} as const;

export type Placement = keyof typeof DISTRIBUTION_COLUMN;

/** The change log commits together with its head: a reader that sees the head sees everything before it. */
const BY_ORGANISATION = ['change_heads', 'change_stamps', 'record_changes'];

/** Tables that belong to records, and those that a sync compares with them. */
const OF_RECORDS = ['document_files', 'sync_seen', 'unmapped_records'];

/**
 * The distributed tables, in order of distribution: those that grow with customers' data. Companies, connections, syncs
 * and writes stay at the coordinator with the queue: they are few compared to records, PostgreSQL notifies of their
 * changes (workers cannot, as a transaction over several nodes may not `NOTIFY`), and an unavailable worker affects
 * only the callers of its companies.
 */
export const SPREAD: readonly { readonly table: string; readonly by: Placement }[] = [
  ...BY_ORGANISATION.map((table) => ({ table, by: 'organisation' as const })),
  ...[...records, ...lineTypes]
    .map(({ table }) => table)
    .concat(OF_RECORDS)
    .map((table) => ({ table, by: 'company' as const })),
];
