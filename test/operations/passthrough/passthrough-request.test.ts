import { describe, expect, test } from '@jest/globals';
import {
  parseHeaders,
  parsePassthrough,
  parsePath,
  splitPath,
} from '../../../src/operations/passthrough/passthrough-request.js';
import { parseJson } from '../../../src/base/raw-json.js';

const refusal = (field: string, message: RegExp | string = '') =>
  expect.objectContaining({
    code: 'invalid-params',
    field: field.split('.'),
    message: expect.stringMatching(message),
  });

describe('a path', () => {
  test.each([
    '/',
    '/Invoices',
    '/Invoices/2d1c7b80-7f35-4a5a-9b1e-6f3f7f5a1c11',
    "/a._~!$&'()*+,;=:@-z/%20%C3%BC",
    '/items/...',
    '/items/.hidden',
    '/items/a..b;c',
    '/items/100%25',
  ])('%s is passed on as it is', (path) => {
    expect(parsePath(path)).toBe(path);
  });

  test.each([
    // Other places than the platform's API.
    '',
    'Invoices',
    'https://evil.example/',
    'http:evil.example',
    'javascript:alert(1)',
    '//evil.example/x',
    '/a//b',
    '/\\evil.example',
    '\\\\evil.example',
    '/a\\..\\b',
    '\t//evil.example',
    '/\t/evil.example',
    '/a\r\nhost: evil.example',
    '/a\0b',
    // Up and out.
    '/.',
    '/..',
    '/../x',
    '/a/../../x',
    '/a/./x',
    '/a/..',
    '/..;/x',
    '/a/..;jsessionid=1/x',
    '/%2e%2e/x',
    '/.%2e/x',
    '/%2E./x',
    '/a/%2e',
    '/..%2fx',
    '/a%2Fb',
    '/a%5cb',
    '/a%5C..%5Cb',
    '/a%00b',
    '/a%0d%0ahost:x',
    '/a%7fb',
    '/%252e%252e%252fx',
    '/%25252e%25252e/x',
    '/a%255cb',
    '/%25%32%65%25%32%65/x',
    '/a%25%32%66b',
    '/a%2525%33%33%25%32%65',
    `/${'a'.repeat(2000)}`,
    // Parameters, and what is no path at all.
    '/a?b=c',
    '/a#b',
    '/a b',
    '/ü',
    '/a"b',
    '/a<b>',
    '/a|b',
    '/a{b}',
    '/a[0]',
    '/a^b`c',
    '/%',
    '/%zz',
    '/%c3',
  ])('%j is refused', (path) => {
    expect(() => parsePath(path)).toThrow(refusal('data.path', /^data\.path must /));
  });
});

describe('a path as many clients write it', () => {
  test.each<[string, string, [string, string][]]>([
    ['Invoices', '/Invoices', []],
    ['v1/items/2', '/v1/items/2', []],
    ['/Invoices?page=2&where=a%3D%221%22', '/Invoices', [['page', '2'], ['where', 'a="1"']]], // prettier-ignore
    ['Invoices?', '/Invoices', []],
    ['/a?b=c+d&b=e', '/a', [['b', 'c d'], ['b', 'e']]], // prettier-ignore
  ])('%s has its slash and its parameters', (given, path, query) => {
    expect(splitPath(given)).toEqual({ path, query });
  });

  test.each([
    '',
    '?a=b',
    'https://evil.example/',
    'http:evil.example',
    'javascript:alert(1)',
    '//evil.example/x?a=b',
    '\\\\evil.example',
    '../x',
    './x',
    '..',
    '/a?b=%zz',
    '/a?b=%ff',
    '/a?b=c#d',
    '/a?b=%00',
    'a@evil.example/x',
  ])('%j is refused', (path) => {
    expect(() => splitPath(path)).toThrow(refusal('data.path'));
  });

  test('its parameters stand before those of params', () => {
    const { query } = parsePassthrough({ method: 'GET', path: '/a?b=1', params: { b: 2 } });
    expect(query).toEqual([
      ['b', '1'],
      ['b', '2'],
    ]);
  });
});

describe('headers', () => {
  test.each([
    'accept',
    'Content-Type',
    'If-Modified-Since',
    'idempotency-key',
    'X-Request-Id',
    'prefer',
    'api-version',
  ])('%s goes to the platform', (name) => {
    expect(parseHeaders({ [name]: 'a value' })).toEqual({ [name.toLowerCase()]: 'a value' });
  });

  test.each([
    'connection',
    'Keep-Alive',
    'TE',
    'trailer',
    'trailers',
    'Transfer-Encoding',
    'upgrade',
    'http2-settings',
    'expect',
    'proxy-authorization',
    'proxy-connection',
    'Host',
    'content-length',
    'Content_Length',
    'Authorization',
    'cookie',
    'cookie2',
    'X-Forwarded-For',
    'x_forwarded_host',
    'forwarded',
    'api_key',
    'API_KEY',
    'x-original-url',
    'x-rewrite-url',
  ])('%s is refused', (name) => {
    const expected = refusal('data.headers', new RegExp(`must not hold "${name}"`));
    expect(() => parseHeaders({ [name]: 'x' })).toThrow(expected);
  });

  test.each(['', 'a b', 'a:b', 'a\r\nb', 'a\0', 'ü', 'a"b', '(a)', 'x'.repeat(201)])(
    '%j is no name',
    (name) => {
      expect(() => parseHeaders({ [name]: 'x' })).toThrow(
        refusal('data.headers', /is not a valid header name/),
      );
    },
  );

  test.each(['a\r\nset-cookie: b', 'a\nb', 'a\rb', 'a\0b', 'a\x7fb', 'a\x1bb', '€', 1, null, ['a'], {}])(
    '%j is no value',
    (value) => {
      expect(() => parseHeaders({ accept: value })).toThrow(refusal('data.headers', /must be one line/));
    },
  );

  test('are given once', () => {
    expect(() => parseHeaders({ accept: 'a', Accept: 'b' })).toThrow(refusal('data.headers', /once/));
  });

  test.each(['text', 1, ['a'], true])('%j is no object of them', (given) => {
    expect(() => parseHeaders(given)).toThrow(refusal('data.headers', /must be an object/));
  });

  test('of no effect on objects', () => {
    expect(Object.keys(parseHeaders(JSON.parse('{"__proto__": "x"}')))).toEqual(['__proto__']);
  });
});

const GET = { method: 'GET', path: '/a' };
const POST = { method: 'POST', path: '/a' };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('a method', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'get'])('%s is taken', (method) => {
    expect(parsePassthrough({ method, path: '/a' }).method).toBe(method.toUpperCase());
  });

  test.each(['TRACE', 'CONNECT', 'OPTIONS', 'PROPFIND', '', 'GET ', 'GET\r\nx: y', '__proto__'])(
    '%j is refused',
    (method) => {
      expect(() => parsePassthrough({ method, path: '/a' })).toThrow(
        refusal('data.method', /one of GET, POST/),
      );
    },
  );
});

describe('params', () => {
  test('are texts, numbers, booleans and lists of them; null is absent', () => {
    const params = { page: 1, name: 'A & B+C', all: true, ids: ['a', 2], none: null, empty: [] };
    expect(parsePassthrough({ ...GET, params }).query).toEqual([
      ['page', '1'],
      ['name', 'A & B+C'],
      ['all', 'true'],
      ['ids', 'a'],
      ['ids', '2'],
    ]);
  });

  test('keep all digits of numbers', () => {
    const params = parseJson('{"since":1764000000123456789,"ids":[1.50000000000000000001]}');
    expect(parsePassthrough({ ...GET, params }).query).toEqual([
      ['since', '1764000000123456789'],
      ['ids', '1.50000000000000000001'],
    ]);
  });

  test.each([{ a: {} }, { a: [[]] }, { a: [null] }, 'a=b', ['a'], 1])('%j are refused', (params) => {
    expect(() => parsePassthrough({ ...GET, params })).toThrow(refusal('data.params'));
  });
});

describe('data', () => {
  test('is JSON, or a text of the type that is named', () => {
    const made = (data: unknown, headers?: object) => {
      const { body, headers: sent } = parsePassthrough({ ...POST, data, headers });
      return [body, sent];
    };
    expect(made({ a: [1, null] })).toEqual(['{"a":[1,null]}', JSON_TYPE]);
    expect(made([])).toEqual(['[]', JSON_TYPE]);
    expect(made(false)).toEqual(['false', JSON_TYPE]);
    const own = { 'content-type': 'application/vnd.acme+json; charset=utf-8' };
    expect(made({}, own)).toEqual(['{}', own]);
    expect(made('a=b', { 'Content-Type': 'application/x-www-form-urlencoded' })).toEqual([
      'a=b',
      { 'content-type': 'application/x-www-form-urlencoded' },
    ]);
    expect(made('{"amount":1.10}', JSON_TYPE)).toEqual(['{"amount":1.10}', JSON_TYPE]);
    expect(made(null)).toEqual([null, {}]);
  });

  test('a text needs its type, and a type that is not JSON needs a text', () => {
    expect(() => parsePassthrough({ ...POST, data: 'text' })).toThrow(
      refusal('data.headers', /content-type/),
    );
    const headers = { 'content-type': 'application/xml' };
    expect(() => parsePassthrough({ ...POST, data: {}, headers })).toThrow(
      refusal('data.data', /must be a text/),
    );
  });

  test.each(['GET', 'HEAD'])('%s has none', (method) => {
    expect(parsePassthrough({ method, path: '/a', data: {} }).body).toBeNull();
    expect(() => parsePassthrough({ method, path: '/a', data: { a: 1 } })).toThrow(refusal('data.data'));
    expect(() => parsePassthrough({ method, path: '/a', data: 'x' })).toThrow(refusal('data.data'));
  });
});
