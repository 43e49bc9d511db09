// Runs the preflight checks of a running server, keeps the last report for the API, and logs changes.
import type { CheckResult } from './preflight.rules.js';
import { worstStatus, type CheckStatus } from '../../contract/check-status.js';
import type { Clock, Log } from '../../lib/runtime/index.js';
import type { OperationContext } from '../context.js';

export interface PreflightReport {
  status: CheckStatus;
  /** Epoch ms. */
  checkedAt: number;
  results: readonly CheckResult[];
}

export class PreflightRunner {
  readonly #runChecks: () => Promise<readonly CheckResult[]>;
  readonly #clock: Clock;
  readonly #log: Log;
  #latest: PreflightReport | null = null;
  #running: Promise<PreflightReport> | null = null;

  constructor(
    { clock, log }: Pick<OperationContext, 'clock' | 'log'>,
    runChecks: () => Promise<readonly CheckResult[]>,
  ) {
    this.#runChecks = runChecks;
    this.#clock = clock;
    this.#log = log;
  }

  /** Runs the checks. A caller during a run gets the result of that run. */
  run(): Promise<PreflightReport> {
    this.#running ??= this.#runOnce().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** `null` before the first run has ended. */
  get latest(): PreflightReport | null {
    return this.#latest;
  }

  async #runOnce(): Promise<PreflightReport> {
    const results = await this.#runChecks();
    if (this.#latest) this.#logChanges(results, this.#latest);
    else this.#logFailures(results);
    this.#latest = { status: worstStatus(results), checkedAt: this.#clock(), results };
    return this.#latest;
  }

  /** Logs one line at the first run, instead of a page about reverse DNS for a sandbox. */
  #logFailures(results: readonly CheckResult[]): void {
    const names = results.flatMap(({ name, status }) => (status === 'fail' ? [name] : []));
    const failing = [...new Set(names)];
    if (failing.length === 0) return;
    this.#log.warn({ failing }, 'host checks failed: not ready to send mail, run `mailkeel doctor`');
  }

  #logChanges(results: readonly CheckResult[], former: PreflightReport): void {
    const before = new Map(former.results.map((result) => [keyOf(result), result.status]));
    for (const result of results) {
      const { name, subject, status, observed, expected, remedy } = result;
      const isBad = status === 'fail' || status === 'warn';
      const was = before.get(keyOf(result));
      if (isBad && was !== status)
        this.#log.warn({ check: name, subject, status, observed, expected, remedy }, 'host check result');
      if (status === 'pass' && (was === 'fail' || was === 'warn')) {
        this.#log.info({ check: name, subject, status }, 'host check result');
      }
    }
  }
}

function keyOf({ name, subject }: CheckResult): string {
  return `${name} ${subject ?? ''}`;
}
