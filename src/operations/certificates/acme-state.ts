// What ACME has to remember over a restart, so that a program that crashes again and again asks no more often.
import { join } from 'node:path';
import { readIfThere, replaceFile } from '../../lib/runtime/whole-file.js';

export interface AcmeState {
  /** Directory URL of the authority of the certificate that is kept; null while there is none. */
  issuedBy: string | null;
  /** What the failures belong to: other names or another server get a try at once. */
  wanted: string;
  /** Tries in a row that failed, or that did not come to an end. */
  failures: number;
  /** Epoch ms; 0: at once. */
  nextTryAt: number;
  /** For the operator who looks into the file. */
  lastFailure: string | null;
}

const FORMAT = 1;

export interface AcmeStateFile {
  path: string;
  /** That of a first try when there is no file, or none that can be read. */
  read(): Promise<AcmeState>;
  write(state: AcmeState): Promise<void>;
}

export function createAcmeStateFile(folder: string): AcmeStateFile {
  const path = join(folder, 'acme.json');
  return {
    path,
    read: async () => parseState((await readIfThere(path)) ?? ''),
    write: (state) => replaceFile(path, `${JSON.stringify({ format: FORMAT, ...state }, null, 2)}\n`),
  };
}

function parseState(text: string): AcmeState {
  const { issuedBy, wanted, failures, nextTryAt, lastFailure } = parseObject(text);
  return {
    issuedBy: typeof issuedBy === 'string' ? issuedBy : null,
    wanted: typeof wanted === 'string' ? wanted : '',
    failures: typeof failures === 'number' && Number.isSafeInteger(failures) ? Math.max(0, failures) : 0,
    nextTryAt: typeof nextTryAt === 'number' && Number.isSafeInteger(nextTryAt) ? nextTryAt : 0,
    lastFailure: typeof lastFailure === 'string' ? lastFailure : null,
  };
}

function parseObject(text: string): Partial<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // damaged or missing: it is only a memory of failures
  }
}
