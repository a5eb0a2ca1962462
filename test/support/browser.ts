import { existsSync } from 'node:fs';
import { test } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const found = existsSync(CHROMIUM);
// CI installs a browser: there a skip would be a hole.
if (!found && process.env['CI']) throw new Error(`there is no Chromium at ${CHROMIUM}`);

/** A test that needs a browser. */
export const inBrowser = found ? test : test.skip;

/** Null where there is none. */
export async function launchBrowser(): Promise<Browser | null> {
  if (!found) return null;
  return chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
