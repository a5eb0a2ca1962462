import { invalid } from '../errors.js';
import { type Category } from '../records/define.js';
import { type Connector } from './connector.js';
import { quickbooks, quickbooksSandbox } from './quickbooks/index.js';
import { sandboxBooks } from './sandbox/books/index.js';
import { sandboxPay } from './sandbox/pay/index.js';
import { sandboxPerShop } from './sandbox/per-shop/index.js';
import { sandboxSelfHosted } from './sandbox/self-hosted/index.js';
import { sandboxShop } from './sandbox/shop/index.js';
import { shopify } from './shopify/index.js';
import { stripe } from './stripe/index.js';
import { vendure } from './vendure/index.js';
import { xero } from './xero/index.js';
import { zoho } from './zoho/index.js';

/** Every platform that can be connected, by integration type and category. */
export const connectors: readonly Connector[] = [
  xero,
  sandboxBooks,
  sandboxPay,
  sandboxShop,
  sandboxSelfHosted,
  sandboxPerShop,
  vendure,
  shopify,
  stripe,
  quickbooks,
  quickbooksSandbox,
  zoho,
];

/** Every integration type once. */
export const integrationTypes: readonly string[] = [
  ...new Set(connectors.map(({ integrationType }) => integrationType)),
];

/** The connectors of an integration type (Reference G6), one per category. Throws for an unknown type. */
export function connectorsOf(integrationType: string): readonly Connector[] {
  const found = connectors.filter((candidate) => candidate.integrationType === integrationType);
  if (found.length > 0) return found;
  throw invalid('integrationType', `must be one of ${integrationTypes.join(', ')}, got ${integrationType}`);
}

/** The connector of a connection; absent if its platform is no longer known. */
export const findConnector = (connection: {
  readonly integrationType: string;
  readonly category: string;
}): Connector | undefined =>
  connectors.find(
    ({ integrationType, category }) =>
      integrationType === connection.integrationType && category === connection.category,
  );

/** Whether this service can receive webhooks from platforms of this type. */
export const hasHooks = (integrationType: string): boolean =>
  connectors.some((one) => one.integrationType === integrationType && one.hooks !== undefined);

/** The connector of an integration type; `category` is required if the type has several. */
export function connectorFor(integrationType: string, category: Category | null = null): Connector {
  const candidates = connectorsOf(integrationType);
  const [first, ...others] = category ? candidates.filter((one) => one.category === category) : candidates;
  if (first && others.length === 0) return first;
  const categories = candidates.map((one) => one.category).join(', ');
  throw invalid('category', `must be one of ${categories} for ${integrationType}, got ${String(category)}`);
}
