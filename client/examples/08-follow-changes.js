// Changes from where the last run ended. A program keeps the position beside what it stores, in one transaction.
import { client } from './service.js';

let position = process.env.AFTER;
let count = 0;
for await (const change of client.changes({ after: position, dataModels: ['ACCOUNTS', 'CONTACTS'] })) {
  count += 1;
  position = change.position;
}
console.log(`${count} changes, up to position ${position}`);
console.log('with { follow: true } the loop goes on as changes happen');
