/** What is no part of a name: folders, drives, streams, wildcards; and for a shell or a header, quotes. */
const SPECIAL = /[<>:"|?*]/g;
/** Names of devices on Windows, whatever their ending. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;
const MAX_CHARACTERS = 150;
/** Of what follows the last dot. */
const MAX_ENDING_LENGTH = 15;

/** A name to save a file under: never a path, nothing invisible in it, nothing that makes it look like another one. */
export function safeFileName(name: string | null): string {
  const last = (name ?? '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '')
    // Control characters, and those without a form of their own, such as the override that turns `gpj.exe` around.
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .split(/[/\\]/)
    .at(-1);
  const plain = (last ?? '').replace(SPECIAL, '_').replace(/^[.\s]+|[.\s]+$/g, '');
  const named = shortened(plain.replace(DEVICE, '_$1'));
  return named === '' ? 'document' : named;
}

/** Keeps the ending, by which people and programs know what it is. */
function shortened(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_CHARACTERS) return name;
  const dot = characters.lastIndexOf('.');
  const ending = dot > 0 && characters.length - dot <= MAX_ENDING_LENGTH ? characters.slice(dot) : [];
  return [...characters.slice(0, MAX_CHARACTERS - ending.length), ...ending].join('');
}

/** `Content-Disposition` of a file to be saved (RFC 6266, RFC 8187): the name in ASCII for old readers, then in full. */
export function attachmentHeader(name: string | null): string {
  const safe = safeFileName(name);
  // Taking letters apart makes slashes and dots of what only looked like them.
  const latin = safeFileName(safe.normalize('NFKD').replace(/\p{M}/gu, ''));
  // Some readers decode escapes where there are none.
  const ascii = latin.replace(/[^\x20-\x7e]|[%;]/gu, '_');
  const full = encodeURIComponent(safe).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${full.replace(/%[0-9a-f]{2}/g, (one) => one.toUpperCase())}`;
}
