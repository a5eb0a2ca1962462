import { setTimeout as sleep } from 'node:timers/promises';
import { judge } from './checker.js';
import { Client } from './client.js';
import { makeCompanies } from './companies.js';
import { collect } from './evidence.js';
import { History } from './history.js';
import { FAIL_POINTS, Nemesis } from './nemesis.js';
import { createRandom } from './random.js';
import { startService } from './rig.js';
import { openSubscribers } from './subscribers.js';

const CLIENTS = 4;
/** Whether each company's platform honours keys. The fourth client uses the company of the first if there are three. */
const HONOURS = {
  keys: [true, true, true],
  markers: [false, false, false],
  mixed: [true, false, true, false],
};
/** Points that workers pass. */
const ZOMBIE_POINTS = FAIL_POINTS.slice(2);

/**
 * Clients write while `harm` is done to the service. Then they finish what they began, and everything is judged; with
 * `subscribers`, also what followers of the changes received.
 */
export async function runClients(
  rig,
  { mode, seed, historyFile = null, harm, service: how = {}, client = {}, subscribers = false },
) {
  const random = createRandom(seed);
  const history = new History(historyFile);
  const nemesis = new Nemesis(createRandom(random.integer(0, 2 ** 31)), history);
  const service = await startService(rig, { ...how, onPoint: nemesis.onPoint });
  let told = null;
  try {
    const companies = await makeCompanies(rig, HONOURS[mode]);
    while (!service.all.every(({ isReady }) => isReady)) await sleep(20);
    const companyIds = companies.map(({ companyId }) => companyId);
    if (subscribers) {
      told = await openSubscribers(rig, { url: service.url, key: companies[0].key, companyIds });
    }
    const clients = Array.from({ length: CLIENTS }, (_, index) => {
      const company = companies[index % companies.length];
      const own = createRandom(random.integer(0, 2 ** 31));
      return new Client({
        name: `${company.account}-client-${index}`,
        ...{ company, url: service.url, random: own, history },
        ...client,
      });
    });
    let isOver = false;
    const writing = Promise.all(clients.map((one) => one.run(() => isOver, client.most)));
    const began = Date.now();
    try {
      await Promise.race([harm({ service, nemesis, companies, history }), writing]);
    } finally {
      isOver = true;
    }
    await writing;
    const { verdicts, figures } = judge(await collect({ rig, url: service.url, companies, history }));
    return {
      mode,
      seconds: Math.round((Date.now() - began) / 1000),
      verdicts: [...verdicts, ...((await told?.verdicts()) ?? [])],
      figures,
      points: Object.fromEntries(nemesis.points),
      missed: nemesis.missed,
      randomKills: nemesis.randomKills,
      zombies: nemesis.zombies,
      kills: service.all.reduce((sum, { kills }) => sum + kills, 0),
      faults: service.all.flatMap(({ faults }) => faults),
    };
  } finally {
    history.close();
    await told?.close();
    await service.stop();
  }
}

/** Kills at every point and at random times. */
export function killProcesses(rig, { kills, perPoint, patches = [], points = FAIL_POINTS, ...options }) {
  return runClients(rig, {
    ...options,
    subscribers: true,
    service: { patches },
    harm: async ({ service, nemesis }) => {
      await nemesis.killAtPoints(service, perPoint, points);
      await nemesis.killAtRandom(service, kills);
    },
  });
}

/** Stops workers until they are taken for dead, then resumes them. */
export function raiseZombies(rig, { rounds, patches = [], points = ZOMBIE_POINTS, ...options }) {
  return runClients(rig, {
    ...options,
    service: { patches },
    harm: async ({ service, nemesis, history }) => {
      for (let round = 0; round < rounds; round += 1) {
        for (const point of nemesis.random.shuffled(points)) await nemesis.zombie(rig, service, point);
      }
      // Their effects show in the next batches.
      const { done } = history;
      const patience = Date.now() + 10_000;
      while (history.done < done + 2 * CLIENTS && Date.now() < patience) await sleep(50);
    },
  });
}
