import type { AccessField } from '../../../connectors/access.js';
import type { PlatformChoice } from '../../../connect/choices.js';
import type { TypedValues } from '../../../connect/given.js';
import type { OpenLink } from '../../../connect/find-link.js';
import { html, Html } from '../../pages/html.js';
import { consentLines } from './consent.js';
import { markOf } from './mark.js';
import { hrefOf, notices, page, returnField, type Way } from './page.js';

/** An error in the typed-in values: of a field, or of the whole form. */
export interface Wrong {
  readonly field: string | null;
  readonly text: string;
}

interface PlatformPage {
  readonly choice: PlatformChoice;
  readonly way: Way;
  readonly typed: TypedValues;
  readonly wrong: Wrong | null;
}

/** A platform's form, before redirecting to it or connecting. */
export function platformPage(link: OpenLink, { choice, way, typed, wrong }: PlatformPage): string {
  const { connector } = choice;
  const { access, title } = connector;
  const heading = `Connect ${title}`;
  const isAsked = access.kind === 'oauth';
  return page(
    heading,
    html`<div class="head">
        ${markOf(connector)}
        <h1>${heading}</h1>
      </div>
      <p>For <strong>${link.companyName}</strong>, requested by ${link.organisationName}.</p>
      ${notices(wrong && wrong.field === null ? { kind: 'failure', text: wrong.text } : null)}
      ${consentLines(choice)}
      <form method="post" action="${way.address}">
        <input type="hidden" name="platform" value="${connector.integrationType}:${connector.category}" />
        ${returnField(way)} ${access.fields.map((field) => question(field, typed, wrong))}
        <div class="row">
          <button>${isAsked ? `Continue to ${title}` : `Connect ${title}`}</button>
          <a href="${hrefOf(way)}">Back</a>
        </div>
      </form>`,
  );
}

/** Prefix of field names, which are arbitrary. */
export const FIELD_PREFIX = 'given.';

function question(field: AccessField, typed: TypedValues, wrong: Wrong | null): Html {
  const id = `field-${field.name}`;
  const isWrong = wrong?.field === field.name;
  const describedBy = isWrong ? `${id}-wrong ${id}-help` : `${id}-help`;
  const state = html`aria-describedby="${describedBy}" ${isWrong && new Html('aria-invalid="true" autofocus')}`;
  return html`<div class="field">
    <label for="${id}">${field.label}</label>
    ${isWrong && html`<p class="wrong" id="${id}-wrong" role="alert">${field.label} ${wrong.text}</p>`}
    ${input(field, id, typed[field.name] ?? '', state)}
    <p class="quiet" id="${id}-help">${field.help}</p>
  </div>`;
}

function input(field: AccessField, id: string, value: string, state: Html): Html {
  const name = FIELD_PREFIX + field.name;
  switch (field.type) {
    case 'choice':
      return html`<select id="${id}" name="${name}" required ${state}>
        ${field.choices.map(
          (one) =>
            html`<option value="${one.value}" ${one.value === value && new Html('selected')}>
              ${one.label}
            </option>`,
        )}
      </select>`;
    case 'secret':
      // Typed-in secrets are not sent back.
      return html`<input id="${id}" name="${name}" type="password" autocomplete="off" required ${state} />`;
    case 'address':
      return html`<input
        id="${id}"
        name="${name}"
        type="url"
        value="${value}"
        autocomplete="url"
        required
        ${state}
      />`;
    case 'text':
      return html`<input
        id="${id}"
        name="${name}"
        type="text"
        value="${value}"
        autocomplete="off"
        required
        ${state}
      />`;
  }
}
