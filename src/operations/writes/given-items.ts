import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

import type { WriteOperation } from '../../connectors/push.js';
import type { Context } from '../../context.js';
import { AppError, invalid, type WriteProblem } from '../../errors.js';
import { createFileKey } from '../../files/file-key.js';
import type { FileStore, FileSummary } from '../../files/file-store.js';
import { document, type RecordDefinition } from '../../records/index.js';
import type { ItemFile } from '../../writes/item-files.js';

/** A caller's write. Reference 4.2. */
export interface Write {
  readonly definition: RecordDefinition;
  readonly operation: WriteOperation;
  readonly companyId: number;
  readonly connectionId?: number | null | undefined;
  readonly integrationType?: string | null | undefined;
  /** In REST's names. */
  readonly items: readonly unknown[];
  /** Respond immediately, and write afterwards. */
  readonly runAsync: boolean;
  /** Return what would be sent, and send nothing. */
  readonly dryRun: boolean;
  /** Records that items refer to must be known here. */
  readonly strict: boolean;
  readonly idempotencyKey: string | null;
}

/** An item as sent by its caller, without the file's content. */
export interface GivenItem {
  readonly item: unknown;
  readonly content: GivenContent | null;
  /** Why the content is invalid. */
  readonly problem: WriteProblem | null;
}

/** The content of a file that is not stored yet. */
interface GivenContent extends FileSummary {
  keep(key: string): Promise<void>;
}

/**
 * The items of a write. Document items may have a file: as base64 in the item or, for the first item, received by the
 * route. Throws `file-too-large`.
 */
export function givenItems(
  { received, files, limits }: Context,
  { definition, operation, items }: Pick<Write, 'definition' | 'operation' | 'items'>,
): readonly GivenItem[] {
  if (definition !== document || operation !== 'CREATE') {
    return items.map((item) => ({ item, content: null, problem: null }));
  }
  return items.map((item, index) => {
    const file = index === 0 ? (received ?? null) : null;
    if (typeof item !== 'object' || item === null || !('base64_file' in item)) {
      return { item, content: file, problem: null };
    }
    const { base64_file: base64, ...rest } = item;
    if (base64 === null || base64 === undefined) return { item: rest, content: file, problem: null };
    if (file) {
      throw invalid('base64File', 'and the file of the form are the same thing: send one of them');
    }
    const bytes = decodeBase64(base64);
    if (typeof bytes === 'string') return { item: rest, content: null, problem: wrong(bytes) };
    return { item: rest, content: inMemory(files.store, bytes, limits.fileBytes), problem: null };
  });
}

/** The bytes, or an explanation of the error. */
function decodeBase64(base64: unknown): Buffer | string {
  if (typeof base64 !== 'string') return 'must be a text';
  if (base64 === '') return 'must not be empty';
  const bytes = Buffer.from(base64, 'base64');
  // Decoding ignores invalid characters.
  return bytes.toString('base64') === base64
    ? bytes
    : 'must be base64 (RFC 4648, with padding) and nothing else';
}

const wrong = (words: string): WriteProblem => ({
  code: 'invalid-params',
  words: `It ${words}`,
  path: ['base64File'],
  platformError: null,
});

function inMemory(store: FileStore, bytes: Buffer, max: number): GivenContent {
  if (bytes.length > max) {
    throw new AppError('file-too-large', `is larger than ${max} bytes`, 'base64File');
  }
  return {
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    keep: async (key) => void (await store.put(key, Readable.from([bytes]))),
  };
}

/** The item in comparable form: a file is compared by its bytes. */
export function comparableItem({ item, content }: GivenItem): unknown {
  return content ? [item, { size: content.size, sha256: content.sha256 }] : item;
}

/** Stores the items' contents before any row refers to them. If one cannot be stored, throws and stores none. */
export async function keepContents(
  { sql, files }: Context,
  svcCompanyId: number,
  items: readonly { readonly content: GivenContent | null; readonly contentType: string }[],
): Promise<(ItemFile | null)[]> {
  const kept: (ItemFile | null)[] = [];
  try {
    for (const { content, contentType } of items) {
      if (!content) {
        kept.push(null);
        continue;
      }
      const storeKey = createFileKey(sql.scope.organisationId, svcCompanyId);
      await content.keep(storeKey);
      kept.push({ storeKey, contentType, size: content.size, sha256: content.sha256 });
    }
    return kept;
  } catch (error) {
    for (const file of kept) if (file) await files.store.remove(file.storeKey).catch(() => undefined);
    throw error;
  }
}
