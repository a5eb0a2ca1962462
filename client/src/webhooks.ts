/** Headers of a request, however its server has them. */
export type GivenHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookRequest {
  readonly headers: GivenHeaders;
  /** The body as it came: text that was parsed and written again has another signature. */
  readonly body: string | Uint8Array;
}

export interface VerifyOptions {
  /** `whsec_...`; several while a new one replaces the old. */
  readonly secret: string | readonly string[];
  /** Seconds that the time of the request may differ from the clock here; 300 by default. */
  readonly tolerance?: number;
  readonly now?: () => Date;
}

/** What the service sends. A change has `data`, other types have fields of their own. */
export interface WebhookEvent {
  readonly id: string;
  readonly type: string;
  readonly data?: unknown;
  readonly [field: string]: unknown;
}

/** A request that did not come from the service, or is not fresh. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

/** The event of a webhook's request. Throws `WebhookError` unless the service signed it with the secret, lately. */
export async function verifyWebhook(
  { headers, body }: WebhookRequest,
  { secret, tolerance = 300, now = () => new Date() }: VerifyOptions,
): Promise<WebhookEvent> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  const age = Math.abs(now().getTime() / 1000 - Number(timestamp));
  if (!/^\d+$/.test(timestamp) || age > tolerance)
    throw new WebhookError('the timestamp is too far from the clock');
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  // The bytes as they came: anybody may send what is no text.
  const signed = concat(bytesOf(`${id}.${timestamp}.`), typeof body === 'string' ? bytesOf(body) : body);
  for (const one of [secret].flat()) {
    const key = await keyOf(one);
    for (const signature of signatures) {
      if (!signature.startsWith('v1,')) continue;
      const bytes = fromBase64(signature.slice(3));
      // Takes as long whatever is wrong with it.
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) {
        const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
        return { ...(JSON.parse(text) as object), id } as WebhookEvent;
      }
    }
  }
  throw new WebhookError('no signature fits the secret');
}

function concat(left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(left.length + right.length);
  both.set(left);
  both.set(right, left.length);
  return both;
}

function headerOf(headers: GivenHeaders, name: string): string {
  if (headers instanceof Headers) {
    const value = headers.get(name);
    if (value !== null) return value;
  } else {
    const found = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
    const value = typeof found === 'string' ? found : found?.[0];
    if (value !== undefined) return value;
  }
  throw new WebhookError(`the header ${name} is missing`);
}

function keyOf(secret: string): ReturnType<typeof crypto.subtle.importKey> {
  const bytes = secret.startsWith('whsec_') ? fromBase64(secret.slice('whsec_'.length)) : null;
  if (!bytes) throw new WebhookError('a secret is whsec_ and base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
