// Defines the scenarios. Each runs its own program on an empty data folder.
import { PLATFORM_SETTINGS, type Appliance } from './appliance.js';
import { runBare } from './bare.js';
import { campaign } from './campaign.js';
import { startHelper } from './child.js';
import { claims, claimDepths } from './claims.js';
import { fairness } from './fairness.js';
import { listSizes, lists } from './lists.js';
import { growth, growthSizes } from './growth.js';
import type { LoadResult } from './load.js';
import { inbound, relay } from './mail-in.js';
import type { Figures } from './print.js';
import { memoryOf, resetPeak } from './proc.js';
import type { ReceiverStats } from './receiver.js';
import { tenants } from './tenants.js';
import { FAN_OUT_ENDPOINTS, fanOut } from './webhooks.js';
import { arrived, assertReceived, startMeter, withAppliance, type Meter, type World } from './world.js';

export interface Scenario {
  title(world: World): string;
  run(world: World): Promise<Figures>;
}

export const DELIVERED = 'delivered per second, first POST to last message';
export const CPU = 'CPU-s per 1,000, the program';

const WARM_UP = 1_000;
/** Of the main thread. */
const STATEMENTS = 'mailkeel_store_statements_total';
const BURST_CONNECTIONS = 50;
const BURST_SHARE = 0.5;
const PROBE = 2_000;
const DRAIN_PROBE = 10_000;
const IDLE_MS = 2_000;
const ENDPOINTS = 2;
/** Events of the fan-out for each message of the other scenarios: 20,000 POSTs for 20,000 messages. */
const FAN_OUT_SHARE = 1 / FAN_OUT_ENDPOINTS;

/** With the sink frozen, 1,000 messages are claimed and wait for its greeting; the others wait in the queue. */
async function acceptPaused(world: World): Promise<Figures> {
  const figures: Figures = {};
  for (const connections of [world.connections, BURST_CONNECTIONS]) {
    await withAppliance(world, {}, async (appliance) => {
      await warmUp(world, appliance);
      world.sink.freeze();
      const meter = startMeter(world, appliance);
      const result = await world.post(job(appliance, connections, WARM_UP, world.messages));
      Object.assign(figures, acceptFigures(`, ${connections} connections`, result));
      figures[`CPU-s per 1,000 accepted, ${connections} connections`] = per1000(
        meter.program(),
        world.messages,
      );
    });
  }
  return figures;
}

/** Compiles the hot paths and opens the files. These messages only count toward memory. */
async function warmUp(world: World, appliance: Appliance): Promise<void> {
  await world.post(job(appliance, world.connections, 0, WARM_UP));
  await arrived(world, WARM_UP);
  await world.sink.ask('reset');
}

function job(appliance: Appliance, connections: number, first: number, count: number) {
  return { port: appliance.port, key: appliance.key, connections, first, count };
}

function acceptFigures(suffix: string, result: LoadResult): Figures {
  return {
    [`accepted per second${suffix}`]: result.perSecond,
    [`accept p50 ms${suffix}`]: result.p50Ms,
    [`accept p95 ms${suffix}`]: result.p95Ms,
    [`accept p99 ms${suffix}`]: result.p99Ms,
  };
}

function per1000(cpu: number, messages: number): number {
  return (cpu / messages) * 1_000;
}

function cpuFigures(meter: Meter, messages: number): Figures {
  return {
    [CPU]: per1000(meter.program(), messages),
    'CPU-s per 1,000, its main thread': per1000(meter.mainThread(), messages),
    'CPU-s per 1,000, the generator': per1000(meter.load(), messages),
    'CPU-s per 1,000, the sink': per1000(meter.sink(), messages),
  };
}

async function endToEnd(
  world: World,
  load: { connections: number; messages: number; env: Record<string, string>; signatures: number },
): Promise<Figures> {
  return withAppliance(world, load.env, async (appliance) => {
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const idleMb = memoryOf(appliance.pid).residentMb;
    await warmUp(world, appliance);
    resetPeak(appliance.pid);
    const statementsBefore = await appliance.metric(STATEMENTS);
    const meter = startMeter(world, appliance);
    const result = await world.post(job(appliance, load.connections, WARM_UP, load.messages));
    const { lastAt } = await arrived(world, load.messages);
    const cpu = cpuFigures(meter, load.messages);
    const statements = (await appliance.metric(STATEMENTS)) - statementsBefore;
    await assertReceived(world, appliance, load);
    return {
      [DELIVERED]: perSecond(load.messages, lastAt - result.startedAt),
      ...acceptFigures(' while it delivers', result),
      ...cpu,
      'statements a message, main thread': statements / load.messages,
      'idle resident MB, before the load': idleMb,
      'peak resident MB': memoryOf(appliance.pid).peakMb,
    };
  });
}

function perSecond(count: number, elapsedMs: number): number {
  return (count / elapsedMs) * 1_000;
}

/** Runs one program whose queue is filled to each depth while the sink is frozen, measured, and drained. */
async function depths(world: World): Promise<Figures> {
  return withAppliance(world, {}, async (appliance) => {
    const figures: Figures = {};
    await warmUp(world, appliance);
    let first = WARM_UP;
    for (const depth of world.depths) {
      resetPeak(appliance.pid);
      world.sink.freeze();
      const fill = await world.post(job(appliance, BURST_CONNECTIONS, first, depth));
      const probe = await world.post(job(appliance, world.connections, first + depth, PROBE));
      const queued = depth + PROBE;
      const label = `with ${depth.toLocaleString('en')} queued`;
      figures[`filled per second, up to ${depth.toLocaleString('en')}`] = fill.perSecond;
      figures[`accepted per second ${label}`] = probe.perSecond;
      figures[`accept p99 ms ${label}`] = probe.p99Ms;
      const meter = startMeter(world, appliance);
      world.sink.thaw();
      const counted = Math.min(queued, DRAIN_PROBE);
      const { firstAt, lastAt } = await arrived(world, counted);
      figures[`delivered per second ${label}`] = perSecond(counted, lastAt - firstAt);
      figures[`CPU-s per 1,000 delivered ${label}`] = per1000(meter.program(), counted);
      // The deepest queue is not drained after its measurement, to save time.
      const isLeft = queued > DRAIN_PROBE && depth === world.depths.at(-1);
      const stats = await arrived(world, isLeft ? counted : queued);
      if (stats.doubles > 0) throw new Error(`${stats.doubles} messages came twice`);
      figures[`peak resident MB ${label}`] = memoryOf(appliance.pid).peakMb;
      await world.sink.ask('reset');
      first += queued;
    }
    return figures;
  });
}

async function webhooks(world: World): Promise<Figures> {
  const receiver = startHelper('./receiver.js');
  const messages = Math.round(world.messages * BURST_SHARE);
  try {
    const port = (await receiver.ask('port')) as number;
    return await withAppliance(world, { MAILKEEL_WEBHOOK_ALLOW_PRIVATE: 'true' }, async (appliance) => {
      for (let endpoint = 0; endpoint < ENDPOINTS; endpoint += 1) {
        const url = `http://127.0.0.1:${port}/${endpoint}`;
        await appliance.api('POST', '/v1/webhook-endpoints', { url, events: ['message.delivered'] });
      }
      await warmUp(world, appliance);
      await receiver.ask('wait', WARM_UP * ENDPOINTS);
      const meter = startMeter(world, appliance);
      const result = await world.post(job(appliance, world.connections, WARM_UP, messages));
      const { lastAt } = await arrived(world, messages);
      const posted = (await receiver.ask('wait', (WARM_UP + messages) * ENDPOINTS)) as ReceiverStats;
      const cpu = per1000(meter.program(), messages);
      await assertReceived(world, appliance, { messages, signatures: 1 });
      if (posted.unsigned > 0) throw new Error(`${posted.unsigned} webhooks were not signed`);
      return {
        'delivered per second, first POST to last message': perSecond(messages, lastAt - result.startedAt),
        'messages per second, first POST to last webhook': perSecond(
          messages,
          posted.lastAt - result.startedAt,
        ),
        ...acceptFigures(' while it delivers', result),
        'CPU-s per 1,000 messages, the program': cpu,
        'webhooks received twice': posted.repeated,
        'peak resident MB': memoryOf(appliance.pid).peakMb,
      };
    });
  } finally {
    receiver.stop();
  }
}

export const SCENARIOS: Record<string, Scenario> = {
  accept: {
    title: ({ messages }) => `${messages} messages accepted while delivery is paused (the sink is frozen)`,
    run: acceptPaused,
  },
  delivery: {
    title: ({ messages, connections }) => `${messages} messages end to end, ${connections} connections`,
    run: (world) =>
      endToEnd(world, { connections: world.connections, messages: world.messages, env: {}, signatures: 1 }),
  },
  bare: {
    title: ({ messages, connections }) =>
      `${messages} messages, ${connections} connections, by a program that only parses, commits, signs and sends`,
    run: async (world) => {
      const { perSecond: rate, cpuSeconds, peakMb } = await runBare(world);
      return { [DELIVERED]: rate, [CPU]: per1000(cpuSeconds, world.messages), 'peak resident MB': peakMb };
    },
  },
  burst: {
    title: ({ messages }) =>
      `a burst of ${messages * BURST_SHARE} over ${BURST_CONNECTIONS} connections, delivery runs`,
    run: (world) =>
      endToEnd(world, {
        connections: BURST_CONNECTIONS,
        messages: Math.round(world.messages * BURST_SHARE),
        env: {},
        signatures: 1,
      }),
  },
  both: {
    title: ({ messages }) =>
      `${messages * BURST_SHARE} messages with the platform's signature beside the sender's`,
    run: (world) =>
      endToEnd(world, {
        connections: world.connections,
        messages: Math.round(world.messages * BURST_SHARE),
        env: PLATFORM_SETTINGS,
        signatures: 2,
      }),
  },
  webhooks: {
    title: ({ messages }) =>
      `${messages * BURST_SHARE} messages, message.delivered to ${ENDPOINTS} endpoints; ` +
      `then ${messages * FAN_OUT_SHARE} events to ${FAN_OUT_ENDPOINTS}, in a process that does nothing else`,
    run: async (world) => ({
      ...(await webhooks(world)),
      ...(await fanOut({ dir: world.dir, events: Math.round(world.messages * FAN_OUT_SHARE) })),
    }),
  },
  depth: {
    title: () => 'rates at the depth of the queue: filled while the sink is frozen, then drained',
    run: depths,
  },
  fairness: {
    title: ({ messages }) =>
      `one tenant's ${messages} marketing messages are on their way; another's transactional ones come in between`,
    run: fairness,
  },
  tenants: {
    title: ({ messages }) =>
      `${messages} messages of ten good tenants, half of them beside ten throttled ones with as many queued`,
    run: tenants,
  },
  inbound: {
    title: ({ messages }) =>
      `${messages * BURST_SHARE} mails come in over ${BURST_CONNECTIONS} connections: bounces and answers, half and half`,
    run: (world) => inbound(world, Math.round(world.messages * BURST_SHARE), BURST_CONNECTIONS),
  },
  relay: {
    title: ({ messages, connections }) =>
      `${messages * BURST_SHARE} messages by SMTP at the relay, ${connections} connections with TLS, delivered meanwhile`,
    run: (world) => relay(world, Math.round(world.messages * BURST_SHARE), world.connections),
  },
  campaign: {
    title: ({ messages }) =>
      `a campaign of ${messages}: frozen, fanned out while the sink stands still, delivered`,
    run: campaign,
  },
  lists: {
    title: (world) => `pages and totals with ${listSizes(world).map(String).join(' and ')} contacts`,
    run: lists,
  },
  growth: {
    title: (world) => `a server with ${growthSizes(world).map(String).join(' and with ')} stored messages`,
    run: growth,
  },
  claims: {
    title: (world) => `claim batches with ${claimDepths(world).map(String).join(' and ')} messages waiting`,
    run: claims,
  },
};
