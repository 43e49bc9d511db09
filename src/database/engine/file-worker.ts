// A thread that copies, checks or measures a database file once. Readers of a file in WAL mode do not block writers.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { FileAnswer, FileJob } from './file-port.js';
import { backupSqlite, sha256OfFile, sqliteProblem, sqliteTableSizes } from './sqlite-backup.js';

/** Scheduling weight of a tenth of a normal thread's when both need the processor. */
const NICENESS = 10;

const port = parentPort;
if (port === null) throw new Error('This is the entry of a worker thread.');
// Linux has priorities per thread; elsewhere this would affect the whole process.
if (process.platform === 'linux') setPriority(0, NICENESS);

async function run(job: FileJob): Promise<FileAnswer> {
  try {
    if (job.kind === 'check') return { kind: 'checked', problem: sqliteProblem(job.file, job.isFull) };
    if (job.kind === 'measure') return { kind: 'measured', tables: sqliteTableSizes(job.file) };
    const sizeBytes = await backupSqlite(job.from, job.to);
    return { kind: 'copied', copied: { sizeBytes, sha256: await sha256OfFile(job.to) } };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : null;
    return { kind: 'error', code, message: error instanceof Error ? error.message : String(error) };
  }
}

port.postMessage(await run(workerData as FileJob));
