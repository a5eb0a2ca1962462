/** The records that a response depends on. */
export interface RecordsRead {
  /** Null: all companies, or all types. */
  readonly companyIds: readonly number[] | null;
  readonly dataModels: readonly string[];
}

/**
 * A text that differs after every change of the given records ($2 companies, null for all; $3 types). Each change
 * writes its stamps in its own transaction while it locks the organisation's row: records read after a stamp are never
 * older than it.
 */
export const STAMP = `SELECT CASE WHEN $2::bigint[] IS NULL THEN h.stamp::text ELSE md5(h.passed::text || COALESCE((
    SELECT string_agg(s.stamp::text, '' ORDER BY s.svc_company_id, s.data_model) FROM change_stamps s
    WHERE s.svc_organisation_id = $1 AND s.svc_company_id = ANY ($2) AND s.data_model = ANY ($3::text[])), '')) END AS stamp
  FROM change_heads h WHERE h.svc_organisation_id = $1`;

/** Stamp of an organisation that has stored nothing yet. */
const NOTHING_STORED = 'nothing';

/**
 * The stamp of the records that a request reads. Until known, each statement reads it along, in the same session and
 * before its own rows; later statements read nothing older. If two that were sent together saw different stamps, there
 * is none.
 */
export class Stamp {
  #reads: RecordsRead | null = null;
  #seen: string | null = null;
  #isLost = false;

  /** Called before anything is read. */
  ask(reads: RecordsRead): void {
    this.#reads = reads;
  }

  /** Values of `STAMP` after the organisation, for a statement sent now; null if it need not read the stamp. */
  get question(): readonly [companies: string | null, types: string] | null {
    if (!this.#reads || this.#seen !== null) return null;
    const { companyIds, dataModels } = this.#reads;
    return [companyIds && `{${companyIds.join(',')}}`, `{${dataModels.join(',')}}`];
  }

  /** Called for each statement that read it; null if there is no such row. */
  note(seen: string | null): void {
    const text = seen ?? NOTHING_STORED;
    if (this.#seen !== null && this.#seen !== text) this.#isLost = true;
    this.#seen = text;
  }

  /** Invalidates the stamp: the response must not be reused. */
  lose(): void {
    this.#isLost = true;
  }

  /** Null if unknown. */
  get value(): string | null {
    return this.#isLost ? null : this.#seen;
  }
}
