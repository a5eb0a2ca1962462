import { flag, integer, type Parser, Problem } from './parsers.js';
import type { ServerSettings } from './server.js';
import type { Variables } from './variables.js';

/** The data and the platforms of a first start. */
export interface DemoSettings {
  readonly demoData: boolean;
  readonly demoApiKey: string | null;
  /** Port of the demo's sandbox platforms; 0: any free port. */
  readonly sandboxPort: number;
}

/** Characters that a header can carry unescaped. */
const keyText: Parser<string> = (value) =>
  /^[\x21-\x7e]{24,}$/.test(value)
    ? value
    : new Problem('at least 24 printable ASCII characters, without spaces');

export function readDemo(
  variables: Variables,
  {
    isDefault,
    port,
    metricsAddress,
  }: { isDefault: boolean } & Pick<ServerSettings, 'port' | 'metricsAddress'>,
): DemoSettings {
  const isNextFree = port > 0 && port < 65_535 && metricsAddress?.port !== port + 1;
  return {
    demoData: variables.read('DEMO_DATA', flag, isDefault),
    demoApiKey: variables.read<string | null>('DEMO_API_KEY', keyText, null),
    sandboxPort: variables.read('SANDBOX_PORT', integer(0, 65_535), isNextFree ? port + 1 : 0),
  };
}
