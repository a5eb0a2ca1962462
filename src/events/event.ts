/** An event for a webhook. */
export interface WebhookEvent {
  /** The same at every attempt, and at every webhook. */
  readonly id: string;
  readonly position: number;
  /** Events of one key are sent in order: the svc_id of the record, or of the company for other events. */
  readonly key: number;
  readonly companyId: number;
  /** CREATE, UPDATE or DELETE of a record, else the type of the event. */
  readonly type: string;
  readonly dataModel: string | null;
  /** JSON text. */
  readonly body: string;
}

/** The events that a webhook subscribes to; empty lists mean all. */
export interface EventFilter {
  readonly companyIds: readonly number[];
  readonly dataModels: readonly string[];
  readonly operations: readonly string[];
}

/** Source of a webhook's events: the change log, or the log of other events, filtered for the webhook. */
export interface EventSource {
  /** Some events after a position, oldest first, and how far the log was read. */
  after(
    position: number,
    max: number,
  ): Promise<{ readonly events: readonly WebhookEvent[]; readonly end: number }>;
  /** The event at that position; null if there is none, or it was removed. */
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
