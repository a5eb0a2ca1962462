// A real Vendure server, run from its installation folder: node server.js --home FOLDER --database FILE (--port N | --populate)
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

process.env.VENDURE_DISABLE_TELEMETRY = 'true';
const { values } = parseArgs({
  options: {
    home: { type: 'string' },
    database: { type: 'string' },
    port: { type: 'string', default: '0' },
    populate: { type: 'boolean', default: false },
  },
});
const installed = createRequire(join(values.home, 'package.json'));
const { bootstrap, DefaultJobQueuePlugin, DefaultLogger, dummyPaymentHandler, LogLevel } =
  installed('@vendure/core');
const assets = join(values.home, 'node_modules/@vendure/create/assets');

const config = {
  apiOptions: {
    hostname: '127.0.0.1',
    port: Number(values.port),
    adminApiPath: 'admin-api',
    shopApiPath: 'shop-api',
  },
  authOptions: {
    tokenMethod: ['bearer', 'api-key'],
    superadminCredentials: { identifier: 'superadmin', password: 'superadmin' },
    cookieOptions: { secret: 'of nobody' },
  },
  dbConnectionOptions: { type: 'better-sqlite3', database: values.database, synchronize: true },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  importExportOptions: { importAssetsDir: join(assets, 'images') },
  logger: new DefaultLogger({ level: LogLevel.Error }),
  plugins: [DefaultJobQueuePlugin.init({})],
};

// Its parent is gone.
process.on('disconnect', () => process.exit(1));

if (values.populate) {
  const { populate } = installed('@vendure/core/cli');
  const initial = installed(join(assets, 'initial-data.json'));
  const app = await populate(() => bootstrap(config), initial, join(assets, 'products.csv'));
  await app.close();
  process.exit(0);
}
await bootstrap(config);
process.stdout.write('ready\n');
