import { createHash } from 'node:crypto';
import type { Reply } from '../http/reply.js';
import { type Platform, PLATFORM_TITLES } from '../platform.js';
import type { Account } from '../store/accounts.js';

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; color: #1c1e21; background: #f4f5f7; margin: 0; }
main { max-width: 28rem; margin: 3rem auto; padding: 1.5rem 2rem; background: #fff; border: 1px solid #d5d9de; border-radius: 8px; }
h1 { font-size: 1.3rem; margin-top: 0; }
fieldset { border: 1px solid #d5d9de; border-radius: 6px; margin: 1rem 0; padding: .5rem 1rem; }
label { display: block; padding: .35rem 0; }
button { font: inherit; padding: .5rem 1.2rem; border-radius: 6px; border: 1px solid #1f5fbf; background: #1f5fbf; color: #fff; margin-right: .5rem; }
button[value=deny] { background: #fff; color: #1f5fbf; }
:focus-visible { outline: 3px solid #f2a900; outline-offset: 2px; }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** `formTarget`: where the form's answer redirects to; browsers apply `form-action` to that, too. */
function page(status: number, title: string, content: string, formTarget = ''): Reply {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    `form-action 'self' ${formTarget}`.trim(),
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
    },
    body: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escape(title)}</h1>
${content}
</main></body>
</html>
`,
  };
}

/** The page for a request that must not be redirected to the URI it names. */
export const errorPage = (platform: Platform, message: string): Reply =>
  page(400, PLATFORM_TITLES[platform], `<p role="alert">${escape(message)}</p>`);

interface Consent {
  readonly platform: Platform;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly scope: string;
  /** Fields that the form sends back. */
  readonly fields: Readonly<Record<string, string>>;
  readonly accounts: readonly Account[];
  readonly chosen: string | null;
}

const SCOPES: Readonly<Record<string, string>> = { read: 'read its data', write: 'write to it' };

/** Asks for consent, and for which account. */
export function consentPage(consent: Consent): Reply {
  const { platform, clientId, redirectUri, scope, fields, accounts } = consent;
  const title = `${PLATFORM_TITLES[platform]}: allow access`;
  const { protocol, host } = new URL(redirectUri);
  if (accounts.length === 0)
    return page(200, title, '<p role="alert">This platform has no accounts yet.</p>');
  const chosen = accounts.some(({ id }) => id === consent.chosen) ? consent.chosen : accounts[0]?.id;
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
  );
  const choices = accounts.map(
    ({ id, name }) =>
      `<label><input type="radio" name="account" value="${escape(id)}"${id === chosen ? ' checked' : ''} required> ${escape(name)} <small>(${escape(id)})</small></label>`,
  );
  const wishes = scope.split(' ').map((one) => `<li>${escape(SCOPES[one] ?? one)}</li>`);
  return page(
    200,
    title,
    `<p><strong>${escape(clientId)}</strong> at ${escape(host)} asks for access to one of your accounts, to:</p>
<ul>${wishes.join('')}</ul>
<form method="post" action="">
${hidden.join('\n')}
<fieldset><legend>Account</legend>
${choices.join('\n')}
</fieldset>
<button type="submit" name="decision" value="approve">Allow</button>
<button type="submit" name="decision" value="deny" formnovalidate>Refuse</button>
</form>`,
    host === '' ? protocol : `${protocol}//${host}`,
  );
}
