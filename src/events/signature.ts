import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** An event to sign, as it is sent. */
interface SignedEvent {
  readonly id: string;
  readonly body: string;
  /** Time of the attempt. */
  readonly sentAt: Date;
  /** All that are valid. */
  readonly secrets: readonly string[];
}

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret, in the form of Standard Webhooks. */
export const randomSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** The headers that identify an event and its sender, as defined by Standard Webhooks 1.0. */
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

/** How old, or how far ahead, the clock of a sender may be. */
const TOLERANCE_MS = 5 * 60_000;

/** Whether a request's headers carry a recent, valid signature of its body. */
export function isSigned(
  headers: Readonly<Record<string, unknown>>,
  body: string,
  { secret, now }: { readonly secret: string; readonly now: Date },
): boolean {
  const id = String(headers['webhook-id']);
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1000);
  if (!(Math.abs(now.getTime() - sentAt.getTime()) <= TOLERANCE_MS)) return false;
  const expected = signatureHeaders({ id, body, sentAt, secrets: [secret] })['webhook-signature'];
  return String(headers['webhook-signature'])
    .split(' ')
    .some((one) => isSame(one, expected ?? ''));
}

function isSame(one: string, other: string): boolean {
  const [given, expected] = [Buffer.from(one), Buffer.from(other)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
