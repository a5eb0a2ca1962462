import { type IncomingMessage } from 'node:http';

import { type Answer } from '../fault-proxy.js';
import { type QuickbooksCompany } from './company.js';

const FOLDER = '/intuit-qbo-prod-29/';

const refusal = (status: number, code: string, message: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
});

/**
 * A file where Intuit stores files, which is elsewhere: its address opens it, and a token beside that is too much. Null
 * for other paths.
 */
export function fileAt(
  { url = '', headers }: IncomingMessage,
  { shelves }: QuickbooksCompany,
): Answer | null {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  if (!pathname.startsWith(FOLDER)) return null;
  if (headers.authorization !== undefined) {
    return refusal(400, 'InvalidArgument', 'Only one auth mechanism allowed');
  }
  const found = shelves.Attachable.find(({ id }) => id === pathname.slice(FOLDER.length));
  if (!found?.fileName) return refusal(404, 'NoSuchKey', 'The specified key does not exist.');
  if (searchParams.get('X-Amz-Signature') !== `${found.id.slice(-4)}${found.version}+s`) {
    return refusal(403, 'AccessDenied', 'Request has expired');
  }
  return {
    status: 200,
    headers: { 'content-type': found.contentType ?? 'application/octet-stream' },
    body: found.content,
  };
}
