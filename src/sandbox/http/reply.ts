/** An answer. `fate` is how a fault breaks it in transit. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | AsyncIterable<string> | null;
  readonly fate?: 'hang' | 'cut';
}

/** An answer with JSON text. */
export const jsonText = (status: number, body: string, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body,
});

/** An answer with a value as JSON. */
export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  jsonText(status, JSON.stringify(body), headers);

export const empty = (status: number, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  body: null,
});

/** Never answers; the connection closes after a timeout. */
export const HANG: Reply = { status: 200, headers: {}, body: null, fate: 'hang' };
