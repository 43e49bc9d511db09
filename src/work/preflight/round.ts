// The preflight checks of a running server: run at the start and every hour, remembered for the API, told to the log when
// they say something new.
import { worstStatus, type CheckResult } from '../../rules/preflight.js';
import type { CheckStatus } from '../../contract/health-check.js';
import type { Clock } from '../../runtime/clock.js';
import type { Log } from '../../runtime/log.js';
import type { Preflight } from './preflight.js';

export interface PreflightReport {
  status: CheckStatus;
  /** Epoch ms. */
  checkedAt: number;
  results: readonly CheckResult[];
}

export interface PreflightRound {
  run(): Promise<void>;
  /** Null before the first run has ended. */
  latest(): PreflightReport | null;
}

export function createPreflightRound(deps: { preflight: Preflight; clock: Clock; log: Log }): PreflightRound {
  const { preflight, clock, log } = deps;
  let latest: PreflightReport | null = null;

  function tell(results: readonly CheckResult[]): void {
    const before = new Map(latest?.results.map((result) => [keyOf(result), result.status]));
    for (const result of results) {
      const { name, subject, status, seen, expected, how } = result;
      const isBad = status === 'fail' || status === 'warn';
      const was = before.get(keyOf(result));
      if (isBad && was !== status)
        log.warn({ check: name, subject, status, seen, expected, how }, 'preflight check');
      if (status === 'pass' && (was === 'fail' || was === 'warn')) {
        log.info({ check: name, subject, status }, 'preflight check');
      }
    }
  }

  return {
    async run() {
      const results = await preflight.run();
      tell(results);
      latest = { status: worstStatus(results), checkedAt: clock(), results };
    },
    latest: () => latest,
  };
}

function keyOf({ name, subject }: CheckResult): string {
  return `${name} ${subject ?? ''}`;
}
