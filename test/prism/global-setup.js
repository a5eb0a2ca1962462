import { startXeroMock } from '../../scripts/platforms/xero-mock.js';
import setup from '../support/global-setup.js';

/** As for the other tests, and the mock of Xero beside it: one for all files, since it remembers nothing. */
export default async function setupPlatforms() {
  const [mock] = await Promise.all([startXeroMock(), setup()]);
  process.env.TEST_XERO_URL = mock.url;
  process.env.TEST_XERO_DESCRIPTION = mock.description;
  globalThis.__svcXeroMock = mock;
}
