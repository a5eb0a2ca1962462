import { badParameter, Refusal, unknownParameter } from './errors.js';

/** The parameters of a call: `created[gte]=1` and `types[]=a` are by their first names. */
export class Query {
  readonly #values = new Map<string, [path: string, value: string][]>();

  constructor(parameters: URLSearchParams) {
    for (const [name, value] of parameters) {
      const [, base = name, path = ''] = /^([^[]+)((?:\[[^\]]*\])*)$/.exec(name) ?? [];
      this.#values.set(base, [...(this.#values.get(base) ?? []), [path, value]]);
    }
  }

  /** Refuses what is not among these names. */
  allow(names: readonly string[]): void {
    for (const name of this.#values.keys()) {
      if (!names.includes(name)) throw new Refusal(unknownParameter(name));
    }
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  text(name: string, path = ''): string | null {
    return this.#values.get(name)?.find(([own]) => own === path)?.[1] ?? null;
  }

  /** `name[0]=a&name[1]=b`, or `name[]=a`. */
  texts(name: string): readonly string[] {
    const all = this.#values.get(name) ?? [];
    const odd = all.find(([path]) => !/^\[\d*\]$/.test(path));
    if (odd) throw new Refusal(badParameter(name, 'Invalid array'));
    return all.map(([, value]) => value);
  }

  /** A number, or `gt`, `gte`, `lt`, `lte`. */
  range(name: string): (value: number | null) => boolean {
    const bounds = (this.#values.get(name) ?? []).map(([path, value]) => {
      const bound = Number(value);
      if (!Number.isInteger(bound)) throw new Refusal(badParameter(name, `Invalid integer: ${value}`));
      const compare = COMPARISONS[path];
      if (!compare) throw new Refusal(unknownParameter(`${name}${path}`));
      return (own: number) => compare(own, bound);
    });
    return (value) => bounds.every((fits) => value !== null && fits(value));
  }

  limit(): number {
    const text = this.text('limit') ?? '10';
    const limit = Number(text);
    if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
      throw new Refusal(badParameter('limit', `This value must be between 1 and 100 (inclusive): ${text}`));
    }
    return limit;
  }
}

const COMPARISONS: Readonly<Record<string, (own: number, bound: number) => boolean>> = {
  '': (own, bound) => own === bound,
  '[gt]': (own, bound) => own > bound,
  '[gte]': (own, bound) => own >= bound,
  '[lt]': (own, bound) => own < bound,
  '[lte]': (own, bound) => own <= bound,
};
