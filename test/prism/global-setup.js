import { fetchShopifySchema } from '../../scripts/platforms/shopify-schema.js';
import { startXeroMock } from '../../scripts/platforms/xero-mock.js';
import setup from '../support/global-setup.js';

/** As for the other tests, and the mock of Xero beside it: one for all files, since it remembers nothing. And a schema. */
export default async function setupPlatforms() {
  const [mock, schema] = await Promise.all([startXeroMock(), fetchShopifySchema(), setup()]);
  process.env.TEST_XERO_URL = mock.url;
  process.env.TEST_XERO_DESCRIPTION = mock.description;
  process.env.TEST_SHOPIFY_SCHEMA = schema;
  globalThis.__svcXeroMock = mock;
}
