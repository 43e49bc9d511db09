// Drill: recipients of one sub-tenant complain. It is throttled automatically, the operator pauses it with one command, and the
// others continue.
import { afterEach, expect, it } from 'vitest';
import { READ_OFTEN, watch, WATCHED } from '../../support/drill.js';
import { insightInto } from '../../support/insight.js';
import { addTenant, startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { feedbackReport, headerOf } from '../../support/returned-mail.js';
import { tuned } from '../../support/tuning.js';
import { waitFor } from '../../support/wait.js';

const FBL = 'fbl@mta.platform.example';
const SENT = 20;
let rig: SinkRig;

afterEach(() => rig.close());

it('appears in metric, log and explanation, and its mail waits while others deliver', async () => {
  rig = await startMailRigWithSink({
    process: 'shared',
    env: {
      ...WATCHED,
      ...tuned({ ...READ_OFTEN, rollupIntervalMs: 200 }),
      MAILKEEL_SWEEP_SCHEDULE: '* * * * * *',
      MAILKEEL_FEEDBACK_SOURCES: '127.0.0.0/8',
    },
  });
  const { appliance, tenantId } = rig;
  const sent = await Promise.all(Array.from({ length: SENT }, (_, at) => rig.deliver(`ann${at}`)));
  const path = `/v1/sub-tenants/${tenantId}`;
  const reputation = async () =>
    (await appliance.api('GET', `${path}/reputation`)).json as { delivered: number; complaint_rate: number };
  await waitFor('all to be counted', reputation, ({ delivered }) => delivered === SENT);
  const report = feedbackReport(FBL, { original: sent[0] === undefined ? '' : headerOf(sent[0].mail) });
  expect(await rig.comesBack(report, FBL, 'fbl@provider.example')).toMatchObject({ outcome: 'complaint' });

  const seen = watch(appliance);
  const changed = await seen.logged('sub-tenant reputation changed');
  expect(changed).toMatchObject({ sub_tenant: tenantId, state: 'throttled', paused: false });
  await seen.metricIs('mailkeel_tenants_held', 'state="throttled"', (tenants) => tenants === 1);
  expect(await seen.metric('mailkeel_inbound_messages_total', 'outcome="complaint"')).toBe(1);
  expect((await reputation()).complaint_rate).toBeCloseTo(1 / SENT, 6);

  const paused = await appliance.api('POST', `${path}/pause`);
  expect(paused.json).toMatchObject({ status: 'paused' });
  const refused = await appliance.api('POST', '/v1/messages', { body: rig.draft('refused') });
  expect(refused.status).toBe(403);
  const other = await addTenant(appliance, rig.dns, 'other.example');
  const id = await rig.send('bob', { sub_tenant_id: other, from: 'hello@other.example' });
  await rig.reached(id, 'delivered');
  await seen.metricIs('mailkeel_tenants_held', 'state="paused"', (tenants) => tenants === 1);

  await appliance.api('POST', `${path}/resume`);
  const late = await rig.send('late');
  const { status } = await rig.message(late);
  expect(status).not.toBe('failed');
  expect((await insightInto(appliance).explain(late)).summary).not.toBe('');
}, 90_000);
