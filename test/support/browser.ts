import { existsSync } from 'node:fs';
import { test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import { TIME_FACTOR } from './time-factor.js';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const found = existsSync(CHROMIUM);
/** How long to wait for an element of a page. */
const WAIT_MS = 30_000;
// CI installs a browser: skipping there would leave a gap in coverage.
if (!found && process.env['CI']) throw new Error(`there is no Chromium at ${CHROMIUM}`);

/** A test that needs a browser. */
export const inBrowser = found ? test : test.skip;

/** Null if there is no browser. */
export async function launchBrowser(): Promise<Browser | null> {
  if (!found) return null;
  const browser = await chromium.launch({
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
  const newContext = browser.newContext.bind(browser);
  // `newPage` creates its context here too.
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(WAIT_MS * TIME_FACTOR);
    return context;
  };
  return browser;
}

/** Collects the hosts that a page requests and the errors in it. */
export function watch(page: Page): { readonly hosts: Set<string>; readonly problems: string[] } {
  const hosts = new Set<string>();
  const problems: string[] = [];
  page.on('request', (request) => {
    const { host } = new URL(request.url());
    if (host !== '') hosts.add(host);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return { hosts, problems };
}
