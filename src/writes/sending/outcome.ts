import type { PlatformObject } from '../../connectors/platform.js';
import type { WriteProblem } from '../../errors.js';

/** Result of one send attempt. */
export type Outcome =
  | {
      readonly kind: 'written';
      readonly object: PlatformObject;
      /** It was sent more than once: the lost request may be carried out after all. */
      readonly isResent?: boolean;
    }
  /** `object` if the platform has the record nevertheless, but refused a following request. */
  | {
      readonly kind: 'refused';
      readonly problem: WriteProblem;
      readonly object?: PlatformObject;
      /** It says nothing about an earlier request with the same key. */
      readonly isOfThisRequest?: boolean;
    }
  /**
   * To be retried; `isSent` says whether the platform may have carried it out, `lateUntil` until when it still may if
   * there is no answer.
   */
  | {
      readonly kind: 'later';
      readonly isSent: boolean;
      readonly lateUntil?: string | null;
      readonly problem: WriteProblem;
    }
  /** The platform does not have it yet, but may still be processing it: it is looked for again. */
  | { readonly kind: 'unsettled'; readonly dueAt: Date; readonly problem: WriteProblem }
  /** The platform must not be called before `resumeAt`: nothing was sent. */
  | { readonly kind: 'pause'; readonly resumeAt: Date; readonly problem: WriteProblem }
  /** It is unknown whether the platform has it; with an `object`, whether it is complete. */
  | { readonly kind: 'unknowable'; readonly problem: WriteProblem; readonly object?: PlatformObject };

const MAX_TEXT_LENGTH = 2000;

/** The platform did not write the item, or nobody knows whether it did: `words` say which. */
export function unknownError(words: string, platformError: string | null = null): WriteProblem {
  return {
    code: 'unknown-error',
    words,
    path: [],
    platformError: platformError === null ? null : platformError.slice(0, MAX_TEXT_LENGTH),
  };
}

/** The time until which the platform asked for no calls, from some results; null if it did not. */
export function pauseIn(outcomes: readonly (Outcome | null)[]): Date | null {
  const until = outcomes.flatMap((one) => (one?.kind === 'pause' ? [one.resumeAt.getTime()] : []));
  return until.length === 0 ? null : new Date(Math.max(...until));
}
