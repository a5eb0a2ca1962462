import type { PlatformObject } from '../../connectors/platform.js';
import { stringifyPlatformJson } from '../../connectors/values/platform-json.js';
import { databaseTime } from '../../db/clock.js';
import { type ItemRow, noteResent, noteWritten } from '../item-state.js';
import { throughOutage } from '../results/through-outage.js';
import type { HeldUpload } from './held-upload.js';

/** What a run knows of its items since it read them. */
export class RunNotes {
  /** Items that the platform has, but that are not finished. */
  private readonly written = new Set<number>();
  /** Items that were sent by themselves after a batch. */
  private readonly resent = new Set<number>();
  /** Items of a batch that the platform refused as a whole. */
  private readonly separate = new Set<number>();

  constructor(private readonly held: HeldUpload) {}

  /** Stores the object that the platform has, before the requests that must follow it. */
  readonly noteWritten = async ({ svcId }: ItemRow, object: PlatformObject): Promise<void> => {
    // First: if it cannot be stored, the item must still count as sent.
    this.written.add(svcId);
    const written = stringifyPlatformJson(object);
    await throughOutage(() =>
      this.held.transaction((transaction) => noteWritten(transaction, this.held.upload, { svcId, written })),
    );
  };

  /** Stores that an item of a batch is about to be sent by itself. */
  readonly noteResent = async ({ svcId }: ItemRow, lateInMs: number): Promise<void> => {
    await noteResent(this.held.sql, this.held.upload, { svcId, lateInMs });
    this.resent.add(svcId);
  };

  /** From now on these items are sent individually. */
  separateAll(items: readonly ItemRow[]): void {
    for (const { svcId } of items) this.separate.add(svcId);
  }

  readonly mayBeJoined = ({ svcId }: ItemRow): boolean => !this.separate.has(svcId);

  /** The item as read, updated by what this run has sent since. */
  asKnown(read: ItemRow): ItemRow {
    const item = this.resent.has(read.svcId) ? { ...read, batchId: null } : read;
    if (!this.written.has(item.svcId)) return item;
    return { ...item, firstSentAt: item.firstSentAt ?? databaseTime().toISOString() };
  }
}
