import { beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig as readWith } from '../../src/config/config.js';
import { unusedBucket } from '../../src/config/files.js';
import { ignoredParameters } from '../../src/config/ignored-parameters.js';
import { unknownSettings } from '../../src/config/unknown-settings.js';
import { integrationTypes } from '../../src/connectors/index.js';

const readConfig = (environment: NodeJS.ProcessEnv) => readWith(environment, integrationTypes);

describe('settings', () => {
  test('have defaults for an empty environment', () => {
    expect(readConfig({})).toMatchObject({
      port: 4000,
      host: '127.0.0.1',
      databaseUrl: null,
      demoData: true,
      introspection: true,
      limits: { maxPageSize: 1000, queryCost: 20_000 },
    });
  });

  test('demo data is off and introspection stays on with an outside database', () => {
    const config = readConfig({ DATABASE_URL: 'postgresql://u:p@db/svc' });
    expect(config).toMatchObject({ demoData: false, introspection: true });
  });

  test('production hides the playground and the schema', () => {
    const config = readConfig({ NODE_ENV: 'production' });
    expect(config).toMatchObject({ introspection: false, playground: false });
  });

  test('every bad one is named at once, its value is not repeated', () => {
    expect.assertions(6);
    try {
      readConfig({
        PORT: '99999',
        LOG_LEVEL: 'loud',
        DEMO_API_KEY: 'short',
        DATABASE_URL: 'mysql://secret@db',
        LIMIT_TAKE: '-1',
      });
    } catch (error) {
      const { message } = error as Error;
      expect(message).toContain('PORT must be a whole number from 0 to 65535');
      expect(message).toContain('LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent');
      expect(message).toContain('DEMO_API_KEY must be at least 24 printable ASCII characters');
      expect(message).toContain('DATABASE_URL must be postgresql://');
      expect(message).toContain('LIMIT_TAKE must be a whole number from 1');
      expect(message).not.toContain('secret');
    }
  });

  test('of what is taken where nothing is asked for follow the most that may be, and may not be above it', () => {
    const { limits } = readConfig({ LIMIT_MAX_PAGE_SIZE: '15', LIMIT_MAX_TAKE: '50' });
    expect(limits).toMatchObject({ pageSize: 15, nestedPageSize: 15, take: 50 });
    expect(readConfig({ LIMIT_PAGE_SIZE: '2000', LIMIT_MAX_PAGE_SIZE: '2000' }).limits.pageSize).toBe(2000);
    expect(() => readConfig({ LIMIT_PAGE_SIZE: '2000' })).toThrow(
      'LIMIT_PAGE_SIZE must be at most 1000, which is LIMIT_MAX_PAGE_SIZE',
    );
    expect(() => readConfig({ LIMIT_TAKE: '60', LIMIT_MAX_TAKE: '50' })).toThrow(
      'LIMIT_TAKE must be at most 50',
    );
  });

  test('of traces are checked beside each other', () => {
    const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
    expect(() => readConfig({ ...collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'words' })).toThrow(
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT must be',
    );
    expect(readConfig({ ...collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '' }).traces).not.toBeNull();
  });

  test('that are empty count as absent, those of AWS, too', () => {
    const { s3 } = readConfig({ FILE_STORE: 's3', S3_BUCKET: 'books', AWS_REGION: '' });
    expect(s3?.region).toBe('us-east-1');
  });

  test.each(['', ' '])(
    'of production refuse DATABASE_URL="%s", which is no secret that arrived',
    (DATABASE_URL) => {
      expect(() => readConfig({ NODE_ENV: 'production', DATABASE_URL })).toThrow('DATABASE_URL is empty');
      expect(readConfig({ NODE_ENV: 'production' }).databaseUrl).toBeNull();
      expect(readConfig({ DATABASE_URL }).databaseUrl).toBeNull();
    },
  );

  test('in quotes are refused, all by name, none with its value', () => {
    const quoted = {
      DATABASE_URL: '"postgresql://u:hidden@db/svc"',
      DATA_DIR: '"/hidden"',
      FILE_DIR: "'/hidden'",
      FILE_STORE: 's3',
      S3_BUCKET: 'books',
      S3_REGION: '"hidden"',
      AWS_SECRET_ACCESS_KEY: '"hidden"',
      DEMO_API_KEY: '"hidden-hidden-hidden-hidden"',
      PORT: '""',
    };
    const names = Object.keys(quoted).filter((name) => !['FILE_STORE', 'S3_BUCKET'].includes(name));
    const failure = (): string => {
      try {
        readConfig(quoted);
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    };
    for (const name of names) expect(failure()).toContain(`  ${name} is in quotes`);
    expect(failure().split('\n')).toHaveLength(names.length + 1);
    expect(failure()).not.toContain('hidden');
    expect(readConfig({ DATA_DIR: `/it's "here"` }).dataDir).toBe(`/it's "here"`);
  });

  test('of production make no demo data and no demo key unless they say so', () => {
    expect(readConfig({ NODE_ENV: 'production' }).demoData).toBe(false);
    expect(readConfig({ NODE_ENV: 'production', DEMO_DATA: 'true' }).demoData).toBe(true);
    expect(readConfig({ NODE_ENV: 'production' }).drainSeconds).toBe(5);
    expect(readConfig({ NODE_ENV: 'development' }).drainSeconds).toBe(0);
  });

  test.each([
    [{}, true],
    [{ HOST: 'localhost' }, true],
    [{ HOST: '::1' }, true],
    [{ HOST: '[::1]' }, true],
    [{ HOST: '0.0.0.0' }, false],
    [{ HOST: '127.0.0.1.example.com' }, false],
    [{ NODE_ENV: 'production' }, false],
    [{ NODE_ENV: 'production', ALLOW_PRIVATE_ADDRESSES: 'true' }, true],
    [{ ALLOW_PRIVATE_ADDRESSES: 'false' }, false],
  ])('of %o allow private addresses: %s', (environment, expected) => {
    expect(readConfig(environment).allowPrivateAddresses).toBe(expected);
  });

  test.each([
    ['https://*.example.com'],
    ['https://a.example.com,https://b.example.com/'],
    ['ftp://a.example.com'],
    ['*,https://a.example.com'],
    ['null'],
    ['https://a.example.com,https://name:pass@b.example.com'],
  ])('of CORS_ORIGINS=%s is refused, naming the entry by its number', (CORS_ORIGINS) => {
    const wrong = CORS_ORIGINS.split(',').findIndex((one) => one !== 'https://a.example.com');
    expect(() => readConfig({ CORS_ORIGINS })).toThrow(
      new RegExp(
        `CORS_ORIGINS must be exact origins such as https://app.example.com, without a slash at the end and separated by commas, or \\* alone: entry ${wrong + 1} is none$`,
        'm',
      ),
    );
  });

  test.each(['prod', 'Production', 'staging'])(
    'refuse NODE_ENV=%s, which would run like development',
    (mode) => {
      expect(() => readConfig({ NODE_ENV: mode })).toThrow(
        'NODE_ENV must be one of production, development, test',
      );
    },
  );

  test.each([
    ['https://data.example.com/', 'https://data.example.com'],
    ['HTTPS://Data.Example.COM:443/books//', 'https://data.example.com/books'],
    ['https://data.example.com/b\u00fccher', 'https://data.example.com/b%C3%BCcher'],
  ])('take PUBLIC_URL=%s for %s', (PUBLIC_URL, expected) => {
    expect(readConfig({ PUBLIC_URL }).publicUrl).toBe(expected);
  });

  test.each([
    'data.example.com',
    'ftp://data.example.com',
    'https://data.example.com/?',
    'https://data.example.com/#top',
    'https://user:word@data.example.com',
  ])('refuse PUBLIC_URL=%s', (PUBLIC_URL) => {
    expect(() => readConfig({ PUBLIC_URL })).toThrow(
      'PUBLIC_URL must be an address such as https://data.example.com',
    );
  });

  test('leave the port above the service to the metrics where they are there', () => {
    expect(readConfig({ PORT: '5000' }).sandboxPort).toBe(5001);
    expect(readConfig({ PORT: '5000', METRICS_ADDRESS: '127.0.0.1:5001' }).sandboxPort).toBe(0);
  });

  test.each([
    ['0.0.0.0', '0.0.0.0'],
    ['0', '0.0.0.0'],
    ['0.0', '0.0.0.0'],
    ['0x0', '0.0.0.0'],
    ['::', '::'],
    ['[::]', '::'],
    ['::0', '::'],
    ['0:0:0:0:0:0:0:0', '::'],
    ['::ffff:0.0.0.0', '::ffff:0:0'],
  ])('of production refuse HOST=%s without PUBLIC_URL', (HOST, usual) => {
    expect(() => readConfig({ NODE_ENV: 'production', HOST })).toThrow('PUBLIC_URL is needed in production');
    const PUBLIC_URL = 'https://data.example.com';
    expect(readConfig({ NODE_ENV: 'production', HOST, PUBLIC_URL }).host).toBe(usual);
    expect(readConfig({ HOST }).host).toBe(usual);
  });

  test.each(['localhost', 'Data-1.example', 'fe80::1%eth0', '127.0.0.1:80', '0/b'])(
    'keep HOST=%s, which is no address in other words',
    (HOST) => {
      expect(readConfig({ NODE_ENV: 'production', HOST }).host).toBe(HOST);
    },
  );
});

describe('names that are no settings', () => {
  beforeAll(() => void readConfig({}));

  test.each([
    ['SECRET_KEY', 'did you mean SECRET_KEYS?'],
    ['DATABASE_URl', 'did you mean DATABASE_URL?'],
    ['DATABSAE_URL', 'did you mean DATABASE_URL?'],
    ['TRUSTPROXY', 'did you mean TRUST_PROXY?'],
    ['LIMIT_TAKES', 'did you mean LIMIT_TAKE?'],
    ['LIMIT_NOTHING', 'LIMIT_NOTHING is not a setting'],
    ['SVC_PORT', 'SVC_PORT is not a setting'],
  ])('such as %s are warned of', (name, words) => {
    expect(unknownSettings({ [name]: 'x' }, [])).toEqual([expect.stringContaining(words)]);
  });

  test('are no others of the environment, but any of the .env file', () => {
    const environment = { HOME: 'x', PATH: 'x', EXPORT: 'x', PORTS: 'x', S3_BUCKET: 'x', AWS_REGION: 'x', SVC_HANDED: 'x', COLOUR: 'x' }; // prettier-ignore
    expect(unknownSettings(environment, [])).toEqual(['PORTS is not a setting: did you mean PORT?']);
    const settings = { COLOUR: 'x', PORT: '1', SANDBOX_DATABASE_URL: 'x' };
    expect(unknownSettings(settings, Object.keys(settings))).toEqual(['COLOUR is not a setting']);
  });
});

test('a bucket that nothing uses is warned of', () => {
  expect(unusedBucket({ S3_BUCKET: 'books' })).toEqual([
    'S3_BUCKET is not used without FILE_STORE=s3: files are kept in FILE_DIR',
  ]);
  for (const FILE_STORE of ['s3', 'local']) {
    expect(unusedBucket({ S3_BUCKET: 'books', FILE_STORE })).toEqual([]);
  }
  expect(unusedBucket({ S3_BUCKET: ' ' })).toEqual([]);
});

test('parameters of database addresses that nothing reads are warned of', () => {
  const environment = {
    DATABASE_URL: 'postgresql://u:p@db/svc?schema=hidden&sslmode=require&connect_timeout=abc&schema=again',
    DATABASE_REPLICA_URL: 'postgresql://one/svc?sslmode=require, postgresql://two/svc?pgbouncer=true',
    DATABASE_DIRECT_URL: 'postgresql://db/svc?database=other&encoding=latin1&user=u&hidden',
    DATABASE_RUNTIME_URL: 'words?schema=x',
    OTHER_URL: 'postgresql://db/svc?schema=x',
  };
  expect(ignoredParameters(environment)).toEqual([
    'DATABASE_URL has the parameter schema, which nothing reads',
    'DATABASE_URL has the parameter connect_timeout, which nothing reads',
    'DATABASE_DIRECT_URL has the parameter database, which nothing reads',
    'DATABASE_DIRECT_URL has the parameter encoding, which nothing reads',
    'DATABASE_REPLICA_URL has the parameter pgbouncer, which nothing reads',
  ]);
});

test.each(['postgresql://h/db?password=pa&ss=word&user=u', 'postgresql://db:12?abc=def@host/db'])(
  'no parameter of %s is named: it may be a part of a password',
  (address) => {
    expect(ignoredParameters({ DATABASE_URL: address })).toEqual([]);
  },
);
