// Measures events with many endpoints: POSTs per second, the delay until the last endpoint has an event, and the cost.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startHelper } from './child.js';
import type { Figures } from './print.js';
import type { Memory } from './proc.js';
import type { EventJob, EventsWritten } from './webhooks-child.js';
import type { FanOutStats } from './webhooks-receiver.js';

export const FAN_OUT_ENDPOINTS = 20;
/** Compiles the hot paths; not measured. */
const WARM_UP = 100;
/** Events a second that the second run is paced at. */
const STEADY_PER_SECOND = 100;

export interface FanOutLoad {
  dir: string;
  events: number;
}

/** All at the same time for the rate, then at a sustainable pace for the delay. */
export async function fanOut({ dir, events }: FanOutLoad): Promise<Figures> {
  const burst = await run(dir, { events, perSecond: 0 });
  const steady = await run(dir, { events, perSecond: STEADY_PER_SECOND });
  return {
    [`POSTs per second, ${events} events at once`]: burst.perSecond,
    'ms until the last endpoint had the last event, of that': burst.slowestMs,
    'CPU-s per 1,000 POSTs, the program, writing the events included': burst.cpu,
    'CPU-s per 1,000 POSTs, the receiver': burst.receiverCpu,
    [`POSTs per second at ${STEADY_PER_SECOND} events a second`]: steady.perSecond,
    'ms from event to POST at that pace, p50': steady.p50Ms,
    'ms from event to POST at that pace, p99': steady.p99Ms,
    'ms from event to POST at that pace, the slowest endpoint': steady.slowestMs,
    'CPU-s per 1,000 POSTs at that pace': steady.cpu,
    'resident MB at the end': steady.residentMb,
  };
}

async function run(parent: string, job: EventJob) {
  const dir = mkdtempSync(join(parent, 'webhooks-'));
  const receiver = startHelper('./webhooks-receiver.js');
  const program = startHelper('./webhooks-child.js');
  try {
    const port = (await receiver.ask('port')) as number;
    const urls = Array.from({ length: FAN_OUT_ENDPOINTS }, (_, i) => `http://127.0.0.1:${port}/${i}`);
    await program.ask('open', { file: join(dir, 'mail.db'), urls });
    await program.ask('write', { events: WARM_UP, perSecond: 0 } satisfies EventJob);
    const warm = (await receiver.ask('wait', WARM_UP * FAN_OUT_ENDPOINTS)) as FanOutStats;
    await receiver.ask('reset');
    const before = (await program.ask('cpu')) as number;
    const written = (await program.ask('write', job)) as EventsWritten;
    const posts = job.events * FAN_OUT_ENDPOINTS;
    const done = (await receiver.ask('wait', posts)) as FanOutStats;
    const after = (await program.ask('cpu')) as number;
    const { residentMb } = (await program.ask('memory')) as Memory;
    await program.ask('stop');
    const total = (await receiver.ask('stats')) as FanOutStats;
    if (total.received !== posts) throw new Error(`${total.received} POSTs of ${posts}`);
    return {
      perSecond: (posts / (done.lastAt - written.startedAt)) * 1_000,
      slowestMs: Math.max(...done.latestMs),
      p50Ms: done.p50Ms,
      p99Ms: done.p99Ms,
      cpu: ((after - before) / posts) * 1_000,
      receiverCpu: ((done.cpuSeconds - warm.cpuSeconds) / posts) * 1_000,
      residentMb,
    };
  } finally {
    program.stop();
    receiver.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
