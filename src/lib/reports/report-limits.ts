// Limits the reading of reports from others, which anyone can send and may be built to exhaust the reader.
import { shownLine } from '../mime/index.js';

export interface ReportLimits {
  /** Octets of the attachment as received. */
  packedBytes: number;
  /** Octets of the report after decompression. */
  unpackedBytes: number;
  /** Entries of a zip archive. */
  zipEntries: number;
  /** Nesting of XML elements. */
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

/** Reasons for refusing a report, used in the log and in the row of its mail. */
const REPORT_REFUSALS = [
  /** The mail has no attachment that may be a report. */
  'no_report',
  'too_large',
  'too_many_entries',
  /** The archive contains another archive. */
  'nested_archive',
  'encrypted',
  /** The compression is invalid. */
  'broken_archive',
  /** The XML has a document type, which reports don't need and which could define entities. */
  'document_type',
  'too_deep',
  'too_many_records',
  /** The report is neither well-formed XML nor JSON, or repeats a unique element. */
  'malformed',
  /** The content is well-formed but not a report. */
  'not_a_report',
  /** A mandatory part is missing or invalid. */
  'incomplete',
  /** Reading took too long or too much memory, or ended the thread. */
  'unreadable',
  /** The report's days are in the future, or too far in the past. */
  'period',
  /** The report names no domain of this installation. */
  'unknown_domain',
] as const;
export type ReportRefusal = (typeof REPORT_REFUSALS)[number];

const MAX_PROBLEM = 120;

/** Thrown while reading a report, and caught by the function that started reading. */
export class ReportProblem extends Error {
  /**
   * Describes the problem and its place, such as `3:12: unmatched closing tag: row.`; `null` if the refusal
   * says it all.
   */
  readonly problem: string | null;

  constructor(
    readonly refusal: ReportRefusal,
    problem: string | null = null,
  ) {
    super(refusal);
    // Anyone can write the element names in it.
    this.problem = problem === null ? null : shownLine(problem, MAX_PROBLEM);
  }
}
