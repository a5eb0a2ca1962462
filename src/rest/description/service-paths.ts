import { refusalRefs } from './responses.js';
import { about, integer, object, text, word } from './json-schema.js';

const json = (status: string, ...words: readonly string[]) => ({
  description: status,
  content: { 'application/json': { schema: object({ status: word(...words) }) } },
});

const READY = object(
  {
    status: word('ok'),
    workers: about('Worker processes of a cluster.', object({ used: integer, all: integer })),
  },
  ['status'],
);

/** Paths that need no key and are not REST routes. */
export const SERVICE_PATHS = {
  '/v3/files/{token}': {
    get: {
      operationId: 'fetchFile',
      tags: ['Service'],
      summary: 'Fetch a file by its `download_url`',
      description: 'Needs no key: the URL works for a limited time.',
      security: [],
      parameters: [
        { name: 'token', in: 'path', description: 'Token from the URL.', required: true, schema: text },
        { name: 'Range', in: 'header', description: 'A part of the file.', required: false, schema: text },
      ],
      responses: {
        200: {
          description: 'The file.',
          content: { '*/*': { schema: { ...text, contentMediaType: 'application/octet-stream' } } },
        },
        206: {
          description: 'A part of the file.',
          content: { '*/*': { schema: { ...text, contentMediaType: 'application/octet-stream' } } },
        },
        ...refusalRefs([404, 416, 500, 503]),
      },
    },
  },
  '/health/live': {
    get: {
      operationId: 'isLive',
      tags: ['Service'],
      summary: 'Check that the process is alive',
      description: 'Needs no key and asks no database: a process that does not answer should be restarted.',
      security: [],
      responses: { 200: json('Alive.', 'ok'), ...refusalRefs([431]) },
    },
  },
  '/health/ready': {
    get: {
      operationId: 'isReady',
      tags: ['Service'],
      summary: 'Check that the process is ready',
      description: 'Needs no key: 503 if requests should go to another process.',
      security: [],
      responses: {
        200: {
          description: 'Ready.',
          content: { 'application/json': { schema: READY } },
        },
        ...refusalRefs([431]),
        503: json('Not ready.', 'stopping', 'no database'),
      },
    },
  },
};
