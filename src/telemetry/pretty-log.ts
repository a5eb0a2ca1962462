const LEVELS: Readonly<Record<number, readonly [name: string, colour: number]>> = {
  10: ['trace', 90],
  20: ['debug', 90],
  30: ['info', 32],
  40: ['warn', 33],
  50: ['error', 31],
  60: ['fatal', 31],
};

/** Control characters of foreign text would reach the terminal as commands. */
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g;

/** A log line for people: time, level, message, then the other fields. */
export function prettyLine(json: string): string {
  const { level, time, msg, err, pid: _pid, hostname: _hostname, ...fields } = JSON.parse(json) as Line;
  const [name, colour] = LEVELS[level] ?? ['log', 0];
  const clock = new Date(time).toTimeString().slice(0, 8);
  const known = Object.entries(fields)
    .filter(([, value]) => value !== null)
    .map(([field, value]) => `${field}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const parts = [paint(90, clock), paint(colour, name.padEnd(5)), clean(msg ?? '')];
  if (known.length > 0) parts.push(paint(90, known.join(' ')));
  const lines = [parts.join(' '), ...(err ? [clean(err.stack ?? JSON.stringify(err))] : [])];
  return `${lines.join('\n')}\n`;
}

interface Line {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
  readonly [field: string]: unknown;
}

const clean = (text: string): string => text.replace(CONTROL, '?');

const paint = (colour: number, text: string): string => `\u001b[${colour}m${clean(text)}\u001b[0m`;
