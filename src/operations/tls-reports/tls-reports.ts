// The daily TLS reports (RFC 8460): after midnight UTC a report is planned for each domain that was sent to, and sent
// when its time has come.
import { DAY_MS } from '../../lib/tls/tls-report.rules.js';
import { randomBytesPooled } from '../../lib/runtime/ids.js';
import { productVersion } from '../../lib/runtime/version.js';
import type { TlsReportStore } from './tls-reports.store.js';
import { reportDueAt, SETTLE_MS } from './schedule.js';
import { createSendReport, type SendReportDeps, type TlsReportSettings } from './send-report.js';
import type { TlsReportRow } from './tls-reports.tables.js';

/** Days that an appliance which was down catches up on. */
const CATCH_UP_DAYS = 3;
const KEEP_DAYS = 30;
const PLAN_BATCH = 500;
const PRUNE_BATCH = 200;
const CLAIM_BATCH = 32;
const PARALLEL = 8;
/** Longer than a batch takes when every destination is slow. */
const LEASE_MS = 30 * 60_000;

export interface TlsReportsDeps extends Omit<SendReportDeps, 'store' | 'settings' | 'userAgent'> {
  store: { tlsReports: TlsReportStore };
  settings: TlsReportSettings & { isEnabled: boolean };
}

export interface TlsReports {
  /** To be run every minute. Rejects at the end when reports met faults; those are tried again later. */
  run(): Promise<void>;
  /** Starts no further report; a run ends after those in progress. */
  stop(): void;
}

export function createTlsReports(deps: TlsReportsDeps): TlsReports {
  const { store, clock, settings } = deps;
  const sendReport = createSendReport({ ...deps, userAgent: `Mailkeel/${productVersion()}` });
  /** The last day done with; what a restart forgets is looked up again. */
  let plannedDay = 0;
  let prunedDay = 0;
  let isStopped = false;

  async function planDay(day: number): Promise<void> {
    for (;;) {
      const domains = await store.tlsReports.domainsToReport(day, PLAN_BATCH);
      if (domains.length === 0) return;
      const now = clock();
      await store.tlsReports.plan(
        domains.map((domain) => ({
          day,
          domain,
          report_id: `${randomBytesPooled(10).toString('hex')}@${settings.submitter}`,
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

  async function planDays(): Promise<void> {
    const lastDay = Math.floor((clock() - SETTLE_MS) / DAY_MS) - 1;
    for (let day = Math.max(plannedDay + 1, lastDay - CATCH_UP_DAYS + 1); day <= lastDay; day++) {
      await planDay(day);
      plannedDay = day;
    }
  }

  async function prune(): Promise<void> {
    const today = Math.floor(clock() / DAY_MS);
    if (prunedDay === today) return;
    while (!isStopped && !(await store.tlsReports.prune(today - KEEP_DAYS, PRUNE_BATCH)));
    prunedDay = today;
  }

  /** A few at a time; what one of them throws does not keep the others from being sent. */
  async function sendAll(claimed: readonly TlsReportRow[]): Promise<unknown[]> {
    const waiting = [...claimed];
    const faults: unknown[] = [];
    const worker = async (): Promise<void> => {
      for (let row = waiting.shift(); row && !isStopped; row = waiting.shift()) {
        try {
          await sendReport(row);
        } catch (error) {
          faults.push(error);
        }
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
    return faults;
  }

  return {
    async run() {
      await prune();
      if (!settings.isEnabled) return;
      await planDays();
      const faults: unknown[] = [];
      while (!isStopped) {
        const now = clock();
        const claimed = await store.tlsReports.claimDue(now, now + LEASE_MS, CLAIM_BATCH);
        if (claimed.length === 0) break;
        faults.push(...(await sendAll(claimed)));
      }
      if (faults.length > 0) throw new AggregateError(faults, `${faults.length} TLS reports met faults`);
    },
    stop() {
      isStopped = true;
    },
  };
}
