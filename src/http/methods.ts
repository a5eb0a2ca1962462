import type { FastifyInstance } from 'fastify';

/** The methods that a path takes, in the order of its routes, then OPTIONS; none for a path that is not there. */
type MethodsOf = (path: string) => readonly string[];

/** Notes every route that is added to the server from here on. */
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

/** A part such as `:id` stands for any one. */
function fits(route: readonly string[], path: readonly string[]): boolean {
  return (
    route.length === path.length &&
    route.every((part, index) => (part.startsWith(':') ? path[index] !== '' : part === path[index]))
  );
}
