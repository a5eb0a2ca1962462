/** What a reader of the OpenAPI document should know before its paths, in Markdown: tools show it as a first page. */
export const INTRODUCTION = `Accounting, payments and ecommerce data of all connected customers, in one form. The same data is there by GraphQL, at \`POST /graphql\`.

## A first request

Every call needs an API key, in the header \`api_key\` or as \`Authorization: Bearer\`:

\`\`\`sh
curl -g -H 'api_key: YOUR_KEY' 'https://your-host/v3/accounting/accounts?limit=2&expand=currency'
\`\`\`

Names are in \`snake_case\`, times are ISO 8601 in UTC. Amounts keep every digit, as numbers in some types and as text in others. References between records are \`platform_id\`s; \`svc_id\` is the record's own identifier here.

## Lists

- **Pages**: \`limit\` records; \`next\` of an answer, given as \`next\`, leads to the page after it, \`prev\` to the one before. Cursors stay valid while records change.
- **Filters**: \`field[operator]=value\`, such as \`svc_updated_at[gte]=2026-01-01T00:00:00Z\` or \`status[in]=ACTIVE,ARCHIVED\` (a comma within a value as \`\\,\`). Operators are \`eq\`, \`ne\`, \`in\`, \`notIn\`, \`gt\`, \`gte\`, \`lt\`, \`lte\`, \`contains\`, \`startsWith\` and \`isNull\`; all conditions must hold. \`svc_company_id[eq]\` is the fastest.
- **Order**: \`sort[field]=ASC\` or \`DESC\`; by default that of \`svc_id\`.
- **More, or less, of each record**: \`expand\` adds related records, \`select\` adds \`raw_data\` and other metadata, \`fields\` leaves all else out.
- **Counts**: \`return_count=true\` fills \`total_count\`.

To keep a copy up to date, follow \`GET /v3/core/changes\` or subscribe a webhook: both tell every change of a record, in order.

## Writes

A write is carried out at the customer's platform and answered with the record as it is there. \`run_async\` answers at once with a \`sync_id\` to ask by. An \`Idempotency-Key\` makes retries safe: the same key with the same body answers the first result.

## Errors

A refusal is \`{"error": {"message", "code", "field"}}\`: \`field\` names the parameter or the field of the body that is wrong. The header \`Retry-After\` comes with a refusal that ends by itself. Quote the header \`x-request-id\` of an answer in questions to whoever runs the service.

## Limits

Requests a minute are limited per key and organisation: the headers \`RateLimit\` and \`RateLimit-Policy\` tell what is left, and a 429 when to come back.`;
