// One attempt of one report: who wants it, build it, send it to each destination that has not got it yet.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Refusal } from '../../contract/refusal.js';
import {
  buildTlsReport,
  readTlsReportRecords,
  TLS_REPORT_TYPE,
  tlsReportMail,
  type TlsReportDestination,
  type TlsReportMail,
} from '../../lib/tls/tls-report.rules.js';
import type { DnsResolver } from '../../lib/dns/resolver.js';
import type { Poster } from '../../lib/http/https-poster.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Log } from '../../lib/runtime/log.js';
import { saveTlsReport, type TlsReportStore } from './tls-reports.store.js';
import { nextReportAttemptAt, TRY_FOR_MS } from './schedule.js';
import type { TlsReportRow } from './tls-reports.tables.js';
import type { Change } from '../../database/change.js';

const compress = promisify(gzip);

export interface TlsReportSettings {
  organization: string;
  contact: string;
  /** The domain in whose name reports are made. */
  submitter: string;
  /** Null: there is no domain that could sign, so that reports go by HTTPS only. */
  platformDomain: string | null;
}

export interface SendReportDeps {
  store: { tlsReports: Pick<TlsReportStore, 'resultsOf' | 'save'> };
  resolver: Pick<DnsResolver, 'txt'>;
  /**
   * Queues the mail, signed by its From domain and exempt from the receiver's TLS policy, together with `recorded` in
   * one commit. Throws a Refusal when that cannot be done now.
   */
  submit: (mail: TlsReportMail, options: { lifeMs: number; recorded: Change }) => Promise<void>;
  /** Of public addresses only. */
  poster: Pick<Poster, 'post'>;
  clock: Clock;
  log: Log;
  settings: TlsReportSettings;
  userAgent: string;
}

/** Sends a claimed report as far as it goes now, and writes down how far that was. */
export type SendReport = (row: TlsReportRow) => Promise<void>;

interface Attempt {
  row: TlsReportRow;
  progress: ReportProgress;
  firstAt: number;
}

export function createSendReport(deps: SendReportDeps): SendReport {
  const { store, clock, log } = deps;

  /** Ends the attempt: done, to be tried again, or given up. */
  async function settle({ row, progress, firstAt }: Attempt): Promise<void> {
    const now = clock();
    const attempts = row.attempts + 1;
    const isOpen =
      progress.destinations.length === 0 || progress.destinations.some((one) => one.state === 'waiting');
    const dueAt = isOpen
      ? nextReportAttemptAt({ attempt: attempts, firstAt, now, jitter: Math.random() })
      : null;
    if (dueAt !== null) {
      await store.tlsReports.save({ ...row, attempts, due_at: dueAt, detail: writeProgress(progress) });
      return;
    }
    for (const one of progress.destinations) if (one.state === 'waiting') one.state = 'failed';
    const isSent = progress.destinations.some((one) => one.state === 'sent');
    const status = isSent ? 'sent' : 'failed';
    const sentAt = isSent ? now : null;
    await store.tlsReports.save({
      ...row,
      attempts,
      status,
      sent_at: sentAt,
      detail: writeProgress(progress),
    });
    log.info(
      { domain: row.domain, day: row.day, report_id: row.report_id, attempts, status },
      'TLS report processed',
    );
  }

  async function nothingToSend(row: TlsReportRow, progress: ReportProgress): Promise<void> {
    await store.tlsReports.save({ ...row, status: 'none', detail: writeProgress(progress) });
  }

  async function send(attempt: Attempt): Promise<void> {
    const { row, progress, firstAt } = attempt;
    const { settings } = deps;
    const report = buildTlsReport({
      organization: settings.organization,
      contact: settings.contact,
      reportId: row.report_id,
      domain: row.domain,
      day: row.day,
      counts: await store.tlsReports.resultsOf(row.day, row.domain),
    });
    const body = await compress(JSON.stringify(report));
    for (const one of progress.destinations) {
      if (one.state !== 'waiting') continue;
      one.at = clock();
      if (one.destination.kind === 'https') {
        one.error = await postTo(one.destination.url, body);
        if (one.error !== '') continue;
        one.state = 'sent';
        // At once: whatever happens to the next destination, this one has its copy.
        await store.tlsReports.save({ ...row, detail: writeProgress(progress) });
      } else {
        await mailTo(one, one.destination.address, body, { row, progress, firstAt });
      }
    }
  }

  /** '' or what went wrong. */
  async function postTo(url: string, body: Buffer): Promise<string> {
    const headers = { 'Content-Type': TLS_REPORT_TYPE, 'User-Agent': deps.userAgent };
    const outcome = await deps.poster.post(url, { headers, body });
    if (outcome.kind === 'error') return outcome.error;
    return outcome.status >= 200 && outcome.status < 300 ? '' : `HTTP status ${outcome.status}`;
  }

  async function mailTo(one: DestinationProgress, to: string, body: Buffer, attempt: Attempt): Promise<void> {
    const { row, progress, firstAt } = attempt;
    const { domain, day, report_id: reportId } = row;
    const { submitter } = deps.settings;
    const mail = tlsReportMail({ domain, day, reportId, submitter, to, gzip: body });
    one.state = 'sent';
    one.error = '';
    const recorded = saveTlsReport({ ...row, detail: writeProgress(progress) });
    try {
      await deps.submit(mail, { lifeMs: Math.max(firstAt + TRY_FOR_MS - clock(), 0), recorded });
    } catch (error) {
      one.state = 'waiting';
      if (!(error instanceof Refusal)) throw error;
      one.error = error.message;
    }
  }

  return async (row) => {
    const progress = readProgress(row.detail);
    const now = clock();
    const firstAt = progress.firstAt ?? now;
    const attempt = { row, progress, firstAt };
    progress.firstAt = firstAt;
    // A report whose every attempt ended in a fault would otherwise come back for ever.
    if (now > firstAt + TRY_FOR_MS) return settle(attempt);
    if (progress.destinations.length === 0) {
      const answer = await deps.resolver.txt(`_smtp._tls.${row.domain}`);
      if (answer.kind === 'failed') {
        progress.reason = `name servers do not respond: ${answer.reason}`;
        return settle(attempt);
      }
      const record = readTlsReportRecords(answer.kind === 'found' ? answer.records : []);
      progress.reason = record.kind === 'none' ? record.reason : '';
      if (record.kind === 'none') return nothingToSend(row, progress);
      progress.destinations = record.destinations.map((one) => newProgress(one, deps.settings));
      if (progress.destinations.every((one) => one.state === 'skipped')) return nothingToSend(row, progress);
      await store.tlsReports.save({ ...row, detail: writeProgress(progress) });
    }
    await send(attempt);
    return settle(attempt);
  };
}

function newProgress(
  destination: TlsReportDestination,
  { platformDomain }: TlsReportSettings,
): DestinationProgress {
  if (destination.kind === 'mailto' && platformDomain === null) {
    return {
      destination,
      state: 'skipped',
      at: null,
      error: 'MAILKEEL_PLATFORM_DOMAIN is not set, so the report cannot be signed',
    };
  }
  return { destination, state: 'waiting', at: null, error: '' };
}

// Progress of a report, as its row's `detail` stores it: a report that was sent is never sent again, restarts included.
interface DestinationProgress {
  destination: TlsReportDestination;
  /** `skipped`: there is no way to send there from here. */
  state: 'waiting' | 'sent' | 'failed' | 'skipped';
  /** Epoch ms of the last try; null before it. */
  at: number | null;
  /** Message of the error. */
  error: string;
}

interface ReportProgress {
  /** Epoch ms of the first attempt. */
  firstAt: number | null;
  destinations: DestinationProgress[];
  /** Why there is nothing to send, or why nothing could be found out. */
  reason: string;
}

export function readProgress(detail: string): ReportProgress {
  if (detail === '') return { firstAt: null, destinations: [], reason: '' };
  return JSON.parse(detail) as ReportProgress; // our own column
}

function writeProgress(progress: ReportProgress): string {
  return JSON.stringify(progress);
}
