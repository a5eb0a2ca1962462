import type { Platform } from '../platform.js';
import { Random } from '../world/random.js';

export const FAULTS = [
  '400',
  '429',
  '500',
  'hang',
  'cut',
  'html',
  'timeout-after-commit',
  'commit-late',
  'expired-token',
] as const;
export type Fault = (typeof FAULTS)[number];

export const isFault = (text: unknown): text is Fault => FAULTS.some((one) => one === text);

/** Which calls go wrong, and how. */
export interface FaultRule {
  readonly platform: Platform | null;
  readonly account: string | null;
  /** How the path begins. */
  readonly path: string | null;
  readonly method: string | null;
  readonly fault: Fault;
  /** The part of the calls that is hit, drawn with `seed`. */
  readonly share: number | null;
  readonly seed: number;
  /** How many calls are hit; null is no end. */
  readonly count: number | null;
  /** How many calls pass before. */
  readonly skip: number;
}

interface Progress {
  readonly rule: FaultRule;
  readonly random: Random;
  seen: number;
  hit: number;
}

interface FaultTarget {
  readonly platform: Platform;
  readonly account: string | null;
  readonly path: string;
  readonly method: string;
}

const MILLION = 1_000_000;

/** The script of what goes wrong. */
export class FaultRules {
  private rules: Progress[] = [];
  /** Calls that are carried out later. */
  private held: (() => Promise<unknown>)[] = [];

  add(rules: readonly FaultRule[]): void {
    for (const rule of rules) this.rules.push({ rule, random: new Random(rule.seed), seen: 0, hit: 0 });
  }

  /** Carries out when the rules are removed what the caller has no answer to. */
  hold(work: () => Promise<unknown>): void {
    this.held.push(work);
  }

  /** Removes the rules, and carries out what was held. */
  async clear(): Promise<void> {
    this.rules = [];
    const held = this.held.splice(0);
    for (const work of held) await work();
  }

  list(): (FaultRule & { readonly seen: number; readonly hit: number })[] {
    return this.rules.map(({ rule, seen, hit }) => ({ ...rule, seen, hit }));
  }

  /** The fault of the first rule that applies to the call and hits it. */
  next(target: FaultTarget): Fault | null {
    for (const progress of this.rules) {
      const { rule } = progress;
      if (!applies(rule, target)) continue;
      progress.seen += 1;
      if (progress.seen <= rule.skip) continue;
      if (rule.count !== null && progress.hit >= rule.count) continue;
      if (rule.share !== null && progress.random.integer(0, MILLION - 1) >= rule.share * MILLION) continue;
      progress.hit += 1;
      return rule.fault;
    }
    return null;
  }
}

function applies(rule: FaultRule, target: FaultTarget): boolean {
  return (
    (rule.platform === null || rule.platform === target.platform) &&
    (rule.account === null || rule.account === target.account) &&
    (rule.method === null || rule.method === target.method) &&
    (rule.path === null || target.path.startsWith(rule.path))
  );
}
