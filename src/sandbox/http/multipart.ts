/** One part of a `multipart/form-data` body. */
interface Part {
  readonly name: string;
  readonly fileName: string | null;
  readonly contentType: string | null;
  readonly content: Buffer;
}

/** The parts of a body (RFC 7578); null if it is malformed. */
export function readMultipart(body: Buffer, contentType: string): Part[] | null {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType);
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined) return null;
  const parts: Part[] = [];
  let start = body.indexOf(`--${mark}`);
  while (start >= 0) {
    start += mark.length + 2;
    if (body.toString('latin1', start, start + 2) === '--') return parts;
    const end = body.indexOf(`\r\n--${mark}`, start);
    const part = end < 0 ? null : readPart(body.subarray(start + 2, end));
    if (!part) return null;
    parts.push(part);
    start = end + 2;
  }
  return null;
}

function readPart(text: Buffer): Part | null {
  const blank = text.indexOf('\r\n\r\n');
  if (blank < 0) return null;
  const headers = text.toString('utf8', 0, blank);
  const disposition = /^content-disposition:(.*)$/im.exec(headers)?.[1] ?? '';
  const name = /;\s*name="([^"]*)"/i.exec(disposition)?.[1];
  if (name === undefined) return null;
  return {
    name,
    fileName: /;\s*filename="([^"]*)"/i.exec(disposition)?.[1] ?? null,
    contentType: /^content-type:\s*(\S[^\r\n]*)$/im.exec(headers)?.[1] ?? null,
    content: text.subarray(blank + 4),
  };
}
