// Tests the share of a route on two nodes of one PostgreSQL database, each of which owns some of its paths.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { receives, startNodeRig } from '../support/mail-rig.js';
import { ensurePostgres, startPostgres, type PostgresServer } from '../support/postgres-server.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { layered, tuned } from '../support/tuning.js';
import { waitFor } from '../support/wait.js';

const skipReason = ensurePostgres();
if (skipReason !== null) console.warn(`skipped: a share on two nodes: ${skipReason}`);

const DOMAINS = Array.from({ length: 24 }, (_, i) => `place-${i}.example`);

describe.skipIf(skipReason !== null)('two nodes', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.close());

  it('divide the mail of a route alike, and follow a change of its share on the other node', async () => {
    const vendor = await startSmtpSink({ keep: true });
    onTestFinished(() => vendor.close());
    const outbound = {
      smarthosts: [{ name: 'vendor', url: `smtp://vendor.example:${vendor.port}` }],
      routes: [{ name: 'leaving', via: ['pool:default', 'smarthost:vendor'], share: 30 }],
      default: ['pool:default'],
    };
    const sink = await startSmtpSink({ keep: true });
    onTestFinished(() => sink.close());
    const env = layered(tuned({ queuePollMs: 2_000 }), { MAILKEEL_OUTBOUND: JSON.stringify(outbound) });
    const rig = await startNodeRig({ server, mxPort: sink.port, env });
    onTestFinished(() => rig.close());
    for (const domain of DOMAINS) receives(rig.dns, domain);
    rig.dns.set('vendor.example', 'A', ['127.0.0.1']);
    const second = await rig.newNode();
    await second.start();
    await waitFor(
      'both nodes to have paths',
      () => rig.shown(),
      (found) => found.length === 2 && found.every(({ path_leases: leases }) => leases > 0),
      60_000,
    );
    const recipients = DOMAINS.flatMap((domain) => [1, 2, 3, 4].map((n) => `user${n}@${domain}`));
    const arrived = (of: SmtpSink): string[] => of.messages.map(({ rcptTo }) => rcptTo[0] ?? '').sort();
    const all = recipients.length;

    for (const to of recipients) await rig.submit(rig.first, to);
    await waitFor('mail of the first node', () => sink.count() + vendor.count() === all, Boolean, 60_000);
    const direct = arrived(sink);
    expect(direct.length).toBeGreaterThan(all * 0.15);
    expect(direct.length).toBeLessThan(all * 0.45);
    for (const to of recipients) await rig.submit(second, to);
    await waitFor('mail of the second', () => sink.count() + vendor.count() === 2 * all, Boolean, 60_000);
    expect(arrived(sink)).toEqual([...direct, ...direct].sort());

    const changed = await rig.first.api('PATCH', '/v1/route-shares/leaving', { body: { percent: 100 } });
    expect(changed.status).toBe(200);
    await waitFor('the other node to know', async () => {
      const { json } = await second.api('GET', '/v1/route-shares/leaving');
      return (json as { percent: number }).percent === 100;
    });
    const before = vendor.count();
    for (const to of recipients) await rig.submit(second, to);
    await waitFor('the rest', () => sink.count() + vendor.count() === 3 * all, Boolean, 60_000);
    expect(vendor.count()).toBe(before);
  });
});
