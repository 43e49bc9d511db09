// Unpacks a report: gzip (RFC 1952), a zip archive with one report, or uncompressed. Memory stays within the
// limits, whatever the archive declares.
import { gunzipSync } from 'node:zlib';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';
import { ReportProblem, type ReportLimits } from './report-limits.js';

type Packing = 'gzip' | 'zip' | 'none';

/** Detects the packing by the first octets, because types and file names are often wrong. */
export function detectPacking(content: Uint8Array): Packing {
  if (content[0] === 0x1f && content[1] === 0x8b) return 'gzip';
  return content[0] === 0x50 && content[1] === 0x4b ? 'zip' : 'none';
}

/** Returns the report. Throws a ReportProblem. */
export async function unpackReport(content: Uint8Array, limits: ReportLimits): Promise<Buffer> {
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
