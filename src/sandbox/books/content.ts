import { Failure } from '../failure.js';
import type { ApiHandler } from '../gate/platform-api.js';
import { header } from '../http/call.js';
import { empty, type Reply } from '../http/reply.js';
import { objectOf } from './read.js';
import { fromStored } from './stored.js';
import type { BooksAttachment } from './wire/movements.js';

/** Bytes of a file: the uploaded content or, for files generated with the world, text that repeats the file's name. */
export const readContent: ApiHandler = async (call) => {
  const attachment = fromStored<BooksAttachment>(await objectOf(call, 'Attachments'));
  if (!attachment.Uploaded) throw new Failure('not-found', 'the file was never uploaded');
  const { rows } = await call.context.pool.query<{ bytes: Buffer }>(
    'SELECT bytes FROM contents WHERE account = $1 AND id = $2',
    [call.caller.account.key, attachment.Guid],
  );
  const headers = {
    'content-type': attachment.ContentType,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(attachment.FileName)}`,
    'accept-ranges': 'bytes',
  };
  return rangeReply(rows[0]?.bytes ?? madeUpContent(attachment), header(call, 'range'), headers);
};

function madeUpContent({ FileName, Guid, ContentType, Size }: BooksAttachment): Buffer {
  const start = ContentType === 'application/pdf' ? '%PDF-1.4\n' : '';
  const content = Buffer.alloc(Size, `${FileName} ${Guid}\n`);
  content.write(start);
  return content;
}

/** Serves the range that the caller requested, or the whole content (RFC 9110, section 14). */
function rangeReply(content: Buffer, range: string | null, headers: Record<string, string>): Reply {
  const match = /^bytes=(\d*)-(\d*)$/.exec(range ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return { status: 200, headers, body: content };
  const isSuffix = match[1] === '';
  const first = isSuffix ? Math.max(0, content.length - Number(match[2])) : Number(match[1]);
  const last =
    isSuffix || match[2] === '' ? content.length - 1 : Math.min(Number(match[2]), content.length - 1);
  if (first > last) return empty(416, { 'content-range': `bytes */${content.length}` });
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${first}-${last}/${content.length}` },
    body: content.subarray(first, last + 1),
  };
}
