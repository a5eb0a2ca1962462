import { html, Html } from '../../pages/html.js';
import { STYLE } from './style.js';

/** A notice at the top of a page. */
export interface Notice {
  readonly kind: 'success' | 'failure';
  readonly text: string;
}

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
  /** Of an allowed origin; null if there is none. */
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

/** Link back to the product that sent the end customer here. */
export const returnLink = ({ returnUrl }: Way, look: string): Html | null =>
  returnUrl === null
    ? null
    : html`<p><a class="${look}" href="${returnUrl}">Return to ${new URL(returnUrl).host}</a></p>`;

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
