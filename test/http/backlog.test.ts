import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { startApp } from '../support/service.js';

const CLIENTS = 700;

/** Prints how many of so many connections to a port are made within two seconds. */
const CONNECT = `
  const { connect } = require('node:net');
  let made = 0;
  for (let n = 0; n < ${CLIENTS}; n++)
    connect(Number(process.argv[1]), '127.0.0.1', () => made++).on('error', () => {});
  setTimeout(() => {
    console.log(made);
    process.exit();
  }, 2000);`;

function allowedBySystem(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));
  } catch {
    return 0;
  }
}

(allowedBySystem() > CLIENTS ? test : test.skip)(
  'hundreds of clients that connect while the service is busy have their connections at once',
  async () => {
    const app = await startApp();
    // The service shares this process: it accepts nothing while it waits for the other one.
    const made = execFileSync(process.execPath, ['-e', CONNECT, new URL(app.url).port], { encoding: 'utf8' });
    await app.close();
    expect(Number(made)).toBe(CLIENTS);
  },
);
