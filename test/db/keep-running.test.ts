import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { dataFolder } from '../../src/db/embedded/data-folder.js';
import { keepRunning } from '../../src/db/embedded/keep-running.js';
import { until } from '../support/until.js';

test('a data folder that cannot be read for a while is looked at again', async () => {
  const folder = dataFolder(mkdtempSync(join(tmpdir(), 'svc-unread-')));
  const pidFile = join(folder.cluster, 'postmaster.pid');
  // Not a file: reading it fails, also for an administrator.
  mkdirSync(pidFile, { recursive: true });
  const told: string[] = [];
  const restartedAt: number[] = [];
  const relaunch = async (port: number) => {
    restartedAt.push(port);
    return null;
  };
  const kept = keepRunning(folder, { pid: 1, port: 5432, status: 'ready' }, relaunch, (message) =>
    told.push(message),
  );
  await until('a failed look', () => told.some((message) => message.includes('EISDIR')));
  expect(restartedAt).toEqual([]);
  rmSync(pidFile, { recursive: true });
  await until('a restart', () => restartedAt.length > 0);
  expect(restartedAt).toEqual([5432]);
  await kept.letGo();
  rmSync(folder.path, { recursive: true });
});
