/** Content types that a browser may get; any other becomes a generic byte stream. */
const SAFE_TYPES: ReadonlySet<string> = new Set([
  'application/pdf',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
  'text/csv',
  'text/plain',
]);
const BYTES = 'application/octet-stream';

/** The first of some types that is safe to name: nothing that a browser runs or renders as a page. */
export function safeContentType(...types: readonly (string | null)[]): string {
  const plain = types.map((type) => (type ?? '').split(';')[0]?.trim().toLowerCase() ?? '');
  return plain.find((type) => SAFE_TYPES.has(type)) ?? BYTES;
}
