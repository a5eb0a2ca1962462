import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { FILES, NAMES } from '../../jest.cluster.config.js';

/** A renamed test would run on clusters again, and fail there only. */
test('what the suite on a cluster leaves out is there by the names it gives', () => {
  const text = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts') && !path.endsWith('cluster-suite.test.ts'))
    .map((path) => readFileSync(join('test', path), 'utf8'))
    .join('\n');
  expect(FILES.filter((path) => !existsSync(path))).toEqual([]);
  expect(NAMES.filter((name) => !text.includes(name))).toEqual([]);
});
