import { INACTIVE_SUFFIX } from '../changes/change.js';
import { type Named } from '../domain.js';
import { business, duplicateName, Refusal } from '../problems.js';
import { type Body, flagIn } from './body.js';

/** The name and use of an entry of a list of names, whatever the case unique among `others`. */
export function namedOf(
  body: Body,
  given: string,
  { before, others }: { readonly before: Named | null; readonly others: readonly Named[] },
): Pick<Named, 'name' | 'active'> {
  if (/[:\t\n]/.test(given)) {
    throw new Refusal(business('The name must not contain a colon, a tab or a new line.'));
  }
  const active = flagIn(body, 'Active') ?? true;
  const plain = given.replace(INACTIVE_SUFFIX, '');
  const name = active ? plain : `${plain}${INACTIVE_SUFFIX}`;
  const isTaken = others.some((one) => one !== before && one.name.toLowerCase() === name.toLowerCase());
  if (isTaken) throw new Refusal(duplicateName);
  return { name, active };
}
