import { createHmac } from 'node:crypto';

import type { Logger } from '../telemetry/log.js';
import type { Platform } from './platform.js';

/** A receiver of change notifications, with the secret that signs them. */
interface Subscriber {
  readonly platform: Platform;
  readonly url: string;
  readonly secret: string;
}

interface Changed {
  readonly platform: Platform;
  /** The account's id in the platform's API. */
  readonly account: string;
  readonly kinds: readonly string[];
}

const PATIENCE_MS = 5000;

/** Notifies subscribers of changes, as platforms do: signed, after the answer, and without retries. */
export class Hooks {
  #subscribers: readonly Subscriber[] = [];

  constructor(private readonly log: Logger) {}

  /** Replaces the platform's subscribers. */
  subscribe(platform: Platform, subscribers: readonly Subscriber[]): void {
    this.#subscribers = [...this.#subscribers.filter((one) => one.platform !== platform), ...subscribers];
  }

  tell({ platform, account, kinds }: Changed): void {
    const body = JSON.stringify({ events: kinds.map((kind) => ({ account, kind })) });
    for (const { url, secret } of this.#subscribers.filter((one) => one.platform === platform)) {
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const headers = { 'content-type': 'application/json', 'sandbox-signature': signature };
      fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(PATIENCE_MS) })
        .then(async (answer) => {
          await answer.arrayBuffer();
          if (!answer.ok) this.log.warn({ url, status: answer.status }, 'a hook was refused');
        })
        .catch((error: unknown) => this.log.warn({ err: error, url }, 'a hook did not arrive'));
    }
  }
}
