import type { AccountChoice } from '../../connect/authorization.js';
import type { OpenLink } from '../../connect/find-link.js';
import { html, Html } from '../html.js';
import { markOf } from './mark.js';
import { hrefOf, page, type Way } from './page.js';

interface AccountsPage extends AccountChoice {
  /** Where the choice is sent. */
  readonly action: string;
  readonly way: Way;
}

/** The accounts that an access opened: one of them becomes the connection. */
export function accountsPage(
  link: OpenLink,
  { connector, accounts, state, action, way }: AccountsPage,
): string {
  const title = `Choose an account of ${connector.title}`;
  return page(
    title,
    html`<div class="head">
        ${markOf(connector)}
        <h1>${title}</h1>
      </div>
      <p>
        You let ${link.organisationName} in to several accounts. Which one belongs to
        <strong>${link.companyName}</strong>? The others are not read.
      </p>
      <form method="post" action="${action}">
        <input type="hidden" name="state" value="${state}" />
        <fieldset>
          <legend>Account</legend>
          ${accounts.map(
            ({ externalAccountId, name }, index) =>
              html`<label>
                <input
                  type="radio"
                  name="account"
                  value="${externalAccountId}"
                  required
                  ${index === 0 && new Html('checked')}
                />
                ${name ?? externalAccountId}
              </label>`,
          )}
        </fieldset>
        <div class="row">
          <button>Connect this account</button>
          <a href="${hrefOf(way)}">Back</a>
        </div>
      </form>`,
  );
}
