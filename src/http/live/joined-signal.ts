import { setMaxListeners } from 'node:events';

/** A signal that is aborted with the first of several. */
interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Ends the join, leaving no listeners on the other signals. */
  readonly leave: () => void;
}

/**
 * Joins signals, of which some live much longer than the joined one. `AbortSignal.any` leaves over a kilobyte with each
 * of them that is never aborted, like that of the process's end.
 */
export function joinSignals(signals: readonly AbortSignal[]): JoinedSignal {
  setMaxListeners(0, ...signals);
  const joined = new AbortController();
  const abort = () => joined.abort();
  for (const signal of signals) {
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
  }
  return {
    signal: joined.signal,
    leave: () => signals.forEach((signal) => signal.removeEventListener('abort', abort)),
  };
}
