// Sends the daily TLS reports (RFC 8460). After midnight UTC, it plans a report for each domain that received mail, and sends it
// when due.
import { DAY_MS } from '../../lib/tls-policy/index.js';
import { type Clock, randomBytesPooled } from '../../lib/runtime/index.js';
import type { TlsReportStore } from './tls-reports.store.js';
import { reportDueAt, SETTLE_MS } from './schedule.js';
import { sendReport, type TlsReportContext } from './send-report.js';
import type { TlsReportRow } from './tls-reports.tables.js';

/** Days to report after a downtime. */
const CATCH_UP_DAYS = 3;
const KEEP_DAYS = 30;
const PLAN_BATCH = 500;
const PRUNE_BATCH = 200;
const CLAIM_BATCH = 32;
const PARALLEL = 8;
/** Longer than a batch takes if every destination is slow. */
const LEASE_MS = 30 * 60_000;

export class TlsReports {
  readonly #context: TlsReportContext;
  readonly #store: TlsReportStore;
  readonly #clock: Clock;
  readonly #isEnabled: boolean;
  /** Last complete day. It is looked up again after a restart. */
  #plannedDay = 0;
  #prunedDay = 0;
  #isStopped = false;

  constructor(context: TlsReportContext, { isEnabled }: { isEnabled: boolean }) {
    this.#context = context;
    this.#store = context.store.tlsReports;
    this.#clock = context.clock;
    this.#isEnabled = isEnabled;
  }

  /** Runs every minute. Rejects at the end if reports met faults, which are retried later. */
  async run(): Promise<void> {
    await this.#prune();
    if (!this.#isEnabled) return;
    await this.#planDays();
    const faults: unknown[] = [];
    while (!this.#isStopped) {
      const now = this.#clock();
      const claimed = await this.#store.claimDue(now, now + LEASE_MS, CLAIM_BATCH);
      if (claimed.length === 0) break;
      faults.push(...(await this.#sendAll(claimed)));
    }
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} TLS reports met faults`);
  }

  /** Starts no further report. A run ends after those in progress. */
  stop(): void {
    this.#isStopped = true;
  }

  async #prune(): Promise<void> {
    const today = Math.floor(this.#clock() / DAY_MS);
    if (this.#prunedDay === today) return;
    while (!this.#isStopped && !(await this.#store.prune(today - KEEP_DAYS, PRUNE_BATCH)));
    this.#prunedDay = today;
  }

  async #planDays(): Promise<void> {
    const lastDay = Math.floor((this.#clock() - SETTLE_MS) / DAY_MS) - 1;
    for (let day = Math.max(this.#plannedDay + 1, lastDay - CATCH_UP_DAYS + 1); day <= lastDay; day++) {
      await this.#planDay(day);
      this.#plannedDay = day;
    }
  }

  async #planDay(day: number): Promise<void> {
    const { submitter } = this.#context.settings;
    for (;;) {
      const domains = await this.#store.domainsToReport(day, PLAN_BATCH);
      if (domains.length === 0) return;
      const now = this.#clock();
      await this.#store.plan(
        domains.map((domain) => ({
          day,
          domain,
          report_id: `${randomBytesPooled(10).toString('hex')}@${submitter}`,
          status: 'pending',
          attempts: 0,
          due_at: reportDueAt(day, domain),
          detail: '',
          created_at: now,
          sent_at: null,
        })),
      );
    }
  }

  /** Sends a few reports at a time. Returns the faults, none of which keeps other reports from being sent. */
  async #sendAll(claimed: readonly TlsReportRow[]): Promise<unknown[]> {
    const waiting = [...claimed];
    const faults: unknown[] = [];
    const worker = async (): Promise<void> => {
      for (let row = waiting.shift(); row && !this.#isStopped; row = waiting.shift()) {
        try {
          await sendReport(this.#context, row);
        } catch (error) {
          faults.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
    return faults;
  }
}
