import type { FileBody } from '../connectors/platform.js';
import { AppError } from '../errors.js';
import type { FileStore, FileSummary } from '../files/file-store.js';
import type { RawJson } from '../base/raw-json.js';

/** The file that is sent with an item: stored before the item, so that every attempt sends the same bytes. */
export interface ItemFile extends FileSummary {
  readonly storeKey: string;
  readonly contentType: string;
}

export const itemFileOf = (file: RawJson | null): ItemFile | null =>
  file === null ? null : (JSON.parse(file.text) as ItemFile);

/** The file as the body of a request. */
export function fileBody(files: FileStore, { storeKey, size }: ItemFile): FileBody {
  const open = async () => {
    const content = await files.read(storeKey);
    if (content) return content;
    throw new AppError('no-file', 'the file of the document is no longer in the file store');
  };
  return { size, open };
}

/** Removes unused files; those that cannot be removed go with their company. */
export async function removeItemFiles(
  files: Pick<FileStore, 'remove'>,
  unused: readonly (Pick<ItemFile, 'storeKey'> | null)[],
): Promise<void> {
  for (const file of unused) if (file) await files.remove(file.storeKey).catch(() => undefined);
}
