// Several nodes on one PostgreSQL database that work at once: they share the paths, take over from each other, and count every limit once.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { receives } from '../support/mail-rig.js';
import { startNodeRig, type NodeRig } from '../support/node-rig.js';
import { ensurePostgres, startPostgres, type PostgresServer } from '../support/postgres-server.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { tuned } from '../support/tuning.js';
import { waitFor } from '../support/wait.js';

const skipReason = ensurePostgres();
if (skipReason !== null) console.warn(`skipped: several nodes on PostgreSQL: ${skipReason}`);

const DOMAINS = Array.from({ length: 24 }, (_, i) => `place-${i}.example`);

describe.skipIf(skipReason !== null)('several nodes', () => {
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

  async function start(options: Partial<Parameters<typeof startSmtpSink>[0]> = {}): Promise<void> {
    sink = await startSmtpSink({ keep: true, ...options });
    rig = await startNodeRig({ server, mxPort: sink.port, env: { ...tuned({ queuePollMs: 2_000 }) } });
    for (const domain of DOMAINS) receives(rig.dns, domain);
  }

  it('share the paths between them, and each message arrives once', async () => {
    await start();
    const second = await rig.newNode();
    await second.start();
    const [one, other] = await rig.settled(2);
    expect(one?.path_leases).toBeGreaterThan(10);
    expect(other?.path_leases).toBeGreaterThan(10);
    const places = [rig.first, second];
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        rig.submit(places[i % 2] ?? rig.first, `n${i}@${DOMAINS[i % DOMAINS.length]}`),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    await waitFor(
      'all to arrive',
      () => Promise.resolve(sink.count()),
      (count) => count >= 120,
      60_000,
    );
    const arrived = sink.messages.map(({ rcptTo }) => rcptTo[0]);
    expect(new Set(arrived).size).toBe(120);
    expect(arrived.length).toBe(120);
  });
});
