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

/** A rule that makes certain calls fail. */
export interface FaultRule {
  readonly platform: Platform | null;
  readonly account: string | null;
  /** Prefix of the path. */
  readonly path: string | null;
  readonly method: string | null;
  readonly fault: Fault;
  /** The fraction of calls to hit, drawn with `seed`. */
  readonly share: number | null;
  readonly seed: number;
  /** How many calls to hit; null for no limit. */
  readonly count: number | null;
  /** How many calls to let pass first. */
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

/** Rules for injected faults. */
export class FaultRules {
  private rules: Progress[] = [];
  /** Work postponed until the rules are cleared. */
  private held: (() => Promise<unknown>)[] = [];

  add(rules: readonly FaultRule[]): void {
    for (const rule of rules) this.rules.push({ rule, random: new Random(rule.seed), seen: 0, hit: 0 });
  }

  /** Postpones work until the rules are cleared; its caller gets no answer. */
  hold(work: () => Promise<unknown>): void {
    this.held.push(work);
  }

  /** Removes the rules, and runs the postponed work. */
  async clear(): Promise<void> {
    this.rules = [];
    const held = this.held.splice(0);
    for (const work of held) await work();
  }

  list(): (FaultRule & { readonly seen: number; readonly hit: number })[] {
    return this.rules.map(({ rule, seen, hit }) => ({ ...rule, seen, hit }));
  }

  /** The fault of the first rule that matches and hits the call. */
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
