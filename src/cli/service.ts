import type { Config } from '../config/config.js';
import { readDemoApiKey } from '../demo/demo-key.js';
import { AppError } from '../errors.js';

/** A running service and a key for it: by default that of npm start on this machine, and the demo key. */
export function serviceOf(
  { service, key }: { readonly service?: string; readonly key?: string },
  config: Config,
): { readonly url: string; readonly apiKey: string } {
  const apiKey = key ?? readDemoApiKey(config);
  if (apiKey === null) throw new AppError('invalid-params', 'is needed: there is no demo key here', '--key');
  return { url: (service ?? `http://127.0.0.1:${config.port}`).replace(/\/+$/, ''), apiKey };
}
