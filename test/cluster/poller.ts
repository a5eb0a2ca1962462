import type { Caller } from '../support/service.js';

/** A client that keeps a copy of a company's accounts, and knows nothing of the change log: it asks for what is newer. */
export function createPoller(caller: Caller, companyId: number) {
  const copy = new Map<number, unknown>();
  let seen = new Date(0).toISOString();
  let overlapSeconds = 0;
  const step = async (): Promise<void> => {
    const since = new Date(Math.max(0, Date.parse(seen) - overlapSeconds * 1000)).toISOString();
    const query = `svc_company_id[eq]=${companyId}&svc_updated_at[gte]=${since}&include_deleted_records=true&limit=1000`;
    const { status, headers, body, text } = await caller.get(`/v3/accounting/accounts?${query}`);
    // The database is away; the same is asked for again.
    if (status === 503 || status === 504) return;
    if (status !== 200) throw new Error(text);
    overlapSeconds = Number(headers.get('x-svc-poll-overlap'));
    for (const record of body.data) {
      copy.set(record.svc_id, record);
      if (record.svc_updated_at > seen) seen = record.svc_updated_at;
    }
  };
  return { copy, step };
}
