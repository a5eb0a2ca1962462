import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { answerAsks, askMeters } from '../../src/telemetry/meters-exchange.js';

/** An end of a channel; what it sends, the other end receives. */
class End extends EventEmitter {
  other: End | null = null;

  send(message: object): void {
    this.other?.emit('message', message);
  }
}

test('a process that hangs costs the others none of their metrics', async () => {
  const [child, parent, hung] = [new End(), new End(), new End()];
  child.other = parent;
  parent.other = child;
  answerAsks(parent, () => [hung]);
  expect(await askMeters(child)).toHaveLength(1);
});

test('a process whose end has gone is asked for nothing', async () => {
  const gone = Object.assign(new EventEmitter(), {
    send: (_message: object, callback: (error: Error) => void) => callback(new Error('channel closed')),
  });
  expect(await askMeters(gone)).toEqual([]);
});
