import { lines } from './lines.js';
import { payments } from './payments.js';
import { counts } from './counts.js';
import { related } from './related.js';
import { small } from './small.js';

/** Pages per list: with five lists, ten requests that a dashboard repeats. */
const PAGES = 2;

/** The same request, from a client that already has the answer. */
async function known(server, { method, path, headers }) {
  const { headers: told } = await fetch(`${server.url}${path}`, { method, headers });
  const request = { method, path, headers: { ...headers, 'if-none-match': told.get('etag') } };
  const { status } = await fetch(`${server.url}${path}`, { method, headers: request.headers });
  if (status !== 304) throw new Error(`${path} was answered ${status} to who has its answer`);
  return request;
}

export const unchanged = {
  title: 'W8: ten requests of a dashboard, repeated while nothing changes, REST',
  targets: async (bench) => {
    const lists = await Promise.all(
      [payments, small, counts, related, lines].map((workload) => workload.targets(bench)),
    );
    const requestsOf = (name) =>
      lists.flatMap((targets) => targets.find((one) => one.name === name).requests.slice(0, PAGES));
    const requests = requestsOf('ours, REST');
    return [
      { name: 'limit, as REST', server: bench.limit, requests: requestsOf('limit, as REST') },
      { name: 'ours, REST', server: bench.ours, requests, limit: 'limit, as REST' },
      {
        name: 'ours, known',
        server: bench.ours,
        requests: await Promise.all(requests.map((one) => known(bench.ours, one))),
        isKnown: true,
        limit: 'limit, as REST',
      },
    ];
  },
};
