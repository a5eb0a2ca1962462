import type { Connector } from '../../connectors/connector.js';
import { html, type Html } from '../html.js';

/** What a platform is known by beside its name, which stands there too: its logo, else its initials. */
export function markOf({ title, mark }: Connector): Html {
  if (!mark) return html`<span class="mark" aria-hidden="true">${initialsOf(title)}</span>`;
  return html`<svg class="mark logo" viewBox="0 0 24 24" aria-hidden="true">
    <path fill="${mark.colour}" d="${mark.path}" />
  </svg>`;
}

/** Of the first two words that tell platforms apart: `Sandbox Books` is SB. */
function initialsOf(title: string): string {
  const words = title.split(/\s+/).filter((word) => !/^[A-Z]{2,}$/.test(word));
  return words
    .slice(0, 2)
    .map((word) => word.slice(0, 1).toUpperCase())
    .join('');
}
