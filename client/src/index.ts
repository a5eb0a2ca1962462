export { type Client, createClient, type ListPath, type RecordOf } from './client.js';
export type { Change, ChangesOptions } from './changes.js';
export { ApiError, GraphqlError, type GraphqlProblem } from './errors.js';
export { type Document, type GraphqlOptions, typed } from './graphql.js';
export type { AnswerOf, CallOptions, OptionsOf, PathOf } from './rest.js';
export type { ClientOptions } from './send.js';
export {
  verifyWebhook,
  type VerifyOptions,
  WebhookError,
  type WebhookEvent,
  type WebhookRequest,
} from './webhooks.js';
export type { components, paths } from './__generated__/rest.js';
export * from './__generated__/graphql.js';
