import { request } from 'undici';

/** Approves an authorisation by the form of the sandbox's consent page. Returns the platform's callback parameters. */
export async function approveConsent(address: string, account: string): Promise<URLSearchParams> {
  const url = new URL(address);
  const form = new URLSearchParams(url.search);
  form.set('account', account);
  form.set('decision', 'approve');
  const response = await request(url.origin + url.pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  });
  const text = await response.body.text();
  const { location } = response.headers;
  if (response.statusCode !== 303 || typeof location !== 'string') {
    throw new Error(`the sandbox did not approve ${account}: ${response.statusCode} ${text.slice(0, 300)}`);
  }
  return new URL(location).searchParams;
}
