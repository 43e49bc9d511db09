// Tests a sub-tenant with complaints: throttled by the next sweep, even over a restart, while others are unaffected; paused if
// the option is on, and resumed.
import { afterEach, describe, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import {
  addTenant,
  startMailRig,
  type MailRig,
  type AuditTrailEntry,
  startMailRigWithSink,
  type SinkRig,
} from '../../support/mail-rig.js';
import { waitFor } from '../../support/wait.js';
import { feedbackReport, headerOf } from '../../support/returned-mail.js';
import { ENDING, isFullSize } from '../../support/run-size.js';
import { tuned } from '../../support/tuning.js';

const FBL = 'fbl@mta.platform.example';
const EACH_SECOND = {
  MAILKEEL_SWEEP_SCHEDULE: '* * * * * *',
  ...tuned({ rollupIntervalMs: 200 }),
  MAILKEEL_FEEDBACK_SOURCES: '127.0.0.0/8',
};

interface Reputation {
  state: string;
  complaint_rate: number | null;
  delivered: number;
  throttle_per_hour: number | null;
  changes: AuditTrailEntry[];
  paused: { cause: string } | null;
}

type Rig = Pick<MailRig, 'appliance' | 'tenantId' | 'draft'>;

async function reputation({ appliance }: Rig, tenantId: string, key?: string): Promise<Reputation> {
  const path = `/v1/sub-tenants/${tenantId}/reputation`;
  return (await appliance.api('GET', path, key === undefined ? {} : { key })).json as Reputation;
}

const becomes = (rig: Rig, state: string, key?: string) =>
  waitFor(
    `the sub-tenant to be ${state}`,
    () => reputation(rig, rig.tenantId, key),
    (found) => found.state === state,
  );

describe('the reputation of live mail', () => {
  let rig: SinkRig;
  afterEach(() => rig.close());

  it('one complaint out of twenty throttles it, without affecting others, and survives a restart', async () => {
    rig = await startMailRigWithSink({ process: ENDING.process, env: EACH_SECOND });
    const sent = await Promise.all(Array.from({ length: 20 }, (_, i) => rig.deliver(`ann${i}`)));
    await waitFor(
      'all of them to be counted',
      () => reputation(rig, rig.tenantId),
      ({ delivered }) => delivered === 20,
    );
    const raw = feedbackReport(FBL, { original: sent[0] ? headerOf(sent[0].mail) : '' });
    expect(await rig.comesBack(raw, FBL, 'fbl@provider.example')).toMatchObject({ outcome: 'complaint' });
    const found = await becomes(rig, 'throttled');
    expect(found).toMatchObject({ complaint_rate: 0.05, throttle_per_hour: 60 });
    expect(found.changes).toMatchObject([
      {
        event: 'tenant_throttled',
        actor: 'worker',
        metadata: { complaints: 1, delivered: 20, threshold: 0.003, per_hour: 60, window_days: 7 },
      },
    ]);

    const ids: string[] = [];
    for (let i = 0; i < 4; i++) ids.push(await rig.send(`bea${i}`));
    await rig.reached(ids[0] ?? '', 'delivered');
    const insight = insightInto(rig.appliance);
    const explained = await insight.explained(ids[1] ?? '', 'tenant_throttled');
    expect(explained.chain.map(({ text }) => text).join(' ')).toContain(
      '60 messages per hour because of its reputation',
    );

    const other = await addTenant(rig.appliance, rig.dns, 'other.example');
    const from = { email: 'hello@other.example' };
    const free = await Promise.all(
      Array.from({ length: 30 }, (_, i) => rig.send(`free${i}`, { sub_tenant_id: other, from })),
    );
    for (const id of free) await rig.reached(id, 'delivered');
    expect(await reputation(rig, other)).toMatchObject({ state: 'ok', throttle_per_hour: null });

    await rig.appliance.end(ENDING.signal);
    await rig.appliance.startHere();
    await insight.explained(ids[1] ?? '', 'tenant_throttled');
    expect(rig.mailTo('bea1')).toBeUndefined();
    for (const id of ids.slice(1)) expect(await rig.message(id)).toMatchObject({ status: 'queued' });
    // Reputation in test is unaffected.
    const { test_key: key } = rig.appliance.keys;
    expect(await reputation(rig, rig.tenantId, key)).toMatchObject({ state: 'ok', delivered: 0 });
  }, 90_000);
});

describe('the reputation in the sandbox', () => {
  let rig: MailRig;
  afterEach(() => rig.close());

  async function play(to: string, count: number): Promise<string[]> {
    const { test_key: key } = rig.appliance.keys;
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      const body = rig.draft(`${to}@example.com`);
      const answer = await rig.appliance.api('POST', '/v1/messages', { key, body });
      ids.push((answer.json as { id: string }).id);
    }
    return ids;
  }

  it.runIf(isFullSize)(
    'can be tried by a developer without affecting live mail',
    async () => {
      const env = { ...EACH_SECOND, MAILKEEL_REPUTATION_PAUSE_COMPLAINT: '2%' };
      rig = await startMailRig({ process: 'shared', env });
      const { test_key: key } = rig.appliance.keys;
      await play('delivered', 25);
      await play('complained', 1);
      const found = await becomes(rig, 'paused', key);
      expect(found.changes.map(({ event }) => event)).toEqual(['tenant_throttled', 'tenant_paused']);
      expect(found.paused).toMatchObject({ cause: 'complaint_rate' });
      const ask = (path: string, method = 'GET', asked = key) =>
        rig.appliance.api(method, `/v1/sub-tenants/${rig.tenantId}${path}`, { key: asked });
      expect((await ask('')).json).toMatchObject({ status: 'paused' });
      expect((await ask('', 'GET', rig.appliance.keys.live_key)).json).toMatchObject({
        ...{ status: 'verified', reputation: { state: 'ok' } },
      });
      const refused = await rig.appliance.api('POST', '/v1/messages', {
        key,
        body: rig.draft('delivered@example.com'),
      });
      expect([refused.status, (refused.json as { error: { code: string } }).error.code]).toEqual([
        403,
        'tenant_suspended',
      ]);
      expect((await ask('/resume', 'POST')).json).toMatchObject({ status: 'verified' });
      // The next sweep does not pause it again for the same complaint.
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      const after = await reputation(rig, rig.tenantId, key);
      expect(after).toMatchObject({ state: 'throttled', paused: null });
      expect(after.changes.map(({ event }) => event)).toEqual([
        'tenant_throttled',
        'tenant_paused',
        'tenant_recovered',
      ]);
      const [first = '', second = ''] = await play('delivered', 2);
      const statusOf = async (id: string) =>
        ((await rig.appliance.api('GET', `/v1/messages/${id}`, { key })).json as { status: string }).status;
      await waitFor(
        'the first to go',
        () => statusOf(first),
        (status) => status !== 'queued',
      );
      expect(await statusOf(second)).toBe('queued');
      const explained = await rig.appliance.api('GET', `/v1/messages/${second}/explain`, { key });
      expect(explained.json).toMatchObject({ code: 'tenant_throttled' });
    },
    90_000,
  );
});
