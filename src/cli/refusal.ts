/** A service's error, as in the answers of REST. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly field: string;
}

/** The error in a refused answer. A proxy in between answers with a page of its own: then the status is named. */
export async function refusalOf(answer: Response): Promise<Refusal> {
  const { host } = new URL(answer.url);
  const message = `${host} answered ${answer.status} ${answer.statusText}`.trim();
  const unknown: Refusal = { code: 'service-unavailable', message, field: '' };
  const body = (await answer.json().catch(() => null)) as { readonly error?: Partial<Refusal> } | null;
  return { ...unknown, ...body?.error };
}
