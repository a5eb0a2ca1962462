import type { PlatformChoice, ShownConnection } from '../../../connect/choices.js';
import type { Connector } from '../../../connectors/connector.js';
import type { OpenLink } from '../../../connect/find-link.js';
import { html, type Html } from '../../pages/html.js';
import { notices, type Notice, type Outcome, page, returnField, returnLink, type Way } from './page.js';
import { consentLines } from './consent.js';
import { markOf } from './mark.js';

/**
 * The page of a link: whose data is requested, by whom, and the platforms to connect. Also shown after a platform's
 * redirect.
 */
export function linkPage(
  link: OpenLink,
  way: Way,
  choices: readonly PlatformChoice[],
  notice: Notice | null,
): string {
  const title = `Connect ${link.companyName}`;
  return page(
    title,
    html`<h1>${title}</h1>
      <p>
        ${link.organisationName} asks for access to the books of <strong>${link.companyName}</strong>. Choose
        where they are kept; you can decline, and disconnect later.
      </p>
      ${notices(notice)} ${returnLink(way, notice?.outcome ?? outcomeOf(choices))}
      ${
        choices.length > 0 &&
        html`<ul class="platforms">
          ${choices.map((choice) => choiceItem(choice, way))}
        </ul>`
      }
      ${choices.length === 0 && html`<p>No platform can be connected yet. Please tell ${link.organisationName}.</p>`}`,
  );
}

/** Outcome for a customer who returns to the product without a further step. */
const outcomeOf = (choices: readonly PlatformChoice[]): Outcome =>
  choices.some(({ connections }) => connections.some(({ status }) => status === 'HEALTHY'))
    ? 'connected'
    : 'declined';

function choiceItem(choice: PlatformChoice, way: Way): Html {
  const { connector, connections } = choice;
  const { title, category } = connector;
  return html`<li>
    <div class="head">
      ${markOf(connector)}
      <div>
        <h2>${title}</h2>
        <small>${category.toLowerCase()}</small>
      </div>
      ${
        connections.length === 0 &&
        connectForm(connector, way, html`Connect<span class="unseen"> ${title}</span>`)
      }
    </div>
    ${connections.map((connection) => accountRow(connector, connection, way))}
    ${
      connections.length > 0 &&
      html`<div class="account">
        ${connectForm(connector, way, html`Connect another account<span class="unseen"> of ${title}</span>`, 'second')}
      </div>`
    }
    ${consentLines(choice)}
  </li>`;
}

/** Straight to the platform, or to a page with its questions. */
function connectForm(
  { access, integrationType, category }: Connector,
  way: Way,
  label: Html,
  look = '',
): Html {
  const method = access.fields.length > 0 ? 'get' : 'post';
  return html`<form method="${method}" action="${way.address}">
    <input type="hidden" name="platform" value="${integrationType}:${category}" />
    ${returnField(way)}
    <button class="${look}">${label}</button>
  </form>`;
}

function accountRow(
  connector: Connector,
  { connectionId, status, accountName }: ShownConnection,
  way: Way,
): Html {
  const { title } = connector;
  const name = accountName ?? 'an account';
  const isConnected = status === 'HEALTHY';
  const isEnded = status === 'DISCONNECTED';
  const state = isConnected ? 'Connected' : isEnded ? 'Disconnected' : 'Needs to be connected again';
  const look = isConnected ? 'second' : '';
  return html`<div class="account">
    <div>
      <p class="state">${state}</p>
      <small>${name}</small>
    </div>
    ${connectForm(connector, way, html`Reconnect<span class="unseen"> ${name} at ${title}</span>`, look)}
    ${
      !isEnded &&
      html`<form method="get" action="${way.address}">
        <input type="hidden" name="disconnect" value="${connectionId}" />
        ${returnField(way)}
        <button class="second">Disconnect<span class="unseen"> ${name} from ${title}</span></button>
      </form>`
    }
  </div>`;
}
