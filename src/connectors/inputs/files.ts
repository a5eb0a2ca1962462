import { z } from 'zod';

import { DOCUMENT_TYPES } from '../../records/value-sets.js';
import { parseDateTime } from '../../base/values.js';
import { choice, flag, parsed, text } from './fields.js';
import type { NamedRecord } from './schema.js';

/** Write items of documents (Reference 4.2). */

/** Not allowed in file names: path separators, control characters, and characters that make a name look like another. */
const MISLEADING = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff/\\]/u;

/** A file name, never a path. */
const fileName = () =>
  text(200)
    .refine((value) => value.trim() !== '', 'must not be empty')
    .refine(
      (value) => !MISLEADING.test(value) && !/^\.+$/.test(value.trim()),
      'must be a file name without folders or control characters',
    );

const TOKEN = '[\\w!#$&^.+-]{1,100}';
const MIME_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(; ?${TOKEN}=("[\\w !#$&^.+-]*"|${TOKEN})){0,5}$`);

/** Whether the text is safe to send as a content type header. */
export const isMimeType = (value: string): boolean => value.length <= 200 && MIME_TYPE.test(value);

export const BYTES_TYPE = 'application/octet-stream';

const SIZE = 'must be a number of bytes';

export const documentShape = {
  document_type: choice(DOCUMENT_TYPES),
  document_type_id: text(200).refine((value) => value !== '', 'must not be empty'),
  file_name: fileName(),
  file_type: text(200).refine(isMimeType, 'must be a MIME type such as application/pdf'),
  /** Only for documents without a file, otherwise the received bytes are counted. `document_uploaded` is ignored. */
  file_size: z
    .union([z.string(), z.number()], { error: SIZE })
    .transform(String)
    .refine((value) => /^\d{1,15}$/.test(value), SIZE),
  document_uploaded: flag(),
  updated_at: parsed(
    z
      .string({ error: 'must be an ISO 8601 date-time such as 2026-11-21T10:30:00.000Z' })
      .meta({ format: 'date-time' }),
    parseDateTime,
  ),
  /** Declared for callers only: removed before an item is validated. */
  base64_file: z.string({ error: 'must be a text' }).meta({ contentEncoding: 'base64' }),
};

/** The record that a document is attached to; another field names its type. */
export function documentNames(item: Readonly<Record<string, unknown>>): readonly NamedRecord[] {
  const { document_type: dataModel, document_type_id: platformId } = item;
  if (typeof dataModel !== 'string' || typeof platformId !== 'string') return [];
  return [{ dataModel, platformId, path: ['documentTypeId'] }];
}
