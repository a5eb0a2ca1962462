/** Sends each request of a target once; returns the svc_ids in each answer. */
async function answeredIds({ name, server, requests }) {
  const answers = [];
  for (const { method, path, headers, body } of requests) {
    const response = await fetch(`${server.url}${path}`, { method, headers, body });
    const text = await response.text();
    const json = JSON.parse(text);
    if (!response.ok || json.errors) throw new Error(`${name}: ${response.status} ${text.slice(0, 400)}`);
    const ids = [];
    collectIds(json, ids);
    if (ids.length === 0) throw new Error(`${name}: no records in the answer of ${path}`);
    answers.push({ ids: ids.sort().join(), bytes: text.length });
  }
  return answers;
}

/** REST includes it in every account, but no workload asks for it. */
const SHOWN_BESIDES = new Set(['parent_account']);

function collectIds(value, ids) {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'svcId' || key === 'svc_id') ids.push(String(inner));
    else if (!SHOWN_BESIDES.has(key)) collectIds(inner, ids);
  }
}

/** Throws unless all targets of a group return the same records at every level. Returns the answer sizes in bytes. */
export async function checkTargets(targets) {
  const firstOf = new Map();
  const bytes = new Map();
  for (const target of targets) {
    if (target.isKnown) {
      bytes.set(target, 0);
      continue;
    }
    const answers = await answeredIds(target);
    const group = target.group ?? '';
    const first = firstOf.get(group) ?? { target, answers };
    firstOf.set(group, first);
    answers.forEach(({ ids }, index) => {
      if (ids !== first.answers[index]?.ids) {
        throw new Error(
          `${target.name} and ${first.target.name} answer request ${index} with different records`,
        );
      }
    });
    bytes.set(target, Math.round(answers.reduce((sum, answer) => sum + answer.bytes, 0) / answers.length));
  }
  return bytes;
}
