import type { FastifyInstance } from 'fastify';

/** The methods of a path, in the order of its routes, then OPTIONS; none for an unknown path. */
type MethodsOf = (path: string) => readonly string[];

/** Records every route added to the server from now on. */
export function noteMethods(server: FastifyInstance): MethodsOf {
  const noted = new Map<string, Set<string>>();
  server.addHook('onRoute', ({ url, method }) => {
    const methods = noted.get(url) ?? new Set();
    noted.set(url, methods);
    for (const one of [method].flat()) methods.add(one);
  });
  return (path) => {
    const parts = path.split('/');
    const methods = [...noted].filter(([url]) => fits(url.split('/'), parts)).map(([, set]) => [...set]);
    return methods.length === 0 ? [] : [...new Set([...methods.flat(), 'OPTIONS'])];
  };
}

/** A segment such as `:id` matches any. */
function fits(route: readonly string[], path: readonly string[]): boolean {
  return (
    route.length === path.length &&
    route.every((part, index) => (part.startsWith(':') ? path[index] !== '' : part === path[index]))
  );
}
