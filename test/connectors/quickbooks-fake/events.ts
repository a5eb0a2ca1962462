import { createHmac, randomUUID } from 'node:crypto';

/** Something that happened to an object of a company. */
export interface QuickbooksEvent {
  readonly realmId: string;
  /** `invoice` */
  readonly entity: string;
  readonly operation: 'created' | 'updated' | 'deleted' | 'voided' | 'merged' | 'emailed';
  readonly id: string;
}

/** A notification of Intuit's, of any number of companies, signed with the app's verifier token. */
export function notificationOf(
  events: readonly QuickbooksEvent[],
  verifierToken: string,
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  const body = JSON.stringify(
    events.map(({ realmId, entity, operation, id }) => ({
      specversion: '1.0',
      id: randomUUID(),
      source: 'intuit.fake-source',
      type: `qbo.${entity.toLowerCase()}.${operation}.v1`,
      datacontenttype: 'application/json',
      time: new Date().toISOString(),
      intuitentityid: id,
      intuitaccountid: realmId,
      data: {},
    })),
  );
  const signature = createHmac('sha256', verifierToken).update(body).digest('base64');
  return {
    body,
    headers: { 'content-type': 'application/cloudevents-batch+json', 'intuit-signature': signature },
  };
}
