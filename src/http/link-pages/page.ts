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

/** A page that only says something: a link that works no more, an answer that belongs to no link. */
export function messagePage(title: string, text: string): string {
  return page(
    title,
    html`<h1>${title}</h1>
      <p class="notice failure" role="alert">${text}</p>`,
  );
}
