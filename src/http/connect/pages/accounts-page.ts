import type { AccountChoice } from '../../../connect/authorization.js';
import type { ShownConnection } from '../../../connect/choices.js';
import type { OpenLink } from '../../../connect/find-link.js';
import { html, Html } from '../../pages/html.js';
import { markOf } from './mark.js';
import { hrefOf, notices, page, type Way } from './page.js';

interface AccountsPage extends AccountChoice {
  /** URL to which the choice is posted. */
  readonly action: string;
  readonly way: Way;
  /** The company's connections to this platform. */
  readonly connections: readonly ShownConnection[];
  /** Error in the choice. */
  readonly wrong: string | null;
}

/** The accounts covered by a consent: chosen ones become connections. */
export function accountsPage(
  link: OpenLink,
  { connector, accounts, state, action, way, connections, wrong }: AccountsPage,
): string {
  const title = `Choose accounts of ${connector.title}`;
  const known = new Set(connections.map(({ externalAccountId }) => externalAccountId));
  const offered = accounts.map(({ externalAccountId, name }) => ({
    externalAccountId,
    name: name ?? externalAccountId,
    isKnown: known.has(externalAccountId),
  }));
  const isNew = offered.every(({ isKnown }) => !isKnown);
  return page(
    title,
    html`<div class="head">
        ${markOf(connector)}
        <h1>${title}</h1>
      </div>
      <p>
        You let ${link.organisationName} in to several accounts. Choose those that belong to
        <strong>${link.companyName}</strong>; the others are not read.
      </p>
      ${notices(wrong === null ? null : { kind: 'failure', text: wrong })}
      <form method="post" action="${action}">
        <input type="hidden" name="state" value="${state}" />
        <fieldset>
          <legend>Accounts</legend>
          ${offered.map(
            ({ externalAccountId, name, isKnown }, index) =>
              html`<label>
                <input
                  type="checkbox"
                  name="account"
                  value="${externalAccountId}"
                  ${(isKnown || (isNew && index === 0)) && new Html('checked')}
                />
                ${name} ${isKnown && html`<small>(connected before)</small>`}
              </label>`,
          )}
        </fieldset>
        <div class="row">
          <button>Connect</button>
          <a href="${hrefOf(way)}">Back</a>
        </div>
      </form>`,
  );
}
