/** A Relay connection from rows; one row more than `first` means that there is a next page. */
export function connection(rows, first, more) {
  const nodes = rows.slice(0, first);
  return {
    nodes,
    edges: nodes.map((node) => ({ node, cursor: String(node.svcId) })),
    pageInfo: {
      hasNextPage: rows.length > first,
      endCursor: nodes.length > 0 ? String(nodes.at(-1).svcId) : null,
    },
    ...more,
  };
}
