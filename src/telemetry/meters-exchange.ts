import { readMeters, type ReadMeters } from './meters.js';

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
/** For an end that is itself asked: one of the others that hangs must not cost it its answer. */
const NESTED_MS = 1000;

let asked = 0;

/** Requests the other end's metrics; none if it does not answer. */
export function askMeters(channel: Channel, patienceMs = PATIENCE_MS): Promise<readonly ReadMeters[]> {
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
    const late = setTimeout(end, patienceMs, []);
    channel.on('message', listen);
    channel.send?.({ askMeters: id } satisfies Message, (error) => {
      if (error) end([]);
    });
  });
}

/** Answers the other end's requests with the metrics of this process and of the others. */
export function answerAsks(channel: Channel, others: () => readonly Channel[] = () => []): void {
  channel.on('message', (message) => {
    const { askMeters: id } = (message ?? {}) as Message;
    if (id === undefined) return;
    const asks = others().map((one) => askMeters(one, NESTED_MS));
    void Promise.all([readMeters(), ...asks]).then(([own, ...more]) => {
      const meters = [own, ...more.flat()];
      channel.send?.({ metersAsked: id, meters } satisfies Message, () => undefined);
    });
  });
}
