import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type Deletions, type IdPage, type PullOptions } from '../pull.js';
import { createdSince, listPage } from '../lists/newest-first.js';
import { objectOf } from '../values/platform-values.js';
import { unexpectedAnswer } from '../values/required-values.js';
import { STRIPE_TITLE } from './client.js';
import { idIn, type StripeKind } from './kinds.js';
import { idOf } from './mappers/id.js';

/** Stripe lists its events for 30 days. They are read from the newest on: a day is for the time that takes. */
export const EVENT_DAYS = 29;

interface EventPage {
  /** The objects of the events as they were then, in the form of the version of the API that the account had then. */
  readonly objects: readonly PlatformObject[];
  /** The id of the last event read. */
  readonly cursor: string | null;
}

/** The events of some types since a time, newest first. */
export async function* eventPages(
  types: readonly string[],
  client: PlatformClient,
  { since, cursor }: PullOptions,
): AsyncGenerator<EventPage> {
  const query = {
    ...createdSince(since),
    ...Object.fromEntries(types.map((type, index) => [`types[${index}]`, type])),
  };
  for (let after = cursor; ;) {
    const from = after === null ? {} : { starting_after: after };
    const { data, hasMore } = await listPage(STRIPE_TITLE, client, '/v1/events', { ...query, ...from });
    const next = hasMore ? idOf(data.at(-1) ?? {}) : null;
    if (next !== null && next === after) throw unexpectedAnswer(STRIPE_TITLE, 'sent a page of events twice');
    yield { objects: data.map(objectIn), cursor: next };
    if (next === null) return;
    after = next;
  }
}

function objectIn(event: PlatformObject): PlatformObject {
  const object = objectOf(objectOf(event['data'])?.['object']);
  if (!object) throw unexpectedAnswer(STRIPE_TITLE, 'sent an event without its object');
  return object;
}

/** The ids of the objects of a kind that events report as deleted. */
export function deletionsOf(kind: StripeKind): readonly Deletions[] {
  const { deletion } = kind;
  if (deletion === undefined) return [];
  async function* pages(client: PlatformClient, options: PullOptions): AsyncGenerator<IdPage> {
    for await (const { objects, cursor } of eventPages([deletion ?? ''], client, options)) {
      yield { platformIds: idsIn(kind, objects), cursor };
    }
  }
  return [{ kind: 'feed', reachDays: EVENT_DAYS, pages }];
}

/** The ids in objects of events, each once. */
export const idsIn = (kind: StripeKind, objects: readonly PlatformObject[]): string[] => [
  ...new Set(objects.map((object) => idIn(kind, object)).filter((id) => id !== null)),
];
