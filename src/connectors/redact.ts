/** Shorter ones are no secrets, and would black out half of a text. */
const MIN_SECRET = 8;

/** The text without `secrets`, as they are or as JSON and percent-encoding may write them. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= MIN_SECRET)
    .reduce((left, secret) => left.replace(patternOf(secret), '[redacted]'), text);
}

function patternOf(secret: string): RegExp {
  const letters = [...secret].map((letter) => {
    const hex = letter.charCodeAt(0).toString(16).padStart(2, '0');
    return String.raw`(?:\\?${escaped(letter)}|\\u00${hex}|%${hex})`;
  });
  return new RegExp(letters.join(''), 'gi');
}

const escaped = (letter: string): string => letter.replace(/[^A-Za-z0-9]/g, String.raw`\$&`);
