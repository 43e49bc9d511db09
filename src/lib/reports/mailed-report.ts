// Unpacks and reads the report attached to a mail. Run it in a worker thread with limits on time and memory.
import type { ParsedMail } from '../mime/index.js';
import { readDmarcReport, type DmarcReport } from './dmarc-report.js';
import { REPORT_LIMITS, ReportProblem, type ReportLimits, type ReportRefusal } from './report-limits.js';
import { readTlsReport, type ReceivedTlsReport } from './tls-report.js';
import { detectPacking, unpackReport } from './unpack-report.js';

/** A refused report. `problem` gives details that the refusal lacks. */
export interface RefusedReport {
  kind: 'refused';
  refusal: ReportRefusal;
  problem: string | null;
}

export type MailedReport = DmarcReport | ReceivedTlsReport | RefusedReport;

const REPORT_TYPE = /^(?:application\/(?:gzip|x-gzip|zip|x-zip(?:-compressed)?|xml|tlsrpt\+\w+)|text\/xml)$/;
const REPORT_NAME = /\.(?:xml|json|gz|zip)$/i;

/** Reads the first attachment that may be a report. Never rejects because of the mail. */
export async function readMailedReport(
  { parts }: Pick<ParsedMail, 'parts'>,
  limits: ReportLimits = REPORT_LIMITS,
): Promise<MailedReport> {
  const part = parts.find(
    ({ type, filename, content }) =>
      REPORT_TYPE.test(type) || REPORT_NAME.test(filename ?? '') || detectPacking(content) !== 'none',
  );
  try {
    if (!part) throw new ReportProblem('no_report');
    const content = await unpackReport(part.content, limits);
    return firstSign(content) === '{' ? readTlsReport(content, limits) : readDmarcReport(content, limits);
  } catch (error) {
    if (error instanceof ReportProblem) {
      const { refusal, problem } = error;
      return { kind: 'refused', refusal, problem };
    }
    throw error;
  }
}

function firstSign(content: Buffer): string {
  return content
    .subarray(0, 100)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
    .slice(0, 1);
}
