import { randomUUID } from 'node:crypto';
import { badRequest } from '../../failure.js';
import type { ApiCall, ApiHandler } from '../../gate/platform-api.js';
import { performWrite } from '../../gate/write.js';
import { header } from '../../http/call.js';
import { readMultipart } from '../../http/multipart.js';
import { kindOf } from '../read.js';
import { toStored } from '../stored.js';
import type { BooksAttachment } from '../wire/movements.js';
import { liveRow } from './write.js';

const FILE_LIMIT = 25_000_000;

interface Upload {
  readonly fileName: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** `POST /{Kind}/{guid}/Attachments`. */
export const upload: ApiHandler = async (call) => {
  const kind = kindOf(call);
  const { fileName, contentType, content } = await readUpload(call);
  const reference = call.query.get('reference');
  if (reference !== null && reference.length > 100) throw badRequest('reference', 'reference is too long');
  return performWrite(call, async (change) => {
    const { id } = await liveRow(change, kind, call);
    const now = change.now.toISOString();
    const attachment: BooksAttachment = {
      Guid: randomUUID(),
      FileName: fileName,
      ContentType: contentType,
      Size: content.length,
      Uploaded: true,
      AttachedTo: { Kind: kind, Guid: id },
      Reference: reference,
      CreatedOn: now,
      ChangedOn: now,
    };
    await change.insert(toStored('Attachments', attachment));
    await change.client.query('INSERT INTO contents VALUES ($1, $2, $3)', [
      change.account,
      attachment.Guid,
      content,
    ]);
    return {
      status: 201,
      body: `{"Attachments":[${JSON.stringify(attachment)}]}`,
      kind: 'Attachments',
      id: attachment.Guid,
      operation: 'create',
      marker: reference,
    };
  });
};

async function readUpload(call: ApiCall): Promise<Upload> {
  const body = await call.body(FILE_LIMIT);
  const type = header(call, 'content-type') ?? 'application/octet-stream';
  const isForm = /^multipart\/form-data\b/i.test(type);
  const part = isForm ? readMultipart(body, type)?.find(({ name }) => name === 'file') : null;
  if (isForm && !part) throw badRequest('file', 'the form has no part "file"');
  const fileName = call.query.get('fileName') ?? part?.fileName ?? null;
  if (fileName === null || fileName === '' || fileName.length > 200 || /[\p{Cc}/\\]/u.test(fileName)) {
    throw badRequest('fileName', 'fileName must be the name of a file, up to 200 characters');
  }
  const contentType = part ? (part.contentType ?? 'application/octet-stream') : type;
  const content = part ? part.content : body;
  if (content.length === 0) throw badRequest('file', 'the file is empty');
  return { fileName, contentType, content };
}
