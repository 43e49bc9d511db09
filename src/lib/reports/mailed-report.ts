// Unpacks and reads the report attached to a mail. Run it in a worker thread with limits on time and memory.
import type { ParsedMail } from '../mime/index.js';
import { readDmarcReport, type DmarcReport } from './dmarc-report.js';
import { REPORT_LIMITS, ReportProblem, type ReportLimits, type ReportRefusal } from './report-limits.js';
import { readTlsReport, type ReceivedTlsReport } from './tls-report.js';
import { gunzipSync } from 'node:zlib';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';

/** A refused report. `problem` gives details that the refusal lacks. */
interface RefusedReport {
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

type Packing = 'gzip' | 'zip' | 'none';

/** Detects the packing by the first octets, because types and file names are often wrong. */
function detectPacking(content: Uint8Array): Packing {
  if (content[0] === 0x1f && content[1] === 0x8b) return 'gzip';
  return content[0] === 0x50 && content[1] === 0x4b ? 'zip' : 'none';
}

/**
 * Unpacks gzip (RFC 1952), a zip archive with one report, or an uncompressed report. Memory stays within the limits, regardless of
 * the declared sizes. Throws a ReportProblem.
 */
async function unpackReport(content: Uint8Array, limits: ReportLimits): Promise<Buffer> {
  if (content.byteLength > limits.packedBytes) throw new ReportProblem('too_large');
  const packed = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const packing = detectPacking(packed);
  if (packing === 'none') return packed;
  const unpacked = packing === 'gzip' ? unzipped(packed, limits) : await readArchive(packed, limits);
  if (detectPacking(unpacked) !== 'none') throw new ReportProblem('nested_archive');
  return unpacked;
}

function unzipped(packed: Buffer, { unpackedBytes }: ReportLimits): Buffer {
  try {
    return gunzipSync(packed, { maxOutputLength: unpackedBytes });
  } catch (error) {
    const isBomb = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new ReportProblem(isBomb ? 'too_large' : 'broken_archive');
  }
}

async function readArchive(packed: Buffer, limits: ReportLimits): Promise<Buffer> {
  try {
    return await firstReport(await opened(packed), limits);
  } catch (error) {
    if (error instanceof ReportProblem) throw error;
    throw new ReportProblem('broken_archive');
  }
}

function opened(packed: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(packed, { lazyEntries: true }, (error, file) => {
      if (error) reject(error);
      else resolve(file);
    });
  });
}

/** Returns the first entry with the extension of a report, otherwise the first file. */
function firstReport(file: ZipFile, limits: ReportLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (file.entryCount > limits.zipEntries) {
      reject(new ReportProblem('too_many_entries'));
      return;
    }
    let chosen: Entry | null = null;
    file.on('error', reject);
    file.on('entry', (entry: Entry) => {
      const isReport = /\.(?:xml|json)$/i.test(entry.fileName);
      if (isReport || (chosen === null && !entry.fileName.endsWith('/'))) chosen = entry;
      if (isReport) readContent(file, entry, limits).then(resolve, reject);
      else file.readEntry();
    });
    file.on('end', () => {
      if (chosen === null) reject(new ReportProblem('no_report'));
      else readContent(file, chosen, limits).then(resolve, reject);
    });
    file.readEntry();
  });
}

function readContent(file: ZipFile, entry: Entry, { unpackedBytes }: ReportLimits): Promise<Buffer> {
  if (entry.isEncrypted()) return Promise.reject(new ReportProblem('encrypted'));
  if (entry.uncompressedSize > unpackedBytes) return Promise.reject(new ReportProblem('too_large'));
  return new Promise((resolve, reject) => {
    file.openReadStream(entry, (error, stream) => {
      if (error) {
        reject(error);
        return;
      }
      const chunks: Buffer[] = [];
      let size = 0;
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > unpackedBytes) stream.destroy(new ReportProblem('too_large'));
        else chunks.push(chunk);
      });
      stream.on('error', reject);
      stream.on('end', () => resolve(Buffer.concat(chunks)));
    });
  });
}
