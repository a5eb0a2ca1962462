import { html, Html } from '../../pages/html.js';
import { STYLE } from './style.js';

/** A notice at the top of a page. */
export interface Notice {
  readonly kind: 'success' | 'failure';
  readonly text: string;
  /** The customer's action; absent for a failure. */
  readonly outcome?: Outcome;
}

/** The customer's last action on a link's page, reported to the product that sent them there. */
export type Outcome = 'connected' | 'disconnected' | 'declined';

/** The page may only show itself and submit its own form. */
export const PAGE_HEADERS = {
  // No `form-action`: Chromium applies it to redirects too, and the form's response redirects to the platform.
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  // With `no-referrer`, browsers would send the origin `null` with its form.
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
} as const;

export function page(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${new Html(STYLE)}
        </style>
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html> `.text;
}

export const notices = (notice: Notice | null): Html | null =>
  notice &&
  html`<p class="notice ${notice.kind}" role="${notice.kind === 'failure' ? 'alert' : 'status'}">
    ${notice.text}
  </p>`;

/** A link's page: its URL, and the return URL. */
export interface Way {
  readonly address: string;
  /** Return URL with an allowed origin; null if none was given. */
  readonly returnUrl: string | null;
}

/** The URL of the page with parameters, which include the return URL. */
export function hrefOf(
  { address, returnUrl }: Way,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({
    ...parameters,
    ...(returnUrl === null ? {} : { [RETURN_FIELD]: returnUrl }),
  }).toString();
  return query === '' ? address : `${address}?${query}`;
}

/** The same for a form, whose fields are its query. */
export const returnField = ({ returnUrl }: Way): Html | null =>
  returnUrl === null ? null : html`<input type="hidden" name="${RETURN_FIELD}" value="${returnUrl}" />`;

export const RETURN_FIELD = 'return_url';

/** The parameter of the return URL that says what the customer did. */
const OUTCOME_FIELD = 'link_outcome';

/**
 * Link back to the product that sent the end customer here, with what he did; without one, how to decline. Anybody can
 * write an address: the outcome is a hint, and what is connected is asked of the service.
 */
export function returnLink({ returnUrl }: Way, outcome: Outcome): Html | null {
  const isDeclined = outcome === 'declined';
  if (returnUrl === null)
    return isDeclined ? html`<p>You need not connect anything: to decline, close this page.</p>` : null;
  const url = new URL(returnUrl);
  const label = isDeclined ? `Not now: return to ${url.host}` : `Return to ${url.host}`;
  // Appended as text, so that the product's own parameters keep their encoding.
  const own = url.search
    .slice(1)
    .split('&')
    .filter((one) => one !== '' && !one.startsWith(`${OUTCOME_FIELD}=`));
  url.search = [...own, `${OUTCOME_FIELD}=${outcome}`].join('&');
  return html`<p><a class="${isDeclined ? 'button second' : 'button'}" href="${url.href}">${label}</a></p>`;
}

/** A page with only a message: a link that no longer works, a callback without a link. */
export function messagePage(text: string, link: string | null = null): string {
  const title = 'This did not work';
  return page(
    title,
    html`<h1>${title}</h1>
      <p class="notice failure" role="alert">${text}</p>
      ${link !== null && html`<p><a class="button second" href="${link}">Open your link</a></p>`}`,
  );
}
