import { randomUUID } from 'node:crypto';
import type { ApiHandler } from '../../gate/platform-api.js';
import { performWrite } from '../../gate/write.js';
import { jsonBody } from '../../http/call.js';
import { type Dimension, type DimensionOption, dimensionsOf } from '../dimensions.js';
import { toStored } from '../stored.js';
import { STATES } from '../wire/words.js';
import { type Build, identity, referenceOf } from './build.js';
import { Fields, Problems } from './fields.js';

/** A dimension; its options are added one by one. */
export const buildDimension: Build = async (options) => {
  const { change, fields, before } = options;
  const { Guid, ...times } = identity(options);
  fields.ignore('Options');
  const title = fields.requiredText('Title', 100);
  const others = (await dimensionsOf(change)).filter((one) => one.Guid !== before?.Guid);
  refuseTaken(fields, title, others);
  const own = {
    Title: title,
    State: fields.oneOf('State', Object.values(STATES)) ?? 'open',
    Options: (before as Dimension | null)?.Options ?? [],
    Reference: referenceOf(options),
  };
  return { Guid, ...own, ...times };
};

function refuseTaken(
  fields: Fields,
  title: string | null,
  others: readonly { readonly Title: string | null }[],
): void {
  if (title === null || !others.some((one) => one.Title === title)) return;
  fields.problems.add(fields.name('Title'), 'DuplicateNumber', `there is a ${title} already`);
}

/** `POST /DimensionOptions`: adds an option below `Parent`, which is a dimension or an option. */
export const addOption: ApiHandler = async (call) => {
  const body = await jsonBody(call);
  return performWrite(call, async (change) => {
    const problems = new Problems();
    const fields = new Fields(body, problems);
    const now = change.now.toISOString();
    const above = fields.require('Parent') ? fields.text('Parent') : null;
    const dimension = (await dimensionsOf(change)).find(
      ({ Guid, Options }) => Guid === above || Options.some(({ OptionGuid }) => OptionGuid === above),
    );
    if (above !== null && !dimension) {
      problems.add('Parent', 'UnknownOption', `there is neither a dimension nor an option ${above}`);
    }
    const option: DimensionOption = {
      OptionGuid: randomUUID(),
      Title: fields.requiredText('Title', 100),
      Parent: above === dimension?.Guid ? null : above,
      State: fields.oneOf('State', Object.values(STATES)) ?? 'open',
      ChangedOn: now,
      Reference: fields.text('Reference', 100),
    };
    refuseTaken(fields, option.Title, dimension?.Options ?? []);
    fields.finish();
    problems.throwIfAny();
    if (!dimension) throw new Error('a dimension that is missing is a problem');
    const changed: Dimension = { ...dimension, Options: [...dimension.Options, option], ChangedOn: now };
    await change.update(toStored('Dimensions', changed));
    return {
      status: 201,
      body: JSON.stringify({ DimensionOptions: [{ ...option, Dimension: dimension.Guid }] }),
      kind: 'Dimensions',
      id: dimension.Guid,
      operation: 'update',
      marker: option.Reference ?? null,
    };
  });
};
