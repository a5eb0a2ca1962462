import teardown from '../support/global-teardown.js';

export default async function teardownPlatforms() {
  await globalThis.__svcXeroMock.stop();
  await teardown();
}
