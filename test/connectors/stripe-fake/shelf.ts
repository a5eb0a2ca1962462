/** An object with its place in lists, which go by when it was made. */
export interface Kept<T> {
  readonly value: T;
  /** In seconds. */
  readonly made: number;
  readonly order: number;
  deleted: boolean;
}

const newestFirst = (one: Kept<unknown>, other: Kept<unknown>): number =>
  other.made - one.made || other.order - one.order;

/** The objects of a type. */
export class Shelf<T extends { readonly id: string }> {
  readonly #byId = new Map<string, Kept<T>>();
  #sorted: Kept<T>[] | null = null;

  add(value: T, made: number): T {
    this.#byId.set(value.id, { value, made, order: this.#byId.size, deleted: false });
    this.#sorted = null;
    return value;
  }

  /** Deleted ones, too. */
  find(id: string): Kept<T> | null {
    return this.#byId.get(id) ?? null;
  }

  get(id: string | null): T | null {
    const found = id === null ? null : this.find(id);
    return found && !found.deleted ? found.value : null;
  }

  remove(id: string): void {
    const found = this.find(id);
    if (found) found.deleted = true;
    this.#sorted = null;
  }

  /** The living, newest first. */
  rows(): readonly Kept<T>[] {
    this.#sorted ??= [...this.#byId.values()].filter(({ deleted }) => !deleted).sort(newestFirst);
    return this.#sorted;
  }

  values(): readonly T[] {
    return this.rows().map(({ value }) => value);
  }

  static isAfter(one: Kept<unknown>, other: Kept<unknown>): boolean {
    return newestFirst(one, other) > 0;
  }
}
