import { Refusal, unreadableQuery } from '../problems.js';

export interface Token {
  readonly kind: 'word' | 'text' | 'sign';
  readonly text: string;
}

const PATTERN = /\s+|'((?:\\.|[^'\\])*)'|([A-Za-z_][\w.]*|-?\d[\w.:+-]*)|(<=|>=|!=|<>|[<>=(),*])/gy;

/** The words, quoted texts and signs of a query. A quote within a text comes after a backslash. */
export function tokensOf(query: string): readonly Token[] {
  const tokens: Token[] = [];
  PATTERN.lastIndex = 0;
  while (PATTERN.lastIndex < query.length) {
    const at = PATTERN.lastIndex;
    const found = PATTERN.exec(query);
    if (!found) {
      const sign = query.charAt(at);
      throw new Refusal(
        unreadableQuery(`Lexical error at line 1, column ${at + 1}.  Encountered: "${sign}"`),
      );
    }
    const [, text, word, sign] = found;
    if (text !== undefined) tokens.push({ kind: 'text', text: text.replace(/\\(.)/g, '$1') });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
  }
  return tokens;
}
