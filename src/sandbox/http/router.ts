/** Method, path with `:name` for one segment, and the handler. */
export type Route<Handler> = readonly [method: string, pattern: string, handler: Handler];

type Match<Handler> =
  | { readonly handler: Handler; readonly params: Readonly<Record<string, string>>; readonly pattern: string }
  | 'no-path'
  | 'no-method';

/** The first route that matches, in the order given. */
export function matchRoute<Handler>(
  routes: readonly Route<Handler>[],
  method: string,
  path: string,
): Match<Handler> {
  const segments = path.split('/');
  let known = false;
  for (const [routeMethod, pattern, handler] of routes) {
    const params = matchPattern(pattern.split('/'), segments);
    if (!params) continue;
    if (routeMethod === method) return { handler, params, pattern };
    known = true;
  }
  return known ? 'no-method' : 'no-path';
}

function matchPattern(
  pattern: readonly string[],
  segments: readonly string[],
): Readonly<Record<string, string>> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    // `:number.json` captures the part before the suffix.
    const [name = '', ending = ''] = part.startsWith(':') ? split(part.slice(1)) : [];
    if (name === '') {
      if (part !== segment) return null;
    } else {
      if (!segment.endsWith(ending) || segment.length === ending.length) return null;
      params[name] = decode(segment.slice(0, segment.length - ending.length));
    }
  }
  return params;
}

function split(text: string): [string, string] {
  const dot = text.indexOf('.');
  return dot < 0 ? [text, ''] : [text.slice(0, dot), text.slice(dot)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
