// Lints docs/openapi.json with Redocly's recommended rules and Spectral's, including OWASP's API rules. The linters
// are only used here, and installed under .cache/ on the first run.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TOOLS = {
  '@redocly/cli': '2.77.0',
  '@stoplight/spectral-cli': '6.16.3',
  '@stoplight/spectral-owasp-ruleset': '2.0.1',
};

/** Rules that do not fit this API, each with the reason. */
const SPECTRAL = {
  extends: ['spectral:oas', '@stoplight/spectral-owasp-ruleset'],
  rules: {
    // In OpenAPI 3.1 any scheme may require scopes; the rule only knows OAuth scopes.
    'oas3-operation-security-defined': 'off',
    // No page of another origin can read answers unless CORS_ORIGINS allows it.
    'owasp:api8:2023-define-cors-origin': 'off',
    // Texts and lists are as long as the platforms' own; only bodies as a whole are limited.
    'owasp:api4:2023-array-limit': 'off',
    'owasp:api4:2023-string-limit': 'off',
    'owasp:api4:2023-string-restricted': 'off',
    // svc_ids are integers in the reference. A key only finds those of its own organisation.
    'owasp:api1:2023-no-numeric-ids': 'off',
    // A file's address is signed for that file alone, and expires.
    'owasp:api2:2023-no-credentials-in-url': 'off',
    // Webhook headers and the changes of a record are maps in the reference.
    'owasp:api3:2023-no-additionalProperties': 'off',
    'owasp:api3:2023-constrained-additionalProperties': 'off',
    // Health and files need no key, so they return neither its errors nor its limits.
    'owasp:api2:2023-read-restricted': 'off',
    // The rule wants one form of the headers and rejects two: every answer has the usual ones and those of the IETF
    // draft.
    'owasp:api4:2023-rate-limit': 'off',
  },
  overrides: [
    {
      files: ['**#/paths/~1health~1live', '**#/paths/~1health~1ready', '**#/paths/~1v3~1files~1%7Btoken%7D'],
      rules: {
        'owasp:api4:2023-rate-limit-responses-429': 'off',
        'owasp:api8:2023-define-error-responses-401': 'off',
        'owasp:api8:2023-define-error-responses-500': 'off',
        'owasp:api8:2023-define-error-validation': 'off',
      },
    },
  ],
};
const REDOCLY = {
  extends: ['recommended'],
  rules: {
    // A job is at /v3/core/syncs/jobs/{job_id} in the reference; no sync has the id `jobs`.
    'no-ambiguous-paths': 'off',
    // Rejects properties in examples that a schema does not name. Tests check this for every documented answer, and
    // they understand `anyOf`.
    'no-invalid-media-type-examples': 'off',
  },
};

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tools = join(root, '.cache/openapi-lint');
const document = join(root, 'docs/openapi.json');

install();
writeFileSync(join(tools, 'spectral.json'), JSON.stringify(SPECTRAL));
writeFileSync(join(tools, 'redocly.yaml'), JSON.stringify(REDOCLY));
const passed = [
  lint('@redocly/cli/bin/cli.js', 'lint', document, '--config', 'redocly.yaml', '--format', 'stylish'),
  lint(
    '@stoplight/spectral-cli/dist/index.js',
    'lint',
    document,
    '-r',
    'spectral.json',
    '--fail-severity',
    'warn',
  ),
];
process.exitCode = passed.every(Boolean) ? 0 : 1;

function install() {
  const wanted = JSON.stringify({ private: true, dependencies: TOOLS });
  const isThere = Object.entries(TOOLS).every(([name, version]) => {
    const path = join(tools, 'node_modules', name, 'package.json');
    return existsSync(path) && JSON.parse(readFileSync(path, 'utf8')).version === version;
  });
  if (isThere) return;
  mkdirSync(tools, { recursive: true });
  writeFileSync(join(tools, 'package.json'), wanted);
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', args, {
    cwd: tools,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}

function lint(tool, ...args) {
  const path = join(tools, 'node_modules', tool);
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return spawnSync(process.execPath, [path, ...args], { cwd: tools, stdio: 'inherit', env }).status === 0;
}
