// Tests that a stopping server drains if others can take its requests, and that a second signal ends it
// immediately.
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDraining } from '../../../src/lib/http/draining.js';
import { createLog, installShutdown } from '../../../src/lib/runtime/index.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function stopped(hasPeers: boolean) {
  const draining = createDraining({ ms: 10_000, peers: { lookForPeers: () => Promise.resolve(hasPeers) } });
  const done: string[] = [];
  const signals = new EventEmitter();
  installShutdown({
    steps: [
      { name: 'load balancers', close: () => draining.run() },
      { name: 'ports', close: () => void done.push('ports closed') },
    ],
    graceMs: 60_000,
    log: createLog('silent'),
    exit: (code) => void done.push(`exit ${code}`),
    signals,
  });
  return { draining, done, signals };
}

it('keeps its ports open for the time that load balancers need', async () => {
  const { draining, done, signals } = stopped(true);
  expect(draining.isDraining).toBe(false);
  signals.emit('SIGTERM');
  expect(draining.isDraining).toBe(true);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(done).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toEqual(['ports closed', 'exit 0']);
});

it('closes them immediately on a single node', async () => {
  const { done, signals } = stopped(false);
  signals.emit('SIGTERM');
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toEqual(['ports closed', 'exit 0']);
});

it('ends at the second signal', async () => {
  const { done, signals } = stopped(true);
  signals.emit('SIGTERM');
  await vi.advanceTimersByTimeAsync(1_000);
  signals.emit('SIGTERM');
  expect(done).toEqual(['exit 130']);
});
