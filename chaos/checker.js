// The judge. It does not know the service: it only compares what clients saw, what the platform did, and what the
// service reports.

/**
 * Judges the evidence. `verdicts` has, for each promise, the number of subjects that keep it and the problems of the
 * others; `lost` and `duplicated` count items.
 */
export function judge({ events, platform, service }) {
  const batches = batchesOf(events);
  const objects = groupBy(platform.objects, ({ account, name }) => `${account} ${name.split(' ')[0]}`);
  const created = platform.writes.filter(({ operation }) => operation === 'create');
  const creations = groupBy(created, ({ account, id }) => `${account} ${id}`);
  const records = groupBy(service.records, ({ account, platformId }) => `${account} ${platformId}`);
  const creates = groupBy(
    service.changes.filter(({ operation }) => operation === 'CREATE'),
    ({ svcId }) => svcId,
  );
  const items = [...itemsOf(batches).values()];
  const onPlatform = ({ account, token }) => objects.get(`${account} ${token}`) ?? [];
  const known = new Set(items.map(({ account, token }) => `${account} ${token}`));
  const told = new Map(batches.flatMap((batch) => [...batch.uploadIds].map((id) => [id, batch])));

  const verdicts = [
    verdict('every batch got one final answer', batches, (batch) =>
      batch.final ? null : `${batch.name}: ${batch.failure ?? 'no final answer'}`,
    ),
    verdict('the same key always has the same ids', batches, idsProblem),
    verdict('every valid item was written at last, every other one refused', items, (item) => {
      const { token, isValid, last } = item;
      // A write in several steps may have only its first step done, if faults used up the attempts of the rest.
      const isUnfinished = last?.status === 'uncertain' && /remaining steps in \d+ attempts/.test(last.error);
      if (isUnfinished && onPlatform(item).length === 1) return null;
      return (last?.status === 'success') === isValid && ['success', 'failed'].includes(last?.status)
        ? null
        : `${token} is ${last?.status ?? 'unanswered'}: ${last?.error ?? ''}`;
    }),
    verdict('an item is on the platform once where it was written, and else not', items, (item) => {
      const { token, last } = item;
      const count = onPlatform(item).length;
      if (count > 1) return `${token} is there ${count} times`;
      if (last?.status === 'success')
        return count === 1 ? null : `${token} was acknowledged and is not there`;
      return last?.status === 'failed' && count === 1 ? `${token} is there although it failed` : null;
    }),
    verdict("the platform's log has each of them created once, as the client was told", items, (item) => {
      const [object] = onPlatform(item);
      if (!object) return null;
      const count = creations.get(`${object.account} ${object.id}`)?.length ?? 0;
      if (count !== 1) return `${item.token} was created ${count} times`;
      const isSame = item.last?.platformId == null || item.last.platformId === object.id;
      return isSame ? null : `${item.token} is ${object.id}, the client was told ${item.last.platformId}`;
    }),
    verdict('nothing is on the platform that nobody asked for', platform.objects, (object) =>
      known.has(`${object.account} ${object.name.split(' ')[0]}`)
        ? null
        : `${object.name} was never asked for`,
    ),
    verdict('every write has a key', created, ({ id, idempotency_key: key }) =>
      key === null ? `${id} was written without a key` : null,
    ),
    verdict('every upload has ended and is one that a client was told of', service.uploads, (upload) => {
      if (upload.endedAt === null) return `upload ${upload.writeId} is ${upload.state}`;
      return told.has(upload.writeId) ? null : `nobody was told of upload ${upload.writeId}`;
    }),
    verdict(
      'every job has ended',
      service.uploads.flatMap((upload) => upload.items),
      ({ jobId, state, endedAt }) => (endedAt === null ? `job ${jobId} is ${state}` : null),
    ),
    verdict(
      'no job succeeded without its record',
      service.uploads.flatMap((upload) => upload.items).filter(({ state }) => state === 'SUCCESS'),
      ({ jobId, record }) => (record === null ? `job ${jobId} has no record` : null),
    ),
    verdict(
      'every written record is stored once, as the client was told',
      items.filter(({ last }) => last?.status === 'success'),
      (item) => {
        const { token, account, last } = item;
        const [object] = onPlatform(item);
        const stored = records.get(`${account} ${object?.id ?? last.platformId}`) ?? [];
        if (stored.length !== 1) return `${token} is stored ${stored.length} times`;
        const [record] = stored;
        if (record.name !== token) return `the record of ${token} is ${record.name}`;
        return record.svcId === last.svcId ? null : `${token} is ${record.svcId}, not ${last.svcId}`;
      },
    ),
    verdict('every stored record was announced once', service.records, ({ svcId, name }) => {
      const count = creates.get(svcId)?.length ?? 0;
      return count === 1 ? null : `${name} was announced ${count} times`;
    }),
  ];
  const answered = items.filter(({ last }) => last?.status === 'success');
  return {
    verdicts,
    figures: {
      batches: batches.length,
      items: items.length,
      resent: batches
        .filter(({ isAgain }) => isAgain)
        .reduce((sum, { items: again }) => sum + again.length, 0),
      lost: answered.filter((item) => onPlatform(item).length === 0).length,
      duplicated: items.filter((item) => onPlatform(item).length > 1).length,
      unanswered: events.filter(({ type }) => type === 'unknown').length,
    },
  };
}

/** The number of subjects that keep a promise, and the problems of the others. */
export function verdict(title, subjects, problemOf) {
  const problems = subjects.map(problemOf).filter((problem) => problem !== null);
  return { title, passed: subjects.length - problems.length, problems };
}

/** The history by batch: the request, and all its answers. */
function batchesOf(events) {
  const batches = new Map();
  const seen = new Set();
  for (const event of events) {
    if (event.type === 'invoke') {
      const { batch: name, account, items } = event;
      const isAgain = items.some(({ token }) => seen.has(token));
      for (const { token } of items) seen.add(token);
      const empty = { answers: [], uploadIds: new Set(), final: null, failure: null };
      batches.set(name, { name, account, items, isAgain, ...empty });
      continue;
    }
    const batch = batches.get(event.batch);
    if (event.type === 'ok' || event.type === 'answer') {
      batch.answers.push(event);
      batch.uploadIds.add(event.uploadId);
      if (event.type === 'ok') batch.final = event;
    }
    if (event.type === 'fail') batch.failure = `${event.status} ${event.text}`;
  }
  return [...batches.values()];
}

/** Every item with its latest result. */
function itemsOf(batches) {
  const items = new Map();
  for (const { account, items: asked, final } of batches) {
    for (const [index, { token, isValid }] of asked.entries()) {
      items.set(token, { account, token, isValid, last: final?.items[index] ?? null });
    }
  }
  return items;
}

function idsProblem({ name, items, answers, uploadIds }) {
  if (uploadIds.size > 1) return `${name} has the uploads ${[...uploadIds].join(', ')}`;
  for (const index of items.keys()) {
    for (const field of ['jobId', 'svcId', 'platformId']) {
      const values = new Set(answers.map((answer) => answer.items[index]?.[field] ?? null));
      values.delete(null);
      if (values.size > 1) return `item ${index} of ${name} has ${field} ${[...values].join(', ')}`;
    }
  }
  return null;
}

export function groupBy(list, keyOf) {
  const groups = new Map();
  for (const one of list) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
