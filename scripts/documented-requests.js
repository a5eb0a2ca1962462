// Finds, sends and compares the requests shown in documents, each with its answer below it. Shared by `npm run docs`, which
// writes the answers, and by the test that checks them.
//
// A request is an `sh` block that begins with curl, or a `graphql` block, optionally with its variables in a `json` block
// after a line `Variables:`. Its answer is the next `json` or `text` block.
//
// A comment above a request says which values it takes from earlier answers, and they are kept current:
//   <!-- next from the answer above: next -->
//   <!-- companyId from "A company's connections": data.companies.nodes.0.svcId -->
// The first word is a variable, a query parameter, a field of the body, the part of the path that has this name in the
// heading or, without any of these, the last part of the path. The demo is the same on every machine, so that a request
// also works as written; `npm run docs` updates it when the demo has changed.
// Text in quotes is a heading of the same document, and refers to the last answer below it.
import { execFile } from 'node:child_process';
import { isDeepStrictEqual, promisify } from 'node:util';

/** In this order: requests of the last two create, change and remove things; the others at most fetch a file. */
export const DOCUMENTS = [
  'README.md',
  'docs/graphql.md',
  'docs/changes.md',
  'docs/fields.md',
  'docs/rest.md',
  'docs/connecting.md',
];
/** Documents that write to a platform: their requests go to a separate service with a worker. */
export const WRITING_DOCUMENTS = ['docs/writing.md'];
/** The key and address used in the documents. */
export const API_KEY = 'demo-key-for-the-readme-tour';
/** No worker, so that syncs started by a request do not progress and change later answers. */
export const SETTINGS = { ROLE: 'gateway' };
const ADDRESS = 'http://127.0.0.1:4000';
const SANDBOX_ADDRESS = 'http://127.0.0.1:4001';
const DOCUMENTED_ADDRESS = new RegExp(`(?:${ADDRESS}|${SANDBOX_ADDRESS})(?!\\d)`, 'g');

const INPUT = /<!-- ([\w.]+) from (?:the answer above|"([^"\n]+)"): ([\w.]+) -->\n/g;
const EXCHANGE = new RegExp(
  [
    /(?<inputs>(?:<!-- [\w.]+ from .+ -->\n)*)\n?/,
    /```(?<language>sh|graphql)\n(?<request>(?:(?<=sh\n)curl |(?<=graphql\n))[^`]+)```\n/,
    /(?:\nVariables:\n\n```json\n(?<variables>[^`]*)```\n)?/,
    /\n```(?<answerLanguage>json|text)\n(?<answer>[^`]*)```\n/,
  ]
    .map(({ source }) => source)
    .join(''),
  'g',
);
const execute = promisify(execFile);

/**
 * A request in a document, with its answer.
 * @typedef {object} Exchange
 * @property {string} heading the heading above it
 * @property {{ name: string, heading: string | undefined, path: string }[]} inputs
 * @property {'sh' | 'graphql'} language
 * @property {string} request
 * @property {string | null} variables JSON text
 * @property {'json' | 'text'} answerLanguage
 * @property {string} answer
 * @property {number} at its position in the document
 * @property {boolean} writes whether the document's requests create objects on platforms, which get random ids
 * @property {string} text the whole exchange, as in the document
 */

/** @param {string} document @param {boolean} [writes] whether its requests create objects on platforms @returns {Exchange[]} */
export function exchangesOf(document, writes = false) {
  return [...document.matchAll(EXCHANGE)].map((match) => {
    const { inputs = '', variables = null, ...rest } = /** @type {any} */ (match.groups);
    const headings = [...document.slice(0, match.index).matchAll(/^#+ (.+)$/gm)];
    return {
      ...rest,
      heading: headings.at(-1)?.[1] ?? '',
      inputs: [...inputs.matchAll(INPUT)].map(([, name, heading, path]) => ({ name, heading, path })),
      variables,
      at: match.index,
      writes,
      text: match[0],
    };
  });
}

/**
 * Where the requests go.
 * @typedef {object} Target
 * @property {string} url address of the service
 * @property {string} sandboxUrl address of its demo platforms
 */

/**
 * Sends requests in order, each with its values from earlier answers of this run, to keep documents current.
 * @param {readonly Exchange[]} exchanges
 * @param {Target} target
 * @returns {Promise<Exchange[]>} the same exchanges with the requests sent and the answers received
 */
export async function sendAll(exchanges, target) {
  /** @type {Exchange[]} */
  const sent = [];
  for (const exchange of exchanges) {
    const request = exchange.inputs.reduce((made, input) => withInput(made, input, sent), exchange);
    sent.push(await paste(request, target));
  }
  return sent;
}

/**
 * Sends a request as written in the document, as a reader would.
 * @param {Exchange} exchange @param {Target} target @returns {Promise<Exchange>} with the answer received
 */
export async function paste(exchange, target) {
  const answer = await answerTo(exchange, target);
  // The service may return its own address.
  return { ...exchange, answer: `${answer.trim().replaceAll(target.url, ADDRESS)}\n` };
}

/**
 * Replaces the documented addresses in a request with those of a running service. In one pass, as an inserted port may
 * itself begin with a documented one.
 * @param {string} request @param {Target} target @returns {string}
 */
export function addressed(request, { url, sandboxUrl }) {
  const addresses = { [ADDRESS]: url, [SANDBOX_ADDRESS]: sandboxUrl };
  return request.replace(DOCUMENTED_ADDRESS, (address) => addresses[address]);
}

/** @param {Exchange} exchange @param {Target} target */
async function answerTo({ language, request, variables }, { url, sandboxUrl }) {
  if (language === 'graphql') {
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { api_key: API_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ query: request, variables: JSON.parse(variables ?? '{}') }),
    });
    return answer.text();
  }
  const command = addressed(request, { url, sandboxUrl }).replace(/^curl/, 'curl -s');
  const { stdout } = await execute('bash', ['-c', command]);
  return stdout;
}

/** @param {Exchange} exchange @param {Exchange['inputs'][number]} input @param {readonly Exchange[]} earlier */
function withInput(exchange, { name, heading, path }, earlier) {
  const from = earlier.findLast((one) => heading === undefined || one.heading === heading);
  if (!from)
    throw new Error(`"${exchange.heading}" takes ${name} from "${heading}", which has no answer before it`);
  const value = path.split('.').reduce((found, key) => found?.[key], JSON.parse(from.answer));
  if (value === undefined || value === null || typeof value === 'object') {
    throw new Error(
      `"${exchange.heading}" takes ${name} from ${path}, which the answer lacks:\n${from.answer}`,
    );
  }
  if (exchange.language === 'graphql') {
    return { ...exchange, variables: withVariable(exchange.variables ?? '{}', name, value) };
  }
  const place = placesOf(exchange.heading, name).find((one) => one.test(exchange.request));
  return { ...exchange, request: exchange.request.replace(place ?? LAST_PART, String(value)) };
}

const LAST_PART = /(?<=http:[^?'\s]*\/)[^/?'\s]*(?=[?'\s]|$)/m;

/** Where in a curl request a value of that name may be. @param {string} heading @param {string} name */
function placesOf(heading, name) {
  const places = [new RegExp(`(?<=[?&]${name}=)[^&'\\s]*`), new RegExp(`(?<="${name}": "?)[^",}\\s]+`)];
  const part = heading.split('/').indexOf(`{${name}}`);
  return part < 1
    ? places
    : [...places, new RegExp(`(?<=http://[^/\\s]+(?:/[^/?'\\s]*){${part - 1}}/)[^/?'\\s]+`)];
}

/** @param {string} text @param {string} name such as `ids.0` @param {unknown} value */
function withVariable(text, name, value) {
  const variables = JSON.parse(text);
  const keys = name.split('.');
  const last = keys.pop() ?? '';
  const holder = keys.reduce((found, key) => found[key], variables);
  if (holder[last] === value) return text;
  holder[last] = value;
  return `${JSON.stringify(variables)}\n`;
}

/**
 * Both forms of an exchange, for comparison. The documented one gets the values that differ from run to run from this run.
 * @param {Exchange} documented
 * @param {Exchange} sent
 */
export function comparable(documented, sent) {
  return {
    documented: {
      ...requestOf(documented),
      answer: adopt(answerOf(documented), answerOf(sent), documented.writes),
    },
    sent: { ...requestOf(sent), answer: answerOf(sent) },
  };
}

/** @param {Exchange} documented @param {Exchange} sent */
export function isCurrent(documented, sent) {
  const both = comparable(documented, sent);
  return isDeepStrictEqual(both.documented, both.sent);
}

/**
 * The document with an exchange replaced by what was sent and received.
 * @param {string} document @param {Exchange} exchange @param {Exchange} sent
 */
export function withExchange(
  document,
  { at, text },
  { language, request, variables, answerLanguage, answer },
) {
  const inputs = text.slice(0, text.indexOf('```'));
  const blocks = [
    `\`\`\`${language}\n${request}\`\`\`\n`,
    ...(variables === null ? [] : ['Variables:\n', `\`\`\`json\n${variables}\`\`\`\n`]),
    `\`\`\`${answerLanguage}\n${answer}\`\`\`\n`,
  ];
  return document.slice(0, at) + inputs + blocks.join('\n') + document.slice(at + text.length);
}

/**
 * Random ids: of webhooks and their tests, invite links and locally created records and, in paths, of syncs, jobs and
 * files.
 */
const RANDOM =
  /(?<=\/v3\/files\/)[\w-]+|(?<=test_)[0-9a-f]{24}|\b(?:[0-9a-f]{24}|[0-9a-f]{32}|(?<=\/(?:syncs|jobs|uploads)\/|svc-)[0-9A-Za-z]{15})\b/g;
/** Fields with random ids. */
const RANDOM_FIELDS = new Set([
  'key_id',
  'request_id',
  'secret',
  'sync_id',
  'job_id',
  'upload_job_id',
  'syncId',
  'jobId',
]);
/** Demo data is older than the run. */
const RUN_BEGAN = `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;

/** @param {Exchange} exchange */
function requestOf({ request, variables }) {
  return { request, variables: JSON.parse(variables ?? '{}') };
}

/** @param {Exchange} exchange @returns {unknown} */
function answerOf({ answer, answerLanguage }) {
  if (answerLanguage === 'text') return answer.trim();
  try {
    return JSON.parse(answer);
  } catch {
    return answer;
  }
}

/** Counters that change with time: calls to a platform per minute, hour and day, attempts, durations. */
const COUNTERS = new Set(['concurrent', 'minute', 'hour', 'day', 'duration_ms', 'attempts']);

/** @param {unknown} documented @param {unknown} sent @param {boolean} writes @param {string} name @returns {unknown} */
function adopt(documented, sent, writes, name = '') {
  if (Array.isArray(documented)) {
    return Array.isArray(sent)
      ? documented.map((value, index) => adopt(value, sent[index], writes))
      : documented;
  }
  if (isObject(documented) && isObject(sent)) {
    return Object.fromEntries(
      Object.entries(documented).map(([key, value]) => [key, adopt(value, sent[key], writes, key)]),
    );
  }
  const isOfRun = isTime(documented) && isTime(sent) && sent >= RUN_BEGAN;
  const isCount = COUNTERS.has(name) && typeof documented === 'number' && typeof sent === 'number';
  const isMadeUp =
    (RANDOM_FIELDS.has(name) && typeof documented === 'string' && typeof sent === 'string') ||
    withoutRandom(documented) === withoutRandom(sent) ||
    (writes && isMadeAtPlatform(documented) && isMadeAtPlatform(sent));
  return isOfRun || isCount || isMadeUp ? sent : documented;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @param {unknown} value @returns {value is string} */
const isTime = (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/.test(value);

/** Ids assigned by a platform, and markers of written records. @param {unknown} value */
const isMadeAtPlatform = (value) =>
  typeof value === 'string' && /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|svc-\w{15})$/.test(value);

/** @param {unknown} value */
const withoutRandom = (value) => (typeof value === 'string' ? value.replace(RANDOM, 'at random') : value);
