import { parseArgs } from 'node:util';

/** Parses a command line with `parseArgs`. On errors, prints the message and the help, and exits. */
export function readArguments(config, help = '') {
  try {
    return parseArgs(config);
  } catch (error) {
    process.stderr.write([error.message, ...(help === '' ? [] : ['', help.trimEnd()]), ''].join('\n'));
    process.exit(1);
  }
}
