import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../src/config.js';

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
      expect(message).toContain('DEMO_API_KEY must be at least 24 characters');
      expect(message).toContain('DATABASE_URL must be postgresql://');
      expect(message).toContain('LIMIT_TAKE must be a whole number from 1');
      expect(message).not.toContain('secret');
    }
  });
});
