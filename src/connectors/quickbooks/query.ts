import { type PlatformClient, type PlatformObject } from '../platform.js';
import { decimalOf, objectOf } from '../values/platform-values.js';
import { listOf, requiredText, unexpectedAnswer } from '../values/required-values.js';
import { QUICKBOOKS_TITLE } from './client.js';

/** Names in answers of entities that have another one in queries. */
const ANSWERED: Readonly<Record<string, string>> = { CreditCardPayment: 'CreditCardPaymentTxn' };

/** The name under which an answer lists objects of an entity; its own if it lists none. */
export function listedName(answer: PlatformObject, entity: string): string {
  const other = ANSWERED[entity];
  return other !== undefined && answer[other] !== undefined ? other : entity;
}

/** Runs a query, such as `select * from Invoice where Id = '12'`. */
export async function ask(
  client: PlatformClient,
  entity: string,
  clauses: readonly string[] = [],
  fields = '*',
): Promise<readonly PlatformObject[]> {
  const query = [`select ${fields} from ${entity}`, ...clauses].join(' ');
  const answer = await client.get('/query', { query: { query } });
  const response = objectOf(answer['QueryResponse']);
  if (!response) throw unexpectedAnswer(QUICKBOOKS_TITLE, 'must answer with a QueryResponse');
  // Where nothing is found, the list is missing, and so is its length.
  const count = decimalOf(response['maxResults']);
  const name = listedName(response, entity);
  if (response[name] === undefined && (count === null || count === '0')) return [];
  return listOf(QUICKBOOKS_TITLE, response, name);
}

/** Conditions as a clause; none if there are none. */
export const where = (conditions: readonly string[]): readonly string[] =>
  conditions.length === 0 ? [] : [`where ${conditions.join(' and ')}`];

/** A value in a query. Throws for one that would need quotes in it: ids and times never do. */
export function quoted(value: string): string {
  if (!/^[\w:.-]+$/.test(value)) throw new Error(`a query cannot hold ${value}`);
  return `'${value}'`;
}

/** The Id, which an object must have. */
export const idOf = (object: PlatformObject): string => requiredText(QUICKBOOKS_TITLE, object, 'Id');
