import { PlatformPause } from '../../connectors/client/platform-errors.js';
import { AppError } from '../../errors.js';
import { itemFileOf, removeItemFiles } from '../item-files.js';
import { changeItems, type ItemRow } from '../item-state.js';
import { endItem, resultOf } from '../results/item-results.js';
import type { StoreContext } from '../results/store-results.js';
import { type Outcome, unknownError } from '../sending/outcome.js';
import { MAX_ATTEMPTS } from '../sending/send-item.js';
import { endIfDone, tellEnd } from '../upload-state.js';
import type { HeldUpload } from './held-upload.js';

/**
 * The platform did not answer for what is read before items are sent: it is requested again, unless it refused. Returns
 * what it amounts to for each item; throws any other error.
 */
export async function putOffUnprepared(
  held: HeldUpload,
  items: readonly ItemRow[],
  {
    error,
    storing,
    title,
  }: { readonly error: unknown; readonly storing: StoreContext; readonly title: string },
): Promise<Outcome & { readonly kind: 'pause' | 'later' | 'refused' }> {
  if (!(error instanceof AppError) || !error.code.startsWith('platform-')) throw error;
  const outcome = outcomeOfUnprepared(error);
  const { problem } = outcome;
  const isLast = (item: ItemRow) =>
    outcome.kind === 'refused' || (outcome.kind === 'later' && item.attempts + 1 >= MAX_ATTEMPTS);
  const changes = items.map((item) => {
    if (!isLast(item)) return resultOf(item, outcome).change;
    if (item.firstSentAt === null) return endItem(item, 'FAILED', problem);
    const words = `${title} did not answer when the record was sent, and it cannot be seen whether it has it: check it there; ${problem.words}`;
    return endItem(item, 'UNCERTAIN', { ...problem, words });
  });
  const end = await held.transaction(async (transaction) => {
    await changeItems(transaction, held.upload, storing.resource.definition.table, changes);
    return endIfDone(transaction, held.upload);
  });
  tellEnd(storing.log, held.sql, held.upload, end);
  const over = items.filter(isLast).map(({ file }) => itemFileOf(file));
  await removeItemFiles(storing.files, over);
  return outcome;
}

function outcomeOfUnprepared(error: AppError): Outcome & { readonly kind: 'pause' | 'later' | 'refused' } {
  const problem = unknownError(error.message);
  if (error instanceof PlatformPause) return { kind: 'pause', resumeAt: error.resumeAt, problem };
  if (error.code === 'platform-refused') return { kind: 'refused', problem };
  return { kind: 'later', isSent: false, problem };
}
