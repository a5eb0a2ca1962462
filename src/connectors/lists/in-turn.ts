import type { PlatformClient } from '../platform.js';
import type { IdPage, PulledPage, PullOptions } from '../pull.js';

/** One of several listings for a record type. */
export interface Part<Page extends IdPage | PulledPage = PulledPage> {
  /** Used in cursors. */
  readonly name: string;
  pages(client: PlatformClient, options: PullOptions): AsyncIterable<Page>;
}

/** Several listings in turn. The cursor is the name of the listing and its own cursor. */
export async function* inTurn<Page extends IdPage | PulledPage = PulledPage>(
  parts: readonly Part<Page>[],
  client: PlatformClient,
  options: PullOptions,
): AsyncGenerator<Page> {
  const [name = '', ...rest] = options.cursor?.split(':') ?? [];
  const cursor = rest.join(':');
  const resumed = parts.findIndex((part) => part.name === name);
  const remaining = parts.slice(Math.max(0, resumed));
  for (const [index, part] of remaining.entries()) {
    const resume = index === 0 && resumed >= 0 && cursor !== '' ? cursor : null;
    for await (const page of part.pages(client, { ...options, cursor: resume })) {
      const next = remaining[index + 1];
      const after = next ? `${next.name}:` : null;
      yield { ...page, cursor: page.cursor === null ? after : `${part.name}:${page.cursor}` };
    }
  }
}
