/** A platform's webhooks to this service. */
export interface PlatformHooks {
  /** The record types that its events cover. */
  readonly dataModels: readonly string[];
  /** The events of a request; null if it is not signed with the secret. Pure. */
  read(request: HookRequest): readonly HookEvent[] | null;
}

/** A platform's raw webhook request. */
export interface HookRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
  /** The secret that the organisation's app shares with the platform. */
  readonly secret: string;
}

/** Something changed in an account. */
export interface HookEvent {
  readonly externalAccountId: string;
  /** Of these record types. */
  readonly dataModels: readonly string[];
  /** The changed object's id in each of them; null if the platform does not say. */
  readonly platformId: string | null;
}

/** Changed ids by record type; null if unknown. */
export type ChangedObjects = ReadonlyMap<string, readonly string[] | null>;
