// The preflight checks of a running server: run at the start and every hour, remembered for the API, logged when
// they say something new.
import type { CheckResult } from './preflight.rules.js';
import { worstStatus, type CheckStatus } from '../../contract/check-status.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Log } from '../../lib/runtime/log.js';
import type { Preflight } from './preflight.js';

export interface PreflightReport {
  status: CheckStatus;
  /** Epoch ms. */
  checkedAt: number;
  results: readonly CheckResult[];
}

export interface PreflightRound {
  /** Runs the checks; a caller during a run waits for that one. */
  run(): Promise<PreflightReport>;
  isRunning(): boolean;
  /** Null before the first run has ended. */
  latest(): PreflightReport | null;
}

export function createPreflightRound(deps: { preflight: Preflight; clock: Clock; log: Log }): PreflightRound {
  const { preflight, clock, log } = deps;
  let latest: PreflightReport | null = null;
  let running: Promise<PreflightReport> | null = null;

  /** A first start in the sandbox does not print a page about reverse DNS: one line, and where to read on. */
  function tellFirst(results: readonly CheckResult[]): void {
    const names = results.flatMap(({ name, status }) => (status === 'fail' ? [name] : []));
    const failing = [...new Set(names)];
    if (failing.length > 0)
      log.warn({ failing }, 'host checks failed: not ready to send mail, run `mailkeel doctor`');
  }

  function tellChanges(results: readonly CheckResult[], former: PreflightReport): void {
    const before = new Map(former.results.map((result) => [keyOf(result), result.status]));
    for (const result of results) {
      const { name, subject, status, observed, expected, remedy } = result;
      const isBad = status === 'fail' || status === 'warn';
      const was = before.get(keyOf(result));
      if (isBad && was !== status)
        log.warn({ check: name, subject, status, observed, expected, remedy }, 'host check result');
      if (status === 'pass' && (was === 'fail' || was === 'warn')) {
        log.info({ check: name, subject, status }, 'host check result');
      }
    }
  }

  async function runOnce(): Promise<PreflightReport> {
    const results = await preflight.run();
    if (latest) tellChanges(results, latest);
    else tellFirst(results);
    latest = { status: worstStatus(results), checkedAt: clock(), results };
    return latest;
  }

  return {
    run() {
      running ??= runOnce().finally(() => {
        running = null;
      });
      return running;
    },
    isRunning: () => running !== null,
    latest: () => latest,
  };
}

function keyOf({ name, subject }: CheckResult): string {
  return `${name} ${subject ?? ''}`;
}
