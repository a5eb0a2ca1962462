/** Characters not allowed in a name: for folders, drives, streams, wildcards; and quotes, for shells and headers. */
const SPECIAL = /[<>:"|?*]/g;
/** Names of devices on Windows, whatever their extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;
const MAX_CHARACTERS = 150;
/** Maximum length of the extension after the last dot. */
const MAX_ENDING_LENGTH = 15;

/** A name to save a file under: never a path, nothing invisible in it, nothing that makes it look like another one. */
export function safeFileName(name: string | null): string {
  const last = (name ?? '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '')
    // Control and format characters, such as the override that reverses `gpj.exe`.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .split(/[/\\]/)
    .at(-1);
  const plain = (last ?? '').replace(SPECIAL, '_').replace(/^[.\s]+|[.\s]+$/g, '');
  const named = shorten(plain.replace(DEVICE, '_$1'));
  return named === '' ? 'document' : named;
}

/** Keeps the extension, by which people and programs know the type. */
function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_CHARACTERS) return name;
  const dot = characters.lastIndexOf('.');
  const ending = dot > 0 && characters.length - dot <= MAX_ENDING_LENGTH ? characters.slice(dot) : [];
  return [...characters.slice(0, MAX_CHARACTERS - ending.length), ...ending].join('');
}

/** `Content-Disposition` of a file to save (RFC 6266, RFC 8187): the name in ASCII for old readers, then in full. */
export function attachmentHeader(name: string | null): string {
  const safe = safeFileName(name);
  // Decomposition turns lookalikes into slashes and dots.
  const latin = safeFileName(safe.normalize('NFKD').replace(/\p{M}/gu, ''));
  // Some clients decode escapes where there are none.
  const ascii = latin.replace(/[^\x20-\x7e]|[%;]/gu, '_');
  const full = encodeURIComponent(safe).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${full.replace(/%[0-9a-f]{2}/g, (one) => one.toUpperCase())}`;
}
