/** The usual result of Vendure's mutations: the order, or an error. */
export const ORDER_OR_ERROR = '{ __typename ... on Order { id } ... on ErrorResult { errorCode message } }';
export const REFUND_OR_ERROR = '{ __typename ... on Refund { id } ... on ErrorResult { errorCode message } }';
export const FULFILLMENT_OR_ERROR =
  '{ __typename ... on Fulfillment { id } ... on ErrorResult { errorCode message } }';

/** Sends an operation; throws on errors, and on results that report a failure. */
export async function send(url, { query, variables = {}, headers = {} }) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await answer.json();
  const refusal = errors?.[0] ?? Object.values(data).find((result) => result?.errorCode);
  if (refusal) throw new Error(`${url}: ${refusal.message}\n${query}`);
  return { data, headers: answer.headers };
}
