import { type CountedConnection, connectionOf } from './connection.js';
import { cursorsOf } from './cursor.js';
import { orderOf } from './order.js';
import { createPageRequest, type PageArguments, type PageOptions, toPage } from './page.js';

/** An element of a list that was read as a whole; its id is unique in the list. */
interface Element<Node> {
  readonly id: string;
  readonly node: Node;
}

/** A cursor names an element by its id: its place finds it quickly, and replaces it when it has left the list. */
const IN_PLACE = orderOf([
  { name: 'place', column: '', sqlType: 'bigint', direction: 'ASC', nullable: false },
  { name: 'id', column: '', sqlType: 'text', direction: 'ASC', nullable: false },
]);

/** A page of a complete list, in its own order. Its cursors carry `name`. */
export function pageOfAll<Node>(
  name: string,
  all: readonly Element<Node>[],
  args: PageArguments,
  options: PageOptions,
): CountedConnection<Node> {
  const cursors = cursorsOf(name, IN_PLACE);
  const request = createPageRequest(args, cursors, options);
  const elements = all.map((element, place) => ({ ...element, place }));
  /** Where the list is cut: after the element of a cursor, or before it. */
  const cut = (position: typeof request.from, side: 'after' | 'before'): number | null => {
    if (!position?.length) return null;
    const [place, id] = position as readonly [number, string];
    const found = all[place]?.id === id ? place : all.findIndex((element) => element.id === id);
    if (found < 0) return place;
    return side === 'after' ? found + 1 : found;
  };
  const [after, before] = request.reversed ? [request.until, request.from] : [request.from, request.until];
  const between = elements.slice(cut(after, 'after') ?? 0, cut(before, 'before') ?? elements.length);
  if (request.reversed) between.reverse();
  const page = toPage(between.slice(request.skip, request.skip + request.size + 1), request);
  const { nodes, edges, pageInfo } = connectionOf(page, { cursors, keyOf: ({ place, id }) => [place, id] });
  return {
    nodes: nodes.map(({ node }) => node),
    edges: edges.map(({ node, cursor }) => ({ node: node.node, cursor })),
    pageInfo,
    count: () => all.length,
  };
}
