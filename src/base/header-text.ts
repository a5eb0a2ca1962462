/** What the value of a header cannot hold, and the sign of an encoding. */
const UNSAFE = /[^\x20-\x7e]|%/;

/**
 * A text as the value of a header: readable, with only control characters, those beyond ASCII and `%` percent-encoded,
 * so that decoding gives the text. Ends with a whole character within `max`.
 */
export function headerText(text: string, max = Infinity): string {
  let written = '';
  for (const character of text) {
    // Half a surrogate pair, which a name may hold or be cut to, cannot be encoded.
    const part = UNSAFE.test(character)
      ? encodeURIComponent(character.replace(/\p{Cs}/u, '\ufffd'))
      : character;
    if (written.length + part.length > max) break;
    written += part;
  }
  return written;
}
