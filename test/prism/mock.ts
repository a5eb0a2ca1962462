import { readFileSync } from 'node:fs';

type Example = Record<string, any>;

/** Xero's official description, served by Prism: where, and what it says. */
export const mock = {
  url: process.env['TEST_XERO_URL'] ?? '',
  examples: JSON.parse(readFileSync(process.env['TEST_XERO_DESCRIPTION'] ?? '', 'utf8')) as Example,
};
