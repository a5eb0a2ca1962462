import { type Kept, type Organisation } from '../domain.js';
import { type Body, type Complaints } from './input.js';

/** One object that is written. */
export interface Write {
  readonly organisation: Organisation;
  readonly body: Body;
  readonly complaints: Complaints;
  /** Digits after the point that unit prices keep. */
  readonly priceDigits: number;
  /** What a new object has, and the time of the write. */
  readonly kept: (status: string) => Kept;
}
