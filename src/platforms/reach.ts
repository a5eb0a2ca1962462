import type { Reach, Settings } from '../connectors/access.js';
import { platformAgent } from '../connectors/platform-agent.js';
import { objectOf, textOf } from '../connectors/platform-values.js';
import type { OutboundCaller } from '../outbound/caller.js';
import { platformUrl, type PlatformUrls } from './settings.js';

/** What calls platforms outside the budget of a connection, and inside. */
export interface PlatformWays {
  /** Addresses of platforms that are not at their usual ones. */
  readonly urls: PlatformUrls;
  /** Calls addresses given by users. */
  readonly outbound: OutboundCaller;
}

/** What a connection keeps of the way to its platform. */
export interface KeptPlace {
  /** Null: the platform's own address. */
  readonly address: string | null;
  readonly settings: Settings;
}

/** How a platform is called for one connection: at the address that was typed in, under guard, or at the usual one. */
export function reachOf(
  { urls, outbound }: PlatformWays,
  integrationType: string,
  { address, settings }: KeptPlace,
): Reach {
  return address === null
    ? { baseUrl: platformUrl(urls, integrationType), settings, dispatcher: platformAgent }
    : { baseUrl: address.replace(/\/+$/, ''), settings, dispatcher: outbound.dispatcher };
}

/** A connection's row, as far as it says where its platform is. */
export function keptPlace(row: { readonly address: string | null; readonly settings: unknown }): KeptPlace {
  return { address: row.address, settings: settingsOf(row.settings) };
}

/** The texts of a JSON object, by their names. */
export function settingsOf(value: unknown): Settings {
  const entries = Object.entries(objectOf(value) ?? {}).flatMap(([name, one]) => {
    const text = textOf(one);
    return text === null ? [] : [[name, text] as const];
  });
  return Object.fromEntries(entries);
}
