// Derived from a type with `@writes`: its mutations with their inputs and payloads.
import { definitionsFrom, directiveOf, fieldsFrom, plural, upper, words } from './ast.js';

function writesOf(type) {
  const given = directiveOf(type, 'writes');
  if (!given) return null;
  const name = type.name.value;
  const verbs = given.update ? ['create', 'update'] : ['create'];
  return { name, many: plural(name), nouns: words(plural(name)), input: given.input, verbs };
}

export function writeTypes(type) {
  const writes = writesOf(type);
  if (!writes) return [];
  const { name, many, nouns, input, verbs } = writes;
  const result = `"Result of writing one ${words(name)}."
type ${name}WriteResult {
  "Identifier of the job: 15 letters and digits; null for a dry run."
  jobId: String
  "State of the item."
  state: WriteItemState!
  "Reason it was not written; for an item being retried, the error of the last attempt."
  error: WriteError
  "Warnings that did not prevent the item from being written."
  warnings: [String!]!
  "Request that would be sent; dry runs only."
  request: PlannedRequest
  "End time."
  endedAt: DateTime
  "The stored record, once written."
  record: ${name}
}`;
  const perVerb = verbs.map(
    (verb) => `"${upper(nouns)} to ${verb} at their platform."
input ${upper(verb)}${many}Input {
  "Returned in the payload."
  clientMutationId: String
  "The company."
  companyId: SvcId!
  "The records, in the order in which to send them; 1,000 at most."
  data: [${input}!]!
  "The connection; by default the first healthy one of the record type's category."
  connectionId: SvcId
  "The platform; absent for any."
  integrationType: IntegrationType
  "Return immediately and write in the background; default false."
  runAsync: Boolean
  "Return the requests that would be sent without sending them; default false."
  dryRun: Boolean
  "Refuse items that refer to unknown records; by default they only get a warning."
  strict: Boolean
  """
  Idempotency key: repeats with the same key and records return the first result for 30 days. Without it, the HTTP header
  \`Idempotency-Key\` is the key, of one write per request.
  """
  idempotencyKey: String
}
"Result of the mutation ${verb}${many}."
type ${upper(verb)}${many}Payload {
  "The clientMutationId of the input."
  clientMutationId: String
  "The write; null for a dry run, and if nothing was accepted."
  write: Write
  "The connection used for writing; null if nothing was accepted."
  connectionId: SvcId
  "Whether the key was used before; if so, this is the result of that request."
  replayed: Boolean!
  "The items, in the order of the request."
  results: [${name}WriteResult!]!
  "Reasons the request was refused; errors of single items are in results."
  userErrors: [UserError!]!
}`,
  );
  return definitionsFrom([result, ...perVerb].join('\n'));
}

export function writeMutations(type) {
  const writes = writesOf(type);
  if (!writes) return [];
  const { many, nouns, verbs } = writes;
  return verbs.flatMap((verb) =>
    fieldsFrom(`"${verb === 'create' ? 'Creates' : 'Changes'} ${nouns} at their platform. Needs the scope write."
  ${verb}${many}("Records to ${verb}." input: ${upper(verb)}${many}Input!): ${upper(verb)}${many}Payload!`),
  );
}
