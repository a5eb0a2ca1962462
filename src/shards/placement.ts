import { lineTypes, records } from '../records/index.js';

/** Where the rows of a table are on a cluster: with their company's, with their organisation's, or at the coordinator. */
export type Placement = 'company' | 'organisation' | 'coordinator';

export const DISTRIBUTION_COLUMN = {
  company: 'svc_company_id',
  organisation: 'svc_organisation_id',
} as const;

/** The change log commits with where it ends: a reader that has seen the end has seen what is before it. */
const BY_ORGANISATION = ['change_heads', 'change_stamps', 'record_changes'];

/** What belongs to records, and what a sync compares with them. */
const OF_RECORDS = ['document_files', 'sync_seen', 'unmapped_records'];

/**
 * The tables that are spread, in the order in which that is done: those that grow with what customers have. Companies,
 * connections, syncs and writes stay at the coordinator with the queue: they are few beside the records, PostgreSQL tells of
 * their changes (which no worker can, as a transaction over several nodes may not `NOTIFY`), and a worker that is away
 * keeps nobody from them but the callers of its companies.
 */
export const SPREAD: readonly { readonly table: string; readonly by: Exclude<Placement, 'coordinator'> }[] = [
  ...BY_ORGANISATION.map((table) => ({ table, by: 'organisation' as const })),
  ...[...records, ...lineTypes]
    .map(({ table }) => table)
    .concat(OF_RECORDS)
    .map((table) => ({ table, by: 'company' as const })),
];

const placements = new Map<string, Placement>(SPREAD.map(({ table, by }) => [table, by]));

export const placementOf = (table: string): Placement => placements.get(table) ?? 'coordinator';
