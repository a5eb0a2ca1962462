import type { Connector } from '../../../connectors/connector.js';
import { html, type Html } from '../../pages/html.js';

/** A platform's logo, else its initials, shown next to its name. */
export function markOf({ title, mark }: Connector): Html {
  if (!mark) return html`<span class="mark" aria-hidden="true">${initialsOf(title)}</span>`;
  return html`<svg class="mark logo" viewBox="0 0 24 24" aria-hidden="true">
    <path fill="${mark.colour}" d="${mark.path}" />
  </svg>`;
}

/** Initials of the first two words: `Sandbox Books` is SB. */
function initialsOf(title: string): string {
  const words = title.split(/\s+/).filter((word) => !/^[A-Z]{2,}$/.test(word));
  return words
    .slice(0, 2)
    .map((word) => word.slice(0, 1).toUpperCase())
    .join('');
}
