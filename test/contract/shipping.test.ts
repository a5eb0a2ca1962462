import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { FLAGS } from '../../scripts/flags.js';
import { readConfig } from '../../src/config/config.js';
import { unknownSettings } from '../../src/config/unknown-settings.js';
import { integrationTypes } from '../../src/connectors/index.js';
import { packagePath } from '../../src/package-path.js';

const read = (name: string): string => readFileSync(packagePath(name), 'utf8');
const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);

/** Every name that is asked for, whatever the others are. */
function settingsOfTheCode(): Set<string> {
  const names = new Set<string>();
  const environment = new Proxy<NodeJS.ProcessEnv>(
    { FILE_STORE: 's3', S3_BUCKET: 'files' },
    {
      get: (target, name) => {
        names.add(String(name));
        return target[String(name)];
      },
    },
  );
  readConfig(environment, integrationTypes);
  return names;
}

describe('.env.example', () => {
  const lines = namesIn(read('.env.example'), /^#([A-Z0-9_]+=.*)$/gm);
  const values = Object.fromEntries(
    lines.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]),
  );

  test('has every setting but limits, addresses of platforms and the rest of OpenTelemetry, and none that nobody reads', () => {
    const others = integrationTypes.map((type) => `${type.replace(/^SVC_/, '')}_URL`);
    const settings = [...settingsOfTheCode()].filter(
      (name) => !/^(LIMIT|AWS|OTEL)_/.test(name) && !others.includes(name),
    );
    const names = Object.keys(values);
    expect(settings.filter((name) => !names.includes(name))).toEqual([]);
    expect(unknownSettings(values, names)).toEqual([]);
  });

  test('shows the defaults: with all of it uncommented nothing is different', () => {
    expect(readConfig(values, integrationTypes)).toEqual(readConfig({}, integrationTypes));
  });
});

describe('what is shipped', () => {
  const manifests = readdirSync(packagePath('deploy/kubernetes')).map((name) =>
    join('deploy/kubernetes', name),
  );

  test.each([
    ['Dockerfile', /^(?:ENV|  ) +([A-Z0-9_]+)=/gm],
    ['compose.yaml', /^ {6}([A-Z0-9_]+):/gm],
    ['deploy/systemd/books.service', /^Environment=([A-Z0-9_]+)=/gm],
    ...manifests.map((name): [string, RegExp] => [name, /(?:^ {2}|name: )([A-Z][A-Z0-9_]+)(?::|, value)/gm]),
  ])('%s sets nothing that nobody reads', (file, pattern) => {
    settingsOfTheCode();
    const names = namesIn(read(file), pattern).filter(
      (name) => !/^(MALLOC_ARENA_MAX|POSTGRES_.*)$/.test(name),
    );
    // The network policy and the migration have none of their own.
    if (!/network-policy|migrate/.test(file)) expect(names).not.toEqual([]);
    expect(unknownSettings(Object.fromEntries(names.map((name) => [name, ''])), names)).toEqual([]);
  });

  test('the unit has metrics, which need no key, on an address of their own', () => {
    expect(read('deploy/systemd/books.service')).toMatch(/^Environment=METRICS_ADDRESS=127\.0\.0\.1:\d+$/m);
  });

  test('the image starts Node as npm start does', () => {
    const [, command = ''] = /^CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? [];
    expect(JSON.parse(command)).toEqual(['node', ...FLAGS, 'dist/main.js']);
  });

  test.each(['gateway', 'worker', 'migrate'])(
    'the %s of Kubernetes runs the version of the package',
    (name) => {
      const { version } = JSON.parse(read('package.json')) as { version: string };
      expect(read(`deploy/kubernetes/${name}.yaml`)).toContain(`unified-financial-data-service:${version}\n`);
    },
  );
});

test('docs/dependencies.md has a reason for every package, with its licence', () => {
  const { dependencies, optionalDependencies, devDependencies, overrides } = JSON.parse(
    read('package.json'),
  ) as Record<string, Record<string, string>>;
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { license?: string }>;
  };
  const rows = read('docs/dependencies.md').matchAll(/^\| `([^`]+)` +\|([^|]*)\|([^|]*)\| (?!\s)/gm);
  const shown = [...rows].map(([, name = '', , licence = '']) => [name, licence.trim()]);
  const wanted = Object.keys({ ...dependencies, ...optionalDependencies, ...devDependencies }).map((name) => [
    name,
    packages[`node_modules/${name}`]?.license,
  ]);
  const overridden = Object.keys(overrides ?? {});
  expect(shown.filter(([name = '']) => !overridden.includes(name)).sort()).toEqual(wanted.sort());
  expect(namesIn(read('docs/dependencies.md'), /^\| `([^`]+)`/gm)).toEqual(
    expect.arrayContaining(overridden),
  );
});
