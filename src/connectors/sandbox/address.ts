/** Where `npm run sandbox` listens. */
const LOCAL = 'http://127.0.0.1:4100';

/** The root of the sandbox, without a slash at its end: the three platforms are below it. */
export function sandboxRoot(baseUrl: string | null): string {
  return (baseUrl ?? LOCAL).replace(/\/+$/, '');
}
