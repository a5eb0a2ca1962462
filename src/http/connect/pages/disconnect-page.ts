import type { ShownConnection } from '../../../connect/choices.js';
import type { Connector } from '../../../connectors/connector.js';
import type { OpenLink } from '../../../connect/find-link.js';
import { html } from '../../pages/html.js';
import { hrefOf, page, returnField, type Way } from './page.js';

interface DisconnectPage {
  readonly connector: Connector;
  readonly connection: ShownConnection;
  readonly way: Way;
}

/** Asks for confirmation before disconnecting. */
export function disconnectPage(link: OpenLink, { connector, connection, way }: DisconnectPage): string {
  const title = `Disconnect ${connector.title}?`;
  return page(
    title,
    html`<h1>${title}</h1>
      <p>
        <strong>${connection.accountName ?? link.companyName}</strong> will no longer be read or written.
        ${link.organisationName} keeps the records read so far. Your other connections stay.
      </p>
      <form method="post" action="${way.address}/disconnect">
        <input type="hidden" name="connection" value="${connection.connectionId}" />
        ${returnField(way)}
        <div class="row">
          <button>Disconnect</button>
          <a href="${hrefOf(way)}">Back</a>
        </div>
      </form>`,
  );
}
