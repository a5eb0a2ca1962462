/** Introduction of the OpenAPI document, in Markdown: tools show it as the first page. */
export const INTRODUCTION = `Accounting, payments and ecommerce data of all connected customers, in one format. The same data is available through GraphQL at \`POST /graphql\`.

## A first request

Every call needs an API key in the header \`api_key\` or as \`Authorization: Bearer\`:

\`\`\`sh
curl -g -H 'api_key: YOUR_KEY' 'https://your-host/v3/accounting/accounts?limit=2&expand=currency'
\`\`\`

Names are in \`snake_case\`, times are ISO 8601 in UTC. Amounts keep all digits, as numbers in some types and as strings in others. References between records are \`platform_id\`s; \`svc_id\` identifies a record in this service.

## Lists

- **Pages**: \`limit\` records; pass \`next\` from a response as \`next\` for the following page, \`prev\` for the previous one. Cursors stay valid while records change.
- **Filters**: \`field[operator]=value\`, such as \`svc_updated_at[gte]=2026-01-01T00:00:00Z\` or \`status[in]=ACTIVE,ARCHIVED\` (escape a comma within a value as \`\\,\`). Operators are \`eq\`, \`ne\`, \`in\`, \`notIn\`, \`gt\`, \`gte\`, \`lt\`, \`lte\`, \`contains\`, \`startsWith\` and \`isNull\`; all conditions must hold. \`svc_company_id[eq]\` is the fastest.
- **Order**: \`sort[field]=ASC\` or \`DESC\`; by default \`svc_id\` ascending.
- **More or fewer fields**: \`expand\` adds related records, \`select\` adds \`raw_data\` and other metadata, \`fields\` omits all others.
- **Counts**: \`return_count=true\` fills \`total_count\`.

To keep a copy up to date, follow \`GET /v3/core/changes\` or create a webhook: both deliver every change of a record, in order.

## Writes

A write goes to the customer's platform and returns the record as stored there. \`run_async\` returns immediately with a \`sync_id\` for polling. An \`Idempotency-Key\` makes retries safe: the same key with the same body returns the first result.

## Errors

Errors have the form \`{"error": {"message", "code", "field"}}\`: \`field\` names the invalid parameter or body field. Temporary errors have the header \`Retry-After\`. Quote the response header \`x-request-id\` in questions to the operator of the service.

## Limits

Requests per minute are limited per key and organisation: the headers \`RateLimit\` and \`RateLimit-Policy\` show what is left, and a 429 says when to retry.`;
