// One attempt to send a TLS report: looks up its destinations, builds it, and sends it to those that do not have it yet.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Refusal } from '../../contract/refusal.js';
import {
  buildTlsReport,
  readTlsReportRecords,
  TLS_REPORT_TYPE,
  type TlsReportDestination,
  tlsReportMail,
  type TlsReportMail,
} from '../../lib/tls-policy/index.js';
import type { DnsResolver } from '../../lib/dns/index.js';
import type { Poster } from '../../lib/http/index.js';
import { productVersion } from '../../lib/runtime/index.js';
import type { OperationContext } from '../context.js';
import { saveTlsReport, type TlsReportStore } from './tls-reports.store.js';
import { nextReportAttemptAt, RETRY_FOR_MS } from './schedule.js';
import type { TlsReportRow } from './tls-reports.tables.js';
import type { Change } from '../../database/change.js';

const compress = promisify(gzip);

interface TlsReportSettings {
  organization: string;
  contact: string;
  /** The domain that submits the reports. */
  submitter: string;
  /** `null` if no domain can sign, so reports go by HTTPS only. */
  platformDomain: string | null;
}

export interface TlsReportContext extends Pick<OperationContext, 'clock' | 'log'> {
  store: { tlsReports: TlsReportStore };
  resolver: Pick<DnsResolver, 'txt'>;
  /** Queues a mail and commits `recorded` with it. Throws a Refusal if that is not possible now. */
  submit: (mail: TlsReportMail, options: { lifeMs: number; recorded: Change }) => Promise<void>;
  /** Connects to public addresses only. */
  poster: Pick<Poster, 'post'>;
  settings: TlsReportSettings;
}

interface Attempt {
  row: TlsReportRow;
  progress: ReportProgress;
  firstAt: number;
}

/** Sends a claimed report to the destinations that do not have it yet, and records the progress. */
export async function sendReport(context: TlsReportContext, row: TlsReportRow): Promise<void> {
  const { store, clock, resolver, settings } = context;
  const progress = readProgress(row.detail);
  const now = clock();
  const firstAt = progress.firstAt ?? now;
  const attempt = { row, progress, firstAt };
  progress.firstAt = firstAt;
  // Without this limit, a report whose every attempt meets a fault would be retried forever.
  if (now > firstAt + RETRY_FOR_MS) return settle(context, attempt);
  if (progress.destinations.length === 0) {
    const answer = await resolver.txt(`_smtp._tls.${row.domain}`);
    if (answer.kind === 'failed') {
      progress.reason = `name servers do not respond: ${answer.reason}`;
      return settle(context, attempt);
    }
    const record = readTlsReportRecords(answer.kind === 'found' ? answer.records : []);
    progress.reason = record.kind === 'none' ? record.reason : '';
    if (record.kind === 'none') return saveAsNone(context, attempt);
    progress.destinations = record.destinations.map((one) => newProgress(one, settings));
    if (progress.destinations.every((one) => one.state === 'skipped')) return saveAsNone(context, attempt);
    await store.tlsReports.save({ ...row, detail: writeProgress(progress) });
  }
  await sendToEach(context, attempt);
  return settle(context, attempt);
}

/** Ends the attempt: the report is sent, due again later, or given up. */
async function settle({ store, clock, log }: TlsReportContext, attempt: Attempt): Promise<void> {
  const { row, progress, firstAt } = attempt;
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
  await store.tlsReports.save({
    ...row,
    attempts,
    status,
    sent_at: isSent ? now : null,
    detail: writeProgress(progress),
  });
  log.info(
    { domain: row.domain, day: row.day, report_id: row.report_id, attempts, status },
    'TLS report processed',
  );
}

async function saveAsNone({ store }: TlsReportContext, { row, progress }: Attempt): Promise<void> {
  await store.tlsReports.save({ ...row, status: 'none', detail: writeProgress(progress) });
}

async function sendToEach(context: TlsReportContext, attempt: Attempt): Promise<void> {
  const { store, clock, settings, poster } = context;
  const { row, progress } = attempt;
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
      one.error = await postReport(poster, one.destination.url, body);
      if (one.error !== '') continue;
      one.state = 'sent';
      // Saved now, so that a failure at the next destination does not send this copy again.
      await store.tlsReports.save({ ...row, detail: writeProgress(progress) });
    } else {
      await mailReport(context, attempt, { one, to: one.destination.address, body });
    }
  }
}

/** Returns the error, or '' if the report was accepted. */
async function postReport(poster: Pick<Poster, 'post'>, url: string, body: Buffer): Promise<string> {
  const headers = { 'Content-Type': TLS_REPORT_TYPE, 'User-Agent': `Mailkeel/${productVersion()}` };
  const outcome = await poster.post(url, { headers, body });
  if (outcome.kind === 'error') return outcome.error;
  return outcome.status >= 200 && outcome.status < 300 ? '' : `HTTP status ${outcome.status}`;
}

async function mailReport(
  { submit, clock, settings: { submitter } }: TlsReportContext,
  { row, progress, firstAt }: Attempt,
  { one, to, body }: { one: DestinationProgress; to: string; body: Buffer },
): Promise<void> {
  const { domain, day, report_id: reportId } = row;
  const mail = tlsReportMail({ domain, day, reportId, submitter, to, gzip: body });
  one.state = 'sent';
  one.error = '';
  const recorded = saveTlsReport({ ...row, detail: writeProgress(progress) });
  try {
    await submit(mail, { lifeMs: Math.max(firstAt + RETRY_FOR_MS - clock(), 0), recorded });
  } catch (error) {
    one.state = 'waiting';
    if (!(error instanceof Refusal)) throw error;
    one.error = error.message;
  }
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

// Progress of a report, stored in `detail` of its row, so that a destination never gets the report twice.
interface DestinationProgress {
  destination: TlsReportDestination;
  /** `skipped` if this server has no way to send there. */
  state: 'waiting' | 'sent' | 'failed' | 'skipped';
  /** Epoch ms of the last attempt; `null` before it. */
  at: number | null;
  error: string;
}

interface ReportProgress {
  /** Epoch ms of the first attempt. */
  firstAt: number | null;
  destinations: DestinationProgress[];
  /** Why there is nothing to send, or why the lookup failed. */
  reason: string;
}

export function readProgress(detail: string): ReportProgress {
  if (detail === '') return { firstAt: null, destinations: [], reason: '' };
  return JSON.parse(detail) as ReportProgress; // our own column
}

function writeProgress(progress: ReportProgress): string {
  return JSON.stringify(progress);
}
