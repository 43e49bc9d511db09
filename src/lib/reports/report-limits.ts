// Limits on reading a report that others send about our mail: it comes from anybody, and may be built to exhaust the reader.
import { shownLine } from '../mime/index.js';

export interface ReportLimits {
  /** Octets of the attachment as it came. */
  packedBytes: number;
  /** Octets of the report without its compression. */
  unpackedBytes: number;
  /** Entries of a zip archive. */
  zipEntries: number;
  /** Elements of XML inside each other. */
  depth: number;
  /** Rows of a DMARC report, or policies and failures of a TLS report. */
  records: number;
  /** Characters of one value. */
  textLength: number;
}

export const REPORT_LIMITS: ReportLimits = {
  packedBytes: 8 * 1024 ** 2,
  unpackedBytes: 32 * 1024 ** 2,
  zipEntries: 10,
  depth: 20,
  records: 20_000,
  textLength: 2_000,
};

/** Why a report is not taken; stands in the log and in the row of its mail. */
export const REPORT_REFUSALS = [
  /** The mail has no attachment that may be a report. */
  'no_report',
  'too_large',
  'too_many_entries',
  /** An archive inside the archive. */
  'nested_archive',
  'encrypted',
  /** The compression is broken. */
  'broken_archive',
  /** A document type: reports have none, and with one they could ask for entities. */
  'document_type',
  'too_deep',
  'too_many_records',
  /** Neither well-formed XML nor JSON, or what must stand once stands twice. */
  'malformed',
  /** Well-formed, and something else than a report. */
  'not_a_report',
  /** A part that every report has is missing or makes no sense. */
  'incomplete',
  /** Reading it took too long, too much memory, or ended the thread. */
  'unreadable',
  /** Its days lie in the future, or are forgotten already. */
  'period',
  /** No domain of the report is known here. */
  'unknown_domain',
] as const;
export type ReportRefusal = (typeof REPORT_REFUSALS)[number];

const MAX_PROBLEM = 120;

/** Thrown while a report is read, and caught where the reading began. */
export class ReportProblem extends Error {
  /** Says what is wrong and where, `3:12: unmatched closing tag: row.`; null where the refusal says it all. */
  readonly problem: string | null;

  constructor(
    readonly refusal: ReportRefusal,
    problem: string | null = null,
  ) {
    super(refusal);
    // Names of elements stand in it, and anybody can write them.
    this.problem = problem === null ? null : shownLine(problem, MAX_PROBLEM);
  }
}
