import { type UnifiedRecord } from '../../src/connectors/pull.js';
import { type WriteErrorCode } from '../../src/errors.js';
import { type Records } from './pulls.js';

/** An item as a caller writes it. */
export type Item = Readonly<Record<string, unknown>>;

/** Items of one record type, each of which passes our own check. */
export interface WriteSample {
  /** Items to create, the one with the fewest fields first. */
  readonly creates: readonly [Item, ...Item[]];
  /** A change of what the last of them makes. */
  readonly update?: {
    readonly item: Item;
    /** What comes with it: another field's text, the lines that its fields become. */
    readonly also?: readonly string[];
  };
  /** Fields that the platform takes and does not always show, those of lines as `line_items.quantity`. */
  readonly unread?: readonly string[];
  /** What the platform refuses, and as what. */
  readonly refused: readonly Refused[];
}

interface Refused {
  readonly item: Item;
  readonly code: WriteErrorCode;
  readonly field: string;
}

export type WriteSamples = Readonly<Record<string, WriteSample>>;

type Values = Readonly<Record<string, unknown>>;

/** The platform id of a living record of which this holds. */
export type Pick = (dataModel: string, holds?: (values: Values) => boolean) => string;

export const pickFrom =
  (living: Records): Pick =>
  (dataModel, holds = () => true) => {
    const found = (living.get(dataModel) ?? []).find(
      (record: UnifiedRecord) => !record.deleted && holds(record.values),
    );
    if (!found) throw new Error(`there is no ${dataModel} for a sample`);
    return found.platformId;
  };
