import { type PlatformClient, type PlatformObject } from '../../platform.js';
import { type Deletions, type IdPage, type PulledPage, type PullOptions } from '../../pull.js';
import { absentOn404 } from '../../client/platform-errors.js';
import { objectOf } from '../../values/platform-values.js';
import { listOf, unexpectedAnswer } from '../../values/required-values.js';
import { SHOP_TITLE } from './client.js';
import { gidOf } from './gid.js';

const LIMIT = '250';

/** A list by last change, oldest first: objects that change while it is read appear again at its end. */
export async function* listPages(
  name: string,
  client: PlatformClient,
  { since, cursor }: PullOptions,
): AsyncGenerator<PulledPage> {
  const query = since === null ? {} : { updated_at_min: since.toISOString() };
  for await (const { answer, next } of linkedPages(`/${name}.json`, client, { query, cursor })) {
    yield { objects: listOf(SHOP_TITLE, answer, name), cursor: next };
  }
}

/** One object of a kind, by its number. */
export const readOne =
  (list: string) =>
  async (client: PlatformClient, platformId: string): Promise<PlatformObject | null> => {
    const path = `/${list}/${encodeURIComponent(platformId)}.json`;
    const answer = await client.get(path).catch(absentOn404);
    return answer && objectOf(answer[list.slice(0, -1)]);
  };

/** Deletions of one kind. The feed covers all kinds, so a page may have none of it. */
export function deletionsOf(subjectType: string): readonly Deletions[] {
  return [{ kind: 'feed', pages: (client, options) => deletionPages(subjectType, client, options) }];
}

async function* deletionPages(
  subjectType: string,
  client: PlatformClient,
  { since, cursor }: PullOptions,
): AsyncGenerator<IdPage> {
  const query = since === null ? {} : { since: since.toISOString() };
  for await (const { answer, next } of linkedPages('/deletions.json', client, { query, cursor })) {
    const platformIds = listOf(SHOP_TITLE, answer, 'deletions')
      .filter((deletion) => deletion['subject_type'] === subjectType)
      .map((deletion) => gidOf(deletion, 'subject_id').platformId);
    yield { platformIds, cursor: next };
  }
}

interface Linked {
  /** For the first page; later ones are identified by their `page_info` alone. */
  readonly query: Readonly<Record<string, string>>;
  readonly cursor: string | null;
}

async function* linkedPages(
  path: string,
  client: PlatformClient,
  { query, cursor }: Linked,
): AsyncGenerator<{ readonly answer: PlatformObject; readonly next: string | null }> {
  for (let page = cursor; ;) {
    const parameters = page === null ? query : { page_info: page };
    const { body, headers } = await client.read(path, { query: { ...parameters, limit: LIMIT } });
    const next = nextPage(headers['link']);
    if (next !== null && next === page)
      throw unexpectedAnswer(SHOP_TITLE, `sent a page of ${path} as its own next page`);
    yield { answer: body, next };
    if (next === null) return;
    page = next;
  }
}

const NEXT = /<([^>]*)>\s*;[^,<]*\brel="?next"?/i;

/**
 * The next page of a `Link` header (RFC 8288). Only its `page_info` is used: requests stay at the connection's own
 * address. A link without one is an error, not the end.
 */
function nextPage(link: string | undefined): string | null {
  const address = NEXT.exec(link ?? '')?.[1];
  if (address === undefined) return null;
  const base = 'http://shop.invalid';
  const pageInfo = URL.canParse(address, base) && new URL(address, base).searchParams.get('page_info');
  if (!pageInfo) throw unexpectedAnswer(SHOP_TITLE, 'sent a link to the next page without page_info');
  return pageInfo;
}
