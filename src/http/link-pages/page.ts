import { html, Html } from '../html.js';
import { STYLE } from './style.js';

/** What a page says above everything else. */
export interface Notice {
  readonly kind: 'success' | 'failure';
  readonly text: string;
}

/** May the page do anything but show itself and send its own form? No. */
export const PAGE_HEADERS = {
  // The form's answer sends the browser on to the platform, which is another origin.
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
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

/** The page of a link: its address, and where the end customer came from. */
export interface Way {
  readonly address: string;
  /** Of an allowed origin; null where there is none. */
  readonly returnUrl: string | null;
}

/** The address of the page with parameters, from which the way back is known again. */
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

/** Back to the product that sent the end customer here. */
export const returnLink = ({ returnUrl }: Way, look: string): Html | null =>
  returnUrl === null
    ? null
    : html`<p><a class="${look}" href="${returnUrl}">Return to ${new URL(returnUrl).host}</a></p>`;

/** A page that only says something: a link that works no more, an answer that belongs to no link. */
export function messagePage(title: string, text: string): string {
  return page(
    title,
    html`<h1>${title}</h1>
      <p class="notice failure" role="alert">${text}</p>`,
  );
}
