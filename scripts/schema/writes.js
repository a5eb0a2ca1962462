// What follows from a type with `@writes`: its mutations with their inputs and payloads.
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
  "Identifier of the job: 15 letters and digits; null for what is only planned."
  jobId: String
  "State of the item."
  state: WriteItemState!
  "Reason why it was not written; for an item that is tried again, the result of the last attempt."
  error: WriteError
  "Oddities of the item that do not keep it from being written."
  warnings: [String!]!
  "Request that would be sent, where it is only planned."
  request: PlannedRequest
  "Time when it was over."
  endedAt: DateTime
  "The record as it is stored now, once it was written."
  record: ${name}
}`;
  const perVerb = verbs.map(
    (verb) => `"${upper(nouns)} to ${verb} at their platform."
input ${upper(verb)}${many}Input {
  "Returned in the payload."
  clientMutationId: String
  "The company."
  companyId: SvcId!
  "The records, in the order in which they are sent; 1,000 at most."
  data: [${input}!]!
  "The connection; absent for the first healthy one of the record type's category."
  connectionId: SvcId
  "The platform; absent for any."
  integrationType: IntegrationType
  "Answer immediately and write afterwards; false when absent."
  runAsync: Boolean
  "Answer what would be sent and send nothing; false when absent."
  dryRun: Boolean
  "Refuse items that name records which are not known here; false when absent: they are warned of."
  strict: Boolean
  "The same key and the same records are written once, however often they are asked for; kept 30 days."
  idempotencyKey: String
}
"Result of the mutation ${verb}${many}."
type ${upper(verb)}${many}Payload {
  "The clientMutationId of the input."
  clientMutationId: String
  "The write; null for a dry run, and when nothing was accepted."
  write: Write
  "The connection that is written through; null when nothing was accepted."
  connectionId: SvcId
  "Whether the key was used before: then this is the result of that request."
  replayed: Boolean!
  "The items, in the order of the request."
  results: [${name}WriteResult!]!
  "Reasons why nothing was accepted; errors of single items are in results."
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
