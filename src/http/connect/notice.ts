import type { PlatformChoice } from '../../connect/choices.js';
import type { Notice } from './pages/page.js';

/** Notice at the top of a link's page, given the connections on it. */
export type NoticeOf = (choices: readonly PlatformChoice[]) => Notice | null;

const CONNECTED = 'Thank you: it is connected, and the records are on their way. You can close this page.';
const SEVERAL_CONNECTED =
  'Thank you: they are connected, and the records are on their way. You can close this page.';
const DISCONNECTED = 'It is disconnected: nothing more is read or written.';

/** Connections in the query of a link's page, on which `noticeOf` reports. */
export const inQuery = (connections: readonly { readonly connectionId: number }[]): string =>
  connections.map(({ connectionId }) => connectionId).join('.');

/**
 * Notice on the connections that the query names. Reports only their current state: anyone can write a query, and pages
 * are reloaded later.
 */
export function noticeOf(
  query: Readonly<Record<string, unknown>>,
  choices: readonly PlatformChoice[],
): Notice | null {
  const shown = choices.flatMap(({ connections }) => connections);
  const statuses = new Map(shown.map(({ connectionId, status }) => [String(connectionId), status]));
  const areAll = (ids: readonly string[], status: string) => ids.every((id) => statuses.get(id) === status);
  const { connected, disconnected } = query;
  if (typeof connected === 'string') {
    const ids = [...new Set(connected.split('.'))];
    if (!areAll(ids, 'HEALTHY')) return null;
    return { kind: 'success', text: ids.length === 1 ? CONNECTED : SEVERAL_CONNECTED, outcome: 'connected' };
  }
  if (typeof disconnected === 'string' && areAll([disconnected], 'DISCONNECTED')) {
    return { kind: 'success', text: DISCONNECTED, outcome: 'disconnected' };
  }
  return null;
}
