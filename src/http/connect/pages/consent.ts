import type { Connector } from '../../../connectors/connector.js';
import type { RecordDefinition } from '../../../records/define.js';
import { html, type Html } from '../../pages/html.js';

/** What will be read and written, and how to end it: shown before consent. */
export function consentLines({ title, pulls, push }: Connector): Html {
  const read = pulls.map(({ definition }) => nameOf(definition));
  const written = (push?.resources ?? []).map(({ definition }) => nameOf(definition));
  return html`<p class="quiet">
      ${written.length > 0 ? 'Records are read, and new ones written.' : 'Records are read; nothing is written.'}
      You can end it here at any time, or in ${title}.
    </p>
    <details>
      <summary>What is read and written<span class="unseen"> at ${title}</span></summary>
      <p class="quiet">Read: ${read.join(', ')}.</p>
      <p class="quiet">Written: ${written.length > 0 ? written.join(', ') : 'nothing'}.</p>
    </details>`;
}

/** `accounting/bill_payments` becomes `bill payments`. */
const nameOf = ({ path }: RecordDefinition): string => (path.split('/').at(-1) ?? path).replaceAll('_', ' ');
