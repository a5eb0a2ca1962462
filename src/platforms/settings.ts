/** Where platforms are, for those that are not at their usual address: the sandbox, and platforms in tests. */
export type PlatformUrls = Readonly<Record<string, string>>;

/** The address of an integration type's platform; null for its usual one. */
export function platformUrl(urls: PlatformUrls, integrationType: string): string | null {
  return urls[integrationType] ?? null;
}
