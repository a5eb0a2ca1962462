/** Markup with escaped values; only values made by `html` are inserted unescaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = string | number | Html | readonly Html[] | null | false;

/** A tagged template for markup: every value is escaped, so that a name cannot inject a script. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(
    parts.reduce(
      (text, part, index) => text + (index === 0 ? '' : shown(values[index - 1] ?? null)) + part,
      '',
    ),
  );
}

function shown(value: Value): string {
  if (value === null || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map((one) => one.text).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
