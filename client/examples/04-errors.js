// What a refusal tells a program.
import { ApiError } from '../dist/index.js';
import { client } from './service.js';

try {
  await client.get('/v3/accounting/accounts/{svc_id}', { params: { svc_id: 999999999 } });
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  const { status, code, message, details } = error;
  console.log(`${status} ${code} at ${details.field}: ${message} (request ${details.requestId})`);
}
