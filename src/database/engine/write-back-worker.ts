// A thread that writes the log back into the database file when it is asked to.
import { parentPort, workerData } from 'node:worker_threads';
import { Database } from './sqlite-driver.js';
import { writeBack } from './sqlite-connection.js';
import type { FramesLeft, WriteBackData } from './write-back-port.js';

const port = parentPort;
if (port === null) throw new Error('This is the entry of a worker thread.');

const { file } = workerData as WriteBackData;
const database = new Database(file, { fileMustExist: true });
// Flushes the log before it is written back, and the database file afterwards.
database.pragma('synchronous = NORMAL');

port.on('message', () => port.postMessage(pass()));

function pass(): FramesLeft {
  try {
    return writeBack(database);
  } catch (error) {
    if (error instanceof Database.SqliteError) return null;
    throw error;
  }
}
