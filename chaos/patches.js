const ADD = 'writes/add-upload.js';
const JOB = 'writes/upload-job.js';
const RUN = 'writes/run/upload-run.js';
const REPEAT = 'writes/run/check-repeat.js';
const SEND = 'writes/sending/send-item.js';
const ASK = 'writes/sending/ask-platform.js';
const STORE = 'writes/results/store-results.js';

const without = (file, find) => ({ file, find, replace: '' });

/** The change that each planted bug makes in a copy of the build. */
export const PATCHES = {
  'send before commit': [
    without(RUN, 'await this.mark(items);'),
    {
      file: RUN,
      find: 'await storeResults(storing,',
      replace: 'await this.mark(items); await storeResults(storing,',
    },
  ],
  'retry without look-up': [
    { file: SEND, find: 'if (isAgain) {', replace: 'if (false) {' },
    { file: REPEAT, find: 'if (sending.resource.find) {', replace: 'if (false) {' },
  ],
  // Late moves of a worker are rejected twice: by its fence, and by the table of moves.
  'no fencing': [
    {
      file: 'runs/lease.js',
      find: `if (rows.length > 0)
        return;`,
      replace: 'return;',
    },
    { file: 'writes/item-state.js', find: "${isMoveSql('item', 't.state', 'c.state')}", replace: 'true' },
  ],
  'result outside the transaction': [
    {
      file: STORE,
      find: `const stored = await sql.transaction(async (transaction) => {
        await assertHeld(transaction, upload);
        if (isRepeat && (await hasEnded(transaction, upload, changes)))
            return null;
        await store(transaction);
        failPoint('inside the storing transaction');
        await changeItems(transaction, upload, resource.definition.table, changes);`,
      replace: `await sql.transaction((one) => changeItems(one, upload, resource.definition.table, changes));
    failPoint('inside the storing transaction');
    await sql.transaction(store);
    const stored = await sql.transaction(async (transaction) => {`,
    },
  ],
  'job outside the transaction': [
    without(
      ADD,
      `if (end === null)
                await queueRun(transaction, 'upload', { ...added, connectionId });`,
    ),
    {
      file: ADD,
      find: "failPoint('after upload is stored');",
      replace: `failPoint('after upload is stored');
        await sql.transaction((one) => queueRun(one, 'upload', { ...key, connectionId }));`,
    },
  ],
  "caller's key forgotten": [
    { file: ADD, find: 'if (upload.idempotencyKey !== null)', replace: 'if (false)' },
  ],
  'lost job ended': [
    {
      file: JOB,
      find: `if (error instanceof LeaseLost)
            throw error;`,
      replace: `if (error instanceof LeaseLost)
            return;`,
    },
  ],
  'sent without a key': [
    { file: ASK, find: 'headers: { [idempotencyKey.name]: key, ...headers }', replace: 'headers' },
  ],
};

export const PLANTED_BUGS = Object.keys(PATCHES);

/**
 * Makes the service distrust idempotency keys, as on a platform without them. They are still sent, so that the checks
 * can identify writes.
 */
export const DISTRUST_KEYS = {
  file: SEND,
  find: 'return idempotencyKey !== null && age',
  replace: 'return false && age',
};

/** Changes how long the service waits for the answer to a write. */
export const answerTimeout = (milliseconds) => ({
  file: ASK,
  find: 'const TIMEOUT_MS = 20_000;',
  replace: `const TIMEOUT_MS = ${milliseconds};`,
});
