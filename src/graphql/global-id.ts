/** The object that a global id names. A company's own id is in both places; objects without a company have 0 there. */
export interface GlobalId {
  readonly type: string;
  readonly svcCompanyId: number;
  /** A svc_id, the id of a webhook, or what finds a statement again. */
  readonly key: number | string;
}

/** `id` of an object: opaque, base64url of type, company and key. */
export function encodeGlobalId({ type, svcCompanyId, key }: GlobalId): string {
  return Buffer.from(`${type}:${svcCompanyId}:${key}`).toString('base64url');
}

/** Null for a text that no object here could have: it is answered like an absent one. */
export function decodeGlobalId(id: string): GlobalId | null {
  const match = /^([A-Za-z]{1,60}):(\d{1,16}):([0-9a-f]{1,40})$/.exec(
    Buffer.from(id, 'base64url').toString('utf8'),
  );
  if (!match) return null;
  const [, type = '', company, key = ''] = match;
  const number = /^\d{1,16}$/.test(key) ? Number(key) : null;
  const svcCompanyId = Number(company);
  const isSafe = Number.isSafeInteger(svcCompanyId) && (number === null || Number.isSafeInteger(number));
  return isSafe ? { type, svcCompanyId, key: number ?? key } : null;
}
