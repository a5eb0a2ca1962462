import { AppError } from '../../errors.js';
import type { Verdict } from '../platform.js';
import type { PlatformObject } from '../platform.js';
import { accessEnded, excerptOf, refusal, type Target } from './platform-errors.js';
import { objectOf } from '../values/platform-values.js';

/** A platform's response to one attempt. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly verdict: Verdict;
  /** Empty if there is a `content`. */
  readonly text: string;
  /** The text's JSON, parsed once; throws if invalid. */
  readonly json: () => unknown;
  readonly size: number;
  /** The unread body, if requested as a stream. */
  readonly content: AsyncIterable<Uint8Array> | null;
  readonly tookMs: number;
}

/** Throws unless the response is a success. */
export function refuse(target: Target, answer: Answer): void {
  switch (answer.verdict.kind) {
    case 'ok':
      return;
    case 'access ended':
      throw accessEnded(target, answer);
    case 'refused':
      if (answer.status >= 300 && answer.status < 400) {
        throw new AppError(
          'platform-answer',
          `${target.title} at ${target.address} sent a redirect, which is not followed (${shownOf(answer)})`,
        );
      }
      throw refusal(target, answer);
    case 'again':
    case 'throttled':
      throw refusal(target, answer);
    default:
      answer.verdict satisfies never;
  }
}

const shownOf = ({ status, contentType, text }: Answer): string =>
  `${status}, ${contentType}: ${excerptOf(text)}`;

/** The object of a success. Throws unless it is one. */
export function bodyOf(target: Target, answer: Answer): PlatformObject {
  refuse(target, answer);
  const shown = shownOf(answer);
  const value = parsed(target, answer, shown);
  const object = objectOf(value);
  if (object) return object;
  throw new AppError(
    'platform-answer',
    `${target.title} at ${target.address} must answer with an object (${shown})`,
  );
}

/** The response's object, if it has one. */
export function objectIn({ json }: Pick<Answer, 'json'>): PlatformObject | null {
  try {
    return objectOf(json());
  } catch {
    return null;
  }
}

function parsed(target: Target, { json }: Answer, shown: string): unknown {
  try {
    return json();
  } catch (cause) {
    const message = `${target.title} at ${target.address} must answer with JSON (${shown})`;
    throw new AppError('platform-answer', message, [], { cause });
  }
}
