import { AppError } from '../../errors.js';
import { type PlatformObject } from '../platform.js';
import { arrayOf, objectOf, textOf } from './platform-values.js';

/** A response that is valid JSON but not what the platform documents; `title` is the platform's. */
export function unexpectedAnswer(title: string, what: string): AppError {
  return new AppError('platform-answer', `${title} ${what}`);
}

/**
 * The objects of a list. A missing list is an error, not an empty one: after a complete pull, everything absent counts
 * as deleted.
 */
export function listOf(title: string, answer: PlatformObject, name: string): readonly PlatformObject[] {
  const array = arrayOf(answer[name]);
  if (!array) throw unexpectedAnswer(title, `must answer with a list of ${name}`);
  return array.map((element) => {
    const object = objectOf(element);
    if (!object) {
      throw unexpectedAnswer(title, `sent a list of ${name} with an element that is not an object`);
    }
    return object;
  });
}

/** The same for a list of ids. */
export function idsOf(title: string, answer: PlatformObject, name: string): readonly string[] {
  const array = arrayOf(answer[name]);
  if (!array) throw unexpectedAnswer(title, `must answer with a list of ${name}`);
  return array.map((element) => {
    const id = textOf(element);
    if (id === null)
      throw unexpectedAnswer(title, `sent a list of ${name} with an element that is not an id`);
    return id;
  });
}

/** Text that a record must have, such as its id. */
export function requiredText(title: string, object: PlatformObject, name: string): string {
  const text = textOf(object[name]);
  if (text === null) throw unexpectedAnswer(title, `sent a record without ${name}`);
  return text;
}
