import type { PlatformChoice } from '../../../connect/choices.js';
import type { RecordDefinition } from '../../../records/define.js';
import type { ScopeAccess } from '../../../platforms/scope-access.js';
import { html, type Html } from '../../pages/html.js';

/** Text shown before consent: the records that will be read and written, and how to end the access. */
export function consentLines({ connector, access }: Pick<PlatformChoice, 'connector' | 'access'>): Html {
  const { title, pulls, push } = connector;
  const may = ({ definition }: { readonly definition: RecordDefinition }, operation: keyof ScopeAccess) =>
    access.get(definition.dataModel)?.[operation] ?? true;
  const resources = push?.resources ?? [];
  const read = pulls.filter((one) => may(one, 'read'));
  const created = resources.filter((one) => one.create && may(one, 'create'));
  const written = resources.filter(
    (one) => created.includes(one) || (one.update !== null && may(one, 'update')),
  );
  const reading = read.length > 0 ? 'Records are read' : 'Nothing is read';
  const writing =
    created.length > 0
      ? ', and new ones written'
      : written.length > 0
        ? ', and changed'
        : '; nothing is written';
  return html`<p class="quiet">${reading}${writing}. You can end it here at any time, or in ${title}.</p>
    <details>
      <summary>What is read and written<span class="unseen"> at ${title}</span></summary>
      <p class="quiet">Read: ${namesOf(read)}.</p>
      <p class="quiet">Written: ${namesOf(written)}.</p>
    </details>`;
}

const namesOf = (resources: readonly { readonly definition: RecordDefinition }[]): string =>
  resources.map(({ definition }) => nameOf(definition)).join(', ') || 'nothing';

/** `accounting/bill_payments` becomes `bill payments`. */
const nameOf = ({ path }: RecordDefinition): string => (path.split('/').at(-1) ?? path).replaceAll('_', ' ');
