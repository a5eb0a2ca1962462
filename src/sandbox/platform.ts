/** The three platforms, named as the first part of their paths. */
export const PLATFORMS = ['accounting', 'payments', 'ecommerce'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** The platforms' own names. */
export const PLATFORM_TITLES: Readonly<Record<Platform, string>> = {
  accounting: 'SVC Sandbox Books',
  payments: 'SVC Sandbox Pay',
  ecommerce: 'SVC Sandbox Shop',
};

export const isPlatform = (text: unknown): text is Platform => PLATFORMS.some((one) => one === text);
