/** Shorter strings are not secrets, and redacting them would garble the text. */
const MIN_SECRET = 8;

/** Redacts `secrets`, whether plain, JSON-escaped or percent-encoded. */
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
