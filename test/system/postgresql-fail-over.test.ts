// Tests a failover to a replica without the last commits: nodes continue, and consumers of events learn that some are gone.
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createAppliance } from '../support/appliance.js';
import { startNodeRig } from '../support/mail-rig.js';
import { startReplica } from '../support/postgres-replica.js';
import { ensurePostgres, startPostgres } from '../support/postgres-server.js';
import { isFullSize } from '../support/run-size.js';
import { startSlowProxy } from '../support/slow-proxy.js';
import { startSmtpSink } from '../support/smtp-sink.js';
import { tuned } from '../support/tuning.js';
import { waitFor } from '../support/wait.js';

const skipReason = ensurePostgres();
if (skipReason !== null) console.warn(`skipped: fail-over of PostgreSQL: ${skipReason}`);

describe.skipIf(skipReason !== null)('a failover to a replica', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  it('waits with a reason on a replica until it accepts writes', async () => {
    const primary = await startPostgres();
    closing.push(() => primary.close());
    const { url } = await primary.makeDatabase('empty');
    const replica = await startReplica(primary);
    closing.push(() => replica.close());
    const env = { MAILKEEL_DATABASE_URL: url.replace(/:\d+\//, `:${replica.port}/`) };
    const none = { live_key: '', test_key: '', workspace_id: '' };
    const node = await createAppliance({ env, keys: none });
    closing.push(() => node.close());
    const started = node.start();
    const answer = await waitFor(
      'the server to stand by',
      () => node.api('GET', '/readyz', { key: '' }).catch(() => null),
      (found) => found !== null,
    );
    const reason = expect.stringContaining('or a replica') as string;
    expect([answer?.status, answer?.json]).toMatchObject([503, { status: 'standby', reason }]);
    await replica.promote();
    await started;
    expect((await node.api('GET', '/readyz', { key: '' })).status).toBe(200);
  });

  it.runIf(isFullSize)(
    'that lost the last second ends no process, mail continues, and consumers learn where to resume',
    async () => {
      const primary = await startPostgres();
      closing.push(() => primary.close());
      const sink = await startSmtpSink({ keep: true });
      closing.push(() => sink.close());
      const proxy = await startSlowProxy(primary.port);
      closing.push(() => proxy.close());
      const rig = await startNodeRig({
        server: primary,
        mxPort: sink.port,
        through: proxy.port,
        env: tuned({ queuePollMs: 1_000 }),
      });
      closing.push(() => rig.close());
      const second = await rig.newNode();
      await second.start();
      await rig.settled(2);
      await rig.reached((await rig.submit(rig.first, 'before')).json.id as string, 'delivered');
      const replica = await startReplica(primary);
      closing.push(() => replica.close());
      // A moment in which the replica has all.
      await rig.reached((await rig.submit(second, 'kept')).json.id as string, 'delivered');
      await pause(1_000);
      const newest = async (): Promise<string> => {
        const { json } = await rig.first.api('GET', '/v1/events?order=desc&limit=1');
        return (json as { data: { id: string }[] }).data[0]?.id ?? '';
      };
      const kept = await newest();
      await replica.leaveBehind();
      for (let i = 0; i < 5; i++) {
        await rig.reached((await rig.submit(rig.first, `lost-${i}`)).json.id as string, 'delivered');
      }
      const lost = await newest();
      expect(lost).not.toBe(kept);

      await primary.stop('SIGKILL');
      const refused = await rig.submit(second, 'away', { idempotency_key: 'away' });
      expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true]);
      await replica.promote();
      proxy.retarget(replica.port);

      const again = await waitFor(
        'the request to be accepted',
        () => rig.submit(second, 'away', { idempotency_key: 'away' }),
        ({ status }) => status === 202,
        60_000,
      );
      await rig.reached(again.json.id as string, 'delivered');
      expect([rig.first.hasEnded(), second.hasEnded()]).toEqual([false, false]);
      await rig.settled(2);
      // The chain grows beyond the lost position, so only its epoch shows the loss.
      for (let i = 0; i < 8; i++) {
        await rig.reached((await rig.submit(rig.first, `more-${i}`)).json.id as string, 'delivered');
      }
      for (const node of [rig.first, second]) {
        const after = (id: string) => node.api('GET', `/v1/events?order=asc&after=${id}`);
        const ahead = await waitFor(
          'a consumer that knows a lost event to be told',
          () => after(lost),
          ({ status }) => status === 409,
          40_000,
        );
        expect((ahead.json as { error: { code: string } }).error.code).toBe('cursor_ahead');
        expect((await after(kept)).status).toBe(200);
      }
    },
    180_000,
  );
});
