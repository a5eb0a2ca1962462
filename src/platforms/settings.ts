/** Base URLs of platforms not at their usual one: the sandbox, and platforms in tests. */
export type PlatformUrls = Readonly<Record<string, string>>;

/** The base URL of an integration type's platform; null for its usual one. */
export function platformUrl(urls: PlatformUrls, integrationType: string): string | null {
  return urls[integrationType] ?? null;
}
