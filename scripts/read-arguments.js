import { parseArgs } from 'node:util';

/** What a command line says, as `parseArgs` has it. One that is wrong ends the command, with a line and its help. */
export function readArguments(config, help = '') {
  try {
    return parseArgs(config);
  } catch (error) {
    process.stderr.write([error.message, ...(help === '' ? [] : ['', help.trimEnd()]), ''].join('\n'));
    process.exit(1);
  }
}
