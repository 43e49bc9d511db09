// A thread that copies, checks or measures a whole database file, once. Readers of a file in WAL mode keep nobody from writing.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { FileAnswer, FileJob } from './file-port.js';
import { backupSqlite, sha256OfFile, sqliteProblem, sqliteTableSizes } from './sqlite-backup.js';

/** A tenth of the weight of a thread that is as usual, where both want the processor. */
const NICENESS = 10;

const port = parentPort;
if (port === null) throw new Error('This is the entry of a worker thread.');
// Linux keeps a priority for each thread; elsewhere it would be the whole process's.
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
