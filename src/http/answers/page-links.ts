import type { PageCursors } from '../../rest/request/query.js';

/** The parameters that define where a page begins. */
const CURSORS: readonly string[] = ['next', 'prev', 'offset'];

/** The header `Link` (RFC 8288) of a page: the same request for the adjacent pages; null if there are none. */
export function pageLinks(url: string, prefix: string, cursors: PageCursors): string | null {
  const [path = '', query = ''] = url.split('?', 2);
  const same = query
    .split('&')
    .filter((part) => part !== '' && !CURSORS.includes(decodeURIComponent(part.split('=')[0] ?? '')));
  const links = (['next', 'prev'] as const).flatMap((rel) => {
    const cursor = cursors[rel] ?? null;
    if (cursor === null) return [];
    const [name, value] = typeof cursor === 'object' ? ['offset', cursor.offset] : [rel, cursor];
    const target = `${prefix}${path}?${[...same, `${name}=${encodeURIComponent(value)}`].join('&')}`;
    return [`<${target.replace(/[<>"[\]\s]/g, encodeURIComponent)}>; rel="${rel}"`];
  });
  return links.length === 0 ? null : links.join(', ');
}
