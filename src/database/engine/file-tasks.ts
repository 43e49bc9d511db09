// Runs work on a whole database file in a separate thread, because copying or checking gigabytes takes minutes.
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { workerUrl } from '../../lib/runtime/index.js';
import { hasCode } from '../../lib/files/index.js';
import type { CopiedFile, FileAnswer, FileJob, TableSize } from './file-port.js';

/** A file task failed. `code` is that of the operating system or SQLite, such as ENOSPC. */
class FileTaskError extends Error {
  readonly code: string;

  constructor(message: string, code: string | null) {
    super(message);
    this.name = 'FileTaskError';
    this.code = code ?? 'failed';
  }
}

/** Copies a database to a new file and verifies the copy. An abort leaves an unfinished copy, which is not a backup. */
export async function copyDatabase(
  { from, to }: { from: string; to: string },
  signal?: AbortSignal,
): Promise<CopiedFile> {
  const answer = await runJob({ kind: 'copy', from, to }, signal);
  if (answer.kind !== 'copied') throw new Error('The thread answered something else than it was asked.');
  return answer.copied;
}

/** Returns the largest possible size in octets of a copy: the file and its log. */
export async function bytesToCopy(file: string): Promise<number> {
  const log = await stat(`${file}-wal`).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return { size: 0 };
    throw error;
  });
  return (await stat(file)).size + log.size;
}

/** Returns the damage of a database file as a sentence, or null. A full check also compares indexes with their tables. */
export async function checkDatabase(
  file: string,
  { isFull = false, signal }: { isFull?: boolean; signal?: AbortSignal } = {},
): Promise<string | null> {
  const answer = await runJob({ kind: 'check', file, isFull }, signal);
  if (answer.kind !== 'checked') throw new Error('The thread answered something else than it was asked.');
  return answer.problem;
}

/** Returns the tables with their indexes, largest first. Reads the whole file. */
export async function measureTables(file: string, signal?: AbortSignal): Promise<TableSize[]> {
  const answer = await runJob({ kind: 'measure', file }, signal);
  if (answer.kind !== 'measured') throw new Error('The thread answered something else than it was asked.');
  return answer.tables;
}

function runJob(job: FileJob, signal?: AbortSignal): Promise<Exclude<FileAnswer, { kind: 'error' }>> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const worker = new Worker(workerUrl('database/engine/file-worker.js'), { workerData: job });
    const abort = (): void => void worker.terminate();
    signal?.addEventListener('abort', abort, { once: true });
    worker.once('message', (answer: FileAnswer) => {
      if (answer.kind === 'error') reject(new FileTaskError(answer.message, answer.code));
      else resolve(answer);
    });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      signal?.removeEventListener('abort', abort);
      // Has no effect if the thread has answered.
      const why = signal?.aborted === true ? 'It was stopped.' : `The thread ended with code ${code}.`;
      reject(new FileTaskError(why, signal?.aborted === true ? 'ABORT_ERR' : null));
    });
  });
}
