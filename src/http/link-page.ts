import type { PlatformChoice } from '../connect/choices.js';
import type { OpenLink } from '../connect/find-link.js';
import { html, Html } from './html.js';

/** What the page says above the choices. */
export interface Notice {
  readonly kind: 'success' | 'failure';
  readonly text: string;
}

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem; color: #1a2233 }
  h1 { font-size: 1.4rem } ul { list-style: none; padding: 0 }
  li { display: flex; align-items: center; gap: 1rem; border: 1px solid #c9d1de; border-radius: 8px; padding: .8rem 1rem; margin: .6rem 0 }
  li div { flex: 1 } small { color: #55617a } .state { font-weight: 600 }
  button { font: inherit; padding: .5rem 1rem; border: 0; border-radius: 6px; background: #1f5fd0; color: #fff; cursor: pointer }
  button:focus-visible { outline: 3px solid #ffb000; outline-offset: 2px }
  .notice { padding: .8rem 1rem; border-radius: 8px } .success { background: #e2f5e6 } .failure { background: #fde7e5 }`;

/** May the page do anything but show itself and send its own form? No. */
export const PAGE_HEADERS = {
  // The form's answer sends the browser on to the platform, which is another origin.
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
} as const;

function page(title: string, body: Html): string {
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

const notices = (notice: Notice | null): Html | null =>
  notice &&
  html`<p class="notice ${notice.kind}" role="${notice.kind === 'failure' ? 'alert' : 'status'}">
    ${notice.text}
  </p>`;

/**
 * The page of a link: whose data is asked for, by whom, and the platforms to connect. `address` is the link's own: the
 * page is also shown where platforms send people back to.
 */
export function linkPage(
  link: OpenLink,
  address: string,
  choices: readonly PlatformChoice[],
  notice: Notice | null,
): string {
  const title = `Connect ${link.companyName}`;
  return page(
    title,
    html`<h1>${title}</h1>
      <p>
        ${link.organisationName} asks for access to the books of <strong>${link.companyName}</strong>. Choose
        where they are kept; you will sign in there and can say no.
      </p>
      ${notices(notice)}
      ${
        choices.length > 0 &&
        html`<ul>
          ${choices.map((choice) => choiceItem(choice, address))}
        </ul>`
      }
      ${choices.length === 0 && html`<p>No platform can be connected yet. Please tell ${link.organisationName}.</p>`}`,
  );
}

function choiceItem({ connector, status, accountName }: PlatformChoice, address: string): Html {
  const isConnected = status === 'HEALTHY';
  const state = isConnected ? 'Connected' : status === null ? null : 'Needs to be connected again';
  return html`<li>
    <div>
      ${connector.title}<br />
      <small>${connector.category.toLowerCase()}${accountName !== null && html`, ${accountName}`}</small>
      ${state !== null && html`<br /><span class="state">${state}</span>`}
    </div>
    <form method="post" action="${address}">
      <input type="hidden" name="platform" value="${connector.integrationType}:${connector.category}" />
      <button>${status === null ? 'Connect' : 'Reconnect'}</button>
    </form>
  </li>`;
}

/** A page that only says something: a link that works no more, an answer that belongs to no link. */
export function messagePage(title: string, text: string): string {
  return page(
    title,
    html`<h1>${title}</h1>
      <p class="notice failure" role="alert">${text}</p>`,
  );
}
