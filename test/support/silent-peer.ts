// A loopback address with a port where nothing responds: connections are never refused and never established.
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { waitFor } from './wait.js';

// Listens and never accepts a connection, because its thread is blocked. When its backlog is full, the kernel drops new
// connections.
const LISTEN = `
const { parentPort, workerData } = require('node:worker_threads');
require('node:net').createServer().listen({ ...workerData, backlog: 1 }, () => {
  parentPort.postMessage('listening');
  setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
});`;
const FILLERS = 8;
/** A loopback connection that takes longer is not established. */
const SILENCE_MS = 100;

export interface SilentPeer {
  host: string;
  close(): Promise<void>;
}

export async function startSilentPeer({ host, port }: { host: string; port: number }): Promise<SilentPeer> {
  const worker = new Worker(LISTEN, { eval: true, workerData: { host, port } });
  await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  const fillers: Socket[] = [];
  await waitFor('its line to be full', async () => {
    if (fillers.length > FILLERS) throw new Error(`${host} takes more connections than expected`);
    return !(await isTaken(fillers));
  });

  function isTaken(kept: Socket[]): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect({ host, port });
      kept.push(socket);
      const timer = setTimeout(() => resolve(false), SILENCE_MS);
      socket.on('error', () => undefined);
      socket.once('connect', () => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  return {
    host,
    async close() {
      for (const socket of fillers) socket.destroy();
      await worker.terminate();
    },
  };
}
