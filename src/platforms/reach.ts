import type { Reach, Settings } from '../connectors/access.js';
import { platformAgent } from '../connectors/client/platform-agent.js';
import { objectOf, textOf } from '../connectors/values/platform-values.js';
import type { OutboundCaller } from '../outbound/caller.js';
import { platformUrl, type PlatformUrls } from './settings.js';

/** Ways to call platforms, within a connection's budget or not. */
export interface PlatformWays {
  /** Base URLs that replace the platforms' usual ones. */
  readonly urls: PlatformUrls;
  /** Calls addresses given by users. */
  readonly outbound: OutboundCaller;
}

/** Stored data of a connection for reaching its platform. */
export interface KeptPlace {
  /** Null: the platform's usual address. */
  readonly address: string | null;
  readonly settings: Settings;
}

/** How to call the platform of one connection: at a typed-in address, guarded, or at the usual one. */
export function reachOf(
  { urls, outbound }: PlatformWays,
  integrationType: string,
  { address, settings }: KeptPlace,
): Reach {
  return address === null
    ? { baseUrl: platformUrl(urls, integrationType), settings, dispatcher: platformAgent }
    : { baseUrl: address.replace(/\/+$/, ''), settings, dispatcher: outbound.dispatcher };
}

/** Reads the location of a platform from a connection's row. */
export function keptPlace(row: { readonly address: string | null; readonly settings: unknown }): KeptPlace {
  return { address: row.address, settings: settingsOf(row.settings) };
}

/** The string values of a JSON object, by name. */
export function settingsOf(value: unknown): Settings {
  const entries = Object.entries(objectOf(value) ?? {}).flatMap(([name, one]) => {
    const text = textOf(one);
    return text === null ? [] : [[name, text] as const];
  });
  return Object.fromEntries(entries);
}
