// Measures the cost of a second node, and of a slower connection to the database: CPU per message, and accepted messages per
// second.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Appliance } from '../support/appliance.js';
import { receives, startNodeRig, type NodeRig } from '../support/mail-rig.js';
import { ensurePostgres, startPostgres, type PostgresServer } from '../support/postgres-server.js';
import { startSlowProxy } from '../support/slow-proxy.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait.js';

const skipReason = ensurePostgres();
if (skipReason !== null) console.warn(`skipped: nodes at size: ${skipReason}`);

const MESSAGES = 6_000;
const CLIENTS = 50;
const DOMAINS = 40;

describe.skipIf(skipReason !== null)('nodes on PostgreSQL', () => {
  let server: PostgresServer;
  let sink: SmtpSink;
  let rig: NodeRig;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(async () => {
    await rig.close();
    await sink.close();
  });
  afterAll(() => server.close());

  async function start(through?: number): Promise<void> {
    sink = await startSmtpSink({ keep: false });
    rig = await startNodeRig({
      server,
      ...{ mxPort: sink.port, process: 'own' },
      ...(through === undefined ? {} : { through }),
    });
    for (let i = 0; i < DOMAINS; i++) receives(rig.dns, `place-${i}.example`);
  }

  /** Sends `count` messages through alternating nodes; returns the accepted messages per second. */
  async function send(nodes: readonly Appliance[], label: string, count = MESSAGES): Promise<number> {
    const since = performance.now();
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, client) => {
        for (let n = client; n < count; n += CLIENTS) {
          const node = nodes[n % nodes.length] ?? rig.first;
          const { status } = await rig.submit(node, `${label}-${n}@place-${n % DOMAINS}.example`);
          if (status !== 202) throw new Error(`not accepted: ${status}`);
        }
      }),
    );
    return (1_000 * count) / (performance.now() - since);
  }

  /** CPU seconds of the nodes for 1,000 messages, from the first request to the last delivery. */
  async function price(nodes: readonly Appliance[], label: string): Promise<number> {
    const before = cpuOf(nodes);
    const had = sink.count();
    await send(nodes, label);
    await waitFor(
      'all to arrive',
      () => Promise.resolve(sink.count()),
      (count) => count >= had + MESSAGES,
      600_000,
    );
    return (1_000 * (cpuOf(nodes) - before)) / MESSAGES;
  }

  it('cost at most a fifth more CPU per message with two nodes than with one', async () => {
    await start();
    // Compilation during the warm-up does not count toward a message.
    await send([rig.first], 'warm', 1_500);
    const one = await price([rig.first], 'one');
    const second = await rig.newNode({}, 'own');
    await second.start();
    await rig.settled(2);
    const both = [rig.first, second];
    await send(both, 'warm-both', 3_000);
    const two = await price(both, 'two');
    console.info(`CPU-s for 1,000: ${one.toFixed(2)} one node, ${two.toFixed(2)} two nodes`);
    expect(two / one).toBeLessThan(1.2);
  });

  // Timers have a resolution of a millisecond, which is twice the latency of a database on another machine in the same place.
  it('accept at least half as many with an additional millisecond per round trip', async () => {
    const proxy = await startSlowProxy(server.port);
    try {
      await start(proxy.port);
      await send([rig.first], 'warm', 500);
      const rates = { near: [] as number[], far: [] as number[] };
      for (let turn = 0; turn < 3; turn++) {
        proxy.answerDelayMs = 0;
        rates.near.push(await send([rig.first], `near-${turn}`, 2_000));
        proxy.answerDelayMs = 1;
        rates.far.push(await send([rig.first], `far-${turn}`, 2_000));
      }
      const [near = 0, far = 0] = [rates.near, rates.far].map((list) => list.sort((a, b) => a - b)[1] ?? 0);
      console.info(`accepted a second: ${near.toFixed(0)} near, ${far.toFixed(0)} with the delay`);
      expect(far / near).toBeGreaterThan(0.5);
    } finally {
      await proxy.close();
    }
  });
});

/** User and system time of the processes, in seconds. */
function cpuOf(nodes: readonly Appliance[]): number {
  const perSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return nodes.reduce((sum, node) => {
    const fields = readFileSync(`/proc/${node.process().pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return sum + (Number(fields[11]) + Number(fields[12])) / perSecond;
  }, 0);
}
