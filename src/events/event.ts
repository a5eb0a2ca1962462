/** Something that a webhook is told of. */
export interface WebhookEvent {
  /** The same at every attempt, and at every webhook. */
  readonly id: string;
  readonly position: number;
  /** Events of one key are told in their order: the svc_id of a record; of other events, that of the company. */
  readonly key: number;
  readonly companyId: number;
  /** CREATE, UPDATE or DELETE of a record, else the type of the event. */
  readonly type: string;
  readonly dataModel: string | null;
  /** JSON text. */
  readonly body: string;
}

/** Which events a webhook wants; empty for all. */
export interface Wanted {
  readonly companyIds: readonly number[];
  readonly dataModels: readonly string[];
  readonly operations: readonly string[];
}

/** What a webhook is told from: the log of changes, or that of other events, without what the webhook does not want. */
export interface EventSource {
  /** Some events after a position, oldest first, and up to where the log was looked through. */
  after(
    position: number,
    most: number,
  ): Promise<{ readonly events: readonly WebhookEvent[]; readonly end: number }>;
  /** The event of that position; null where there is none, or not any more. */
  at(position: number): Promise<WebhookEvent | null>;
  /** The first event of a key after one position and up to another. */
  next(
    key: { readonly key: number; readonly companyId: number },
    after: number,
    until: number,
  ): Promise<number | null>;
  /** The last position before a time, and the last one up to another. */
  between(since: Date, until: Date): Promise<{ readonly after: number; readonly until: number }>;
  idOf(position: number): string;
  /** The position in the id of an event of this source; null for any other text. */
  positionOf(id: string): number | null;
}

/** Ids name the organisation too: a receiver may serve several. */
export const idsOf = (prefix: string, organisationId: number): Pick<EventSource, 'idOf' | 'positionOf'> => ({
  idOf: (position) => `${prefix}_${organisationId}_${position}`,
  positionOf: (id) => {
    const [, position] = new RegExp(`^${prefix}_${organisationId}_([1-9]\\d{0,15})$`).exec(id) ?? [];
    return position === undefined ? null : Number(position);
  },
});
