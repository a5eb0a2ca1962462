/** Records that an answer is made of. */
export interface RecordsRead {
  /** Null: of all companies, and of all types. */
  readonly companyIds: readonly number[] | null;
  readonly dataModels: readonly string[];
}

/**
 * One text that is another after every change of what is asked about ($2 companies, null for all of them; $3 types). Each
 * change writes its stamps in its own transaction, while it holds the organisation's row: who reads a stamp, and what it is
 * about afterwards, has nothing older than the stamp.
 */
export const STAMP = `SELECT CASE WHEN $2::bigint[] IS NULL THEN h.stamp::text ELSE md5(h.passed::text || COALESCE((
    SELECT string_agg(s.stamp::text, '' ORDER BY s.svc_company_id, s.data_model) FROM change_stamps s
    WHERE s.svc_organisation_id = $1 AND s.svc_company_id = ANY ($2) AND s.data_model = ANY ($3::text[])), '')) END AS stamp
  FROM change_heads h WHERE h.svc_organisation_id = $1`;

/** Of an organisation that has stored nothing yet. */
const NOTHING_STORED = 'nothing';

/**
 * The stamp of what a request reads. Until it is known, each statement brings it along, in the same session and before its
 * own rows; those that are sent later read nothing older. Where two that were sent together saw different ones, there is none.
 */
export class Stamp {
  #reads: RecordsRead | null = null;
  #seen: string | null = null;
  #isLost = false;

  /** Called before anything is read. */
  ask(reads: RecordsRead): void {
    this.#reads = reads;
  }

  /** The values of `STAMP` after the organisation, for a statement that is sent now; null where it need not bring it. */
  get question(): readonly [companies: string | null, types: string] | null {
    if (!this.#reads || this.#seen !== null) return null;
    const { companyIds, dataModels } = this.#reads;
    return [companyIds && `{${companyIds.join(',')}}`, `{${dataModels.join(',')}}`];
  }

  /** Said by each statement that brought it; null where there is no such row. */
  note(seen: string | null): void {
    const text = seen ?? NOTHING_STORED;
    if (this.#seen !== null && this.#seen !== text) this.#isLost = true;
    this.#seen = text;
  }

  /** The answer is none that another one like it could be taken for. */
  lose(): void {
    this.#isLost = true;
  }

  /** Null where it is not known. */
  get value(): string | null {
    return this.#isLost ? null : this.#seen;
  }
}
