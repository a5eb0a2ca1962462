// Every company and what it has connected.
import { client } from './service.js';

for await (const { svc_id, name, connections } of client.list('/v3/core/companies')) {
  const platforms = connections.map((one) => `${one.integration_type} (${one.connection_status})`);
  console.log(`${svc_id}  ${name}: ${platforms.join(', ') || 'nothing connected'}`);
}
