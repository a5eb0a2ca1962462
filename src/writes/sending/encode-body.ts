import { Readable } from 'node:stream';

import { isLosslessNumber } from 'lossless-json';

import type { FileBody, PlatformObject } from '../../connectors/platform.js';
import { stringifyPlatformJson } from '../../connectors/values/platform-json.js';
import type { WriteRequest } from '../../connectors/push.js';

interface EncodedBody {
  readonly body: string | FileBody | null;
  readonly contentType: string | null;
}

/**
 * The body of a request, the same bytes at every attempt. `boundary` parts a multipart body; `file` is the item's, and the
 * whole body where the request has none.
 */
export function encodeBody(request: WriteRequest, boundary: string, file: FileBody | null): EncodedBody {
  const { body, contentType, encoding = 'json' } = request;
  switch (encoding) {
    case 'json':
      if (body !== null) {
        return { body: stringifyPlatformJson(body), contentType: contentType ?? 'application/json' };
      }
      return { body: file, contentType: contentType ?? (file ? 'application/octet-stream' : null) };
    case 'form': {
      const fields = new URLSearchParams(fieldsOf(body ?? {}));
      return { body: fields.toString(), contentType: 'application/x-www-form-urlencoded' };
    }
    case 'raw':
      return { body: request.text ?? '', contentType: contentType ?? 'text/plain' };
    case 'multipart':
      return {
        body: multipart(request, boundary, file),
        contentType: `multipart/form-data; boundary=${boundary}`,
      };
    default:
      return encoding satisfies never;
  }
}

/** Fields of a form: parts of an object as `address[city]`, items of a list as `lines[0]`. */
function fieldsOf(object: PlatformObject): [string, string][] {
  return Object.entries(object).flatMap(([name, value]) => flatten(name, value));
}

function flatten(name: string, value: unknown): [string, string][] {
  if (value === undefined) return [];
  if (value === null) return [[name, '']];
  if (Array.isArray(value)) return value.flatMap((one, index) => flatten(`${name}[${index}]`, one));
  if (typeof value === 'object' && !isLosslessNumber(value)) {
    return Object.entries(value).flatMap(([part, inner]) => flatten(`${name}[${part}]`, inner));
  }
  return [[name, typeof value === 'string' ? value : stringifyPlatformJson(value)]];
}

/** RFC 7578; quotes and line breaks in names as browsers write them. */
function multipart(
  { body, file: part, contentType }: WriteRequest,
  boundary: string,
  file: FileBody | null,
): FileBody {
  const quote = (text: string) =>
    `"${text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')}"`;
  const head = (name: string, more: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name=${quote(name)}${more}\r\n\r\n`;
  const fields = fieldsOf(body ?? {}).map(([name, value]) => `${head(name, '')}${value}\r\n`);
  const type = contentType ?? 'application/octet-stream';
  const opening =
    part && file ? head(part.field, `; filename=${quote(part.name)}\r\ncontent-type: ${type}`) : '';
  const before = Buffer.from(fields.join('') + opening);
  const after = Buffer.from(`${opening === '' ? '' : '\r\n'}--${boundary}--\r\n`);
  const content = opening === '' ? null : file;
  return {
    size: before.length + (content?.size ?? 0) + after.length,
    open: async () => {
      const opened = content ? await content.open() : null;
      return Readable.from(
        (async function* () {
          yield before;
          if (opened) yield* opened as AsyncIterable<Uint8Array>;
          yield after;
        })(),
      );
    },
  };
}
