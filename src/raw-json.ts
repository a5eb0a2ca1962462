/** No text of ours holds NUL, so this marks the place of a raw value beyond doubt. */
const MARK = '\0raw:';
const PLACE = /"\\u0000raw:(\d+)"/g;

let collected: string[] = [];

/** JSON text as PostgreSQL holds it, passed on without a parse: no digit of a number is lost. */
export class RawJson {
  constructor(readonly text: string) {}

  /** Leaves a mark that `stringifyJson` replaces by the text. */
  toJSON(): string {
    collected.push(this.text);
    return `${MARK}${collected.length - 1}`;
  }
}

/** `JSON.stringify` that puts raw values in as they are. */
export function stringifyJson(value: unknown): string {
  collected = [];
  const text = JSON.stringify(value);
  const raws = collected;
  return raws.length === 0
    ? text
    : text.replace(PLACE, (_whole, place: string) => raws[Number(place)] ?? 'null');
}
