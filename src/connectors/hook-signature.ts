import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whether a body is signed with the secret (HMAC-SHA256). */
export function isSigned(body: Buffer, secret: string, given: Buffer): boolean {
  const right = createHmac('sha256', secret).update(body).digest();
  return given.length === right.length && timingSafeEqual(given, right);
}

/**
 * The events in a signed body, a list or an object with one; none if it cannot be parsed, since a retry would bring the
 * same body.
 */
export function eventsIn(body: Buffer): readonly unknown[] {
  try {
    const parsed = JSON.parse(body.toString('utf8')) as { events?: unknown };
    const events: unknown = Array.isArray(parsed) ? parsed : parsed.events;
    return Array.isArray(events) ? events : [];
  } catch {
    return [];
  }
}
