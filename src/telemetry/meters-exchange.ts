import type { ReadMeters } from './meters.js';

/** The other end of a channel between processes: `process` in a child, a cluster's worker in its parent. */
interface Channel {
  /** Without the callback, a message to an end that has gone would be an uncaught error. */
  send?(message: object, callback: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

interface Message {
  readonly askMeters?: number;
  readonly metersAsked?: number;
  readonly meters?: readonly ReadMeters[];
}

/** A process that does not answer is skipped: a scrape has 10 s. */
const PATIENCE_MS = 2000;

let asked = 0;

/** Requests the other end's metrics; none if it does not answer. */
export function askMeters(channel: Channel): Promise<readonly ReadMeters[]> {
  const id = (asked += 1);
  return new Promise((resolve) => {
    const end = (meters: readonly ReadMeters[]) => {
      clearTimeout(late);
      channel.off('message', listen);
      resolve(meters);
    };
    const listen = (message: unknown) => {
      const { metersAsked, meters } = (message ?? {}) as Message;
      if (metersAsked === id) end(meters ?? []);
    };
    const late = setTimeout(end, PATIENCE_MS, []);
    channel.on('message', listen);
    channel.send?.({ askMeters: id } satisfies Message, (error) => {
      if (error) end([]);
    });
  });
}

/** Answers the other end's requests. */
export function answerAsks(channel: Channel, read: () => Promise<readonly ReadMeters[]>): void {
  channel.on('message', (message) => {
    const { askMeters: id } = (message ?? {}) as Message;
    if (id === undefined) return;
    void read().then((meters) => {
      channel.send?.({ metersAsked: id, meters } satisfies Message, () => undefined);
    });
  });
}
