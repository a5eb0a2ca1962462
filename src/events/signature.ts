import { createHmac, randomBytes } from 'node:crypto';

/** What is signed: the event, by its id, as it is sent. */
export interface SignedEvent {
  readonly id: string;
  readonly body: string;
  /** Of the attempt. */
  readonly sentAt: Date;
  /** All that are valid. */
  readonly secrets: readonly string[];
}

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret, in the form of Standard Webhooks. */
export const randomSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The headers by which a receiver knows an event and its sender, as Standard Webhooks 1.0 has them. */
export function signatureHeaders({ id, body, sentAt, secrets }: SignedEvent): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
