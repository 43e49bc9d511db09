// Reads the operator's own certificate and key again when another program renews the files.
import { open, stat } from 'node:fs/promises';
import {
  MAX_PEM_BYTES,
  readCertificate,
  timeProblem,
  type Certificate,
  type CertificatePair,
} from './certificate.js';

type FileCheck =
  /** Unchanged since the last check, valid or not. */
  { kind: 'same' } | { kind: 'changed'; certificate: Certificate } | { kind: 'bad'; problem: string };

interface CertificateFiles {
  /** Checks the files and reads them if they have changed. `now` is epoch ms. */
  look(now: number): Promise<FileCheck>;
}

/** Paths as configured; links are followed. */
type CertificatePaths = Record<keyof CertificatePair, string>;

export function createCertificateFiles(paths: CertificatePaths): CertificateFiles {
  let seen: string | null = null;
  /** Time (epoch ms) when a premature certificate becomes valid. */
  let validFrom = Infinity;
  return {
    async look(now) {
      // Taken before reading, so that a concurrent change shows at the next check.
      const prints = await Promise.all([readFingerprint(paths.cert), readFingerprint(paths.key)]);
      if (seen === prints.join('\n') && now < validFrom) return { kind: 'same' };
      seen = prints.join('\n');
      validFrom = Infinity;
      const certificate = await read(paths);
      if (typeof certificate === 'string') return { kind: 'bad', problem: certificate };
      const problem = timeProblem(certificate, now);
      if (problem === null) return { kind: 'changed', certificate };
      if (now < certificate.notBefore) validFrom = certificate.notBefore;
      return { kind: 'bad', problem: `the certificate in ${paths.cert} ${problem}` };
    },
  };
}

/** Returns the certificate, or the problem with the files. */
async function read(paths: CertificatePaths): Promise<Certificate | string> {
  const pair = { cert: '', key: '' };
  for (const part of ['cert', 'key'] as const) {
    try {
      pair[part] = await readPem(paths[part]);
    } catch (error) {
      return `${paths[part]} ${describe(error)}`;
    }
  }
  const answer = readCertificate(pair, 'files');
  return answer.ok ? answer.certificate : `${paths[answer.part]} ${answer.problem}`;
}

/** Returns a text that changes with the file, without reading it. */
async function readFingerprint(path: string): Promise<string> {
  try {
    const { mtimeNs, ctimeNs, size, ino, dev } = await stat(path, { bigint: true });
    return [mtimeNs, ctimeNs, size, ino, dev].join(' ');
  } catch (error) {
    return errorCode(error);
  }
}

async function readPem(path: string): Promise<string> {
  const handle = await open(path, 'r');
  try {
    // The size cannot be used, because a device or a pipe reports 0 and never ends.
    const buffer = Buffer.alloc(MAX_PEM_BYTES + 1);
    if (!(await handle.stat()).isFile()) throw new UnusableFile('is not a file');
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
    if (bytesRead > MAX_PEM_BYTES) throw new UnusableFile('is larger than 1 MiB');
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

class UnusableFile extends Error {}

function describe(error: unknown): string {
  if (error instanceof UnusableFile) return error.message;
  switch (errorCode(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'does not exist';
    case 'EACCES':
    case 'EPERM':
      return 'is not readable by this user';
    case 'EISDIR':
      return 'is not a file';
    default:
      return `can't be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function errorCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}
