import { type Answer } from '../fault-proxy.js';
import { changesOf } from './changes-feed.js';
import { entityNamed, type View } from './entities.js';
import { invalidId, json, notFound, unsupported } from './problems.js';
import { answerQuery } from './query/run.js';
import { reportOf } from './reports.js';
import { fileAddress } from './wire/money.js';
import { preciseTime } from './wire/values.js';
import { answerWrite, isWritten } from './writes/index.js';

export interface Call {
  readonly method: string;
  /** Below `/v3/company/{realmId}/`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
  readonly text: string;
}

/** What is at a path of the company. */
export function answerAt(call: Call, view: View): Answer {
  const { method, path, query, text } = call;
  const [name = '', id, ...more] = path;
  if (name === 'query' && id === undefined) {
    const asked = method === 'POST' ? text : (query.get('query') ?? '');
    return envelope({ QueryResponse: answerQuery(view, asked) }, view);
  }
  if (method === 'POST' && id === undefined && isWritten(name)) return answerWrite(name, call, view);
  if (method !== 'GET' || more.length > 0) return unsupported(path.join('/'));
  if (name === 'cdc' && id === undefined) return envelope(changesOf(view, query), view);
  if (name === 'download' && id !== undefined) return downloadOf(id, view);
  if (name === 'reports' && id !== undefined) {
    const report = reportOf(id, query, view);
    return report ? json(200, report) : unsupported(`reports/${id}`);
  }
  return entityAt(name, id, view);
}

const envelope = (content: object, { company }: View): Answer =>
  json(200, { ...content, time: preciseTime(company.now) });

function entityAt(name: string, id: string | undefined, view: View): Answer {
  const entity = name === name.toLowerCase() ? entityNamed(name) : null;
  if (!entity) return unsupported(name);
  const isOnly = entity.name === 'Preferences' || entity.name === 'CompanyInfo';
  if (isOnly) {
    const isAsked =
      entity.name === 'Preferences' ? id === undefined : id === view.company.realmId || id === '1';
    return isAsked ? envelope({ [entity.name]: entity.rows(view)[0] }, view) : notFound;
  }
  if (id === undefined) return unsupported(name);
  const row = entity.rows(view).find((one) => one['Id'] === id);
  if (row) return envelope({ [entity.answered]: row }, view);
  return /^\d+$/.test(id) ? notFound : invalidId(id);
}

/** The address of a file, as a text. */
function downloadOf(id: string, { company, fileOrigin }: View): Answer {
  const found = company.shelves.Attachable.find((one) => one.id === id);
  if (!found || found.fileName === null) return notFound;
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: fileAddress(fileOrigin, found) };
}
