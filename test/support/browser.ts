import { existsSync } from 'node:fs';
import { test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import { TIME_FACTOR } from './time-factor.js';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const found = existsSync(CHROMIUM);
/** For an element of a page to be there. */
const WAIT_MS = 30_000;
// CI installs a browser: there a skip would be a hole.
if (!found && process.env['CI']) throw new Error(`there is no Chromium at ${CHROMIUM}`);

/** A test that needs a browser. */
export const inBrowser = found ? test : test.skip;

/** Null where there is none. */
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
  // That of pages, too.
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(WAIT_MS * TIME_FACTOR);
    return context;
  };
  return browser;
}

/** Which hosts a page asks, and what goes wrong in it. */
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
