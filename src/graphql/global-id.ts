import { definitionOf } from '../records/index.js';

/** What a global id names. A company's own id stands in both places. */
export interface GlobalId {
  readonly model: string;
  readonly svcCompanyId: number;
  readonly svcId: number;
}

/** `id` of an object: opaque, base64url of type, company and svc_id. */
export function encodeGlobalId({ model, svcCompanyId, svcId }: GlobalId): string {
  return Buffer.from(`${model}:${svcCompanyId}:${svcId}`).toString('base64url');
}

/** Null for a text that no object here could have: it is answered like an absent one. */
export function decodeGlobalId(id: string): GlobalId | null {
  const match = /^([A-Za-z]{1,60}):(\d{1,16}):(\d{1,16})$/.exec(
    Buffer.from(id, 'base64url').toString('utf8'),
  );
  if (!match) return null;
  const [, model = '', company, svcId] = match;
  const decoded = { model, svcCompanyId: Number(company), svcId: Number(svcId) };
  const known =
    isListed(model) && Number.isSafeInteger(decoded.svcCompanyId) && Number.isSafeInteger(decoded.svcId);
  return known ? decoded : null;
}

function isListed(model: string): boolean {
  try {
    return definitionOf(model).role !== 'line';
  } catch {
    return false;
  }
}
