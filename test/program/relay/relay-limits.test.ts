// Tests that the API's limits apply to the relay: an exhausted plan is answered with 452, so that the program's own queue keeps
// the mail; a throttle accepts the mail and delays it; a webhook reports it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { usageDays } from '../../../src/accounts/quota.rules.js';
import { startHttpReceiver } from '../../support/http-receiver.js';
import { lines } from '../../support/raw-mail.js';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { waitFor } from '../../support/wait.js';

const FREE_DAILY = 500;
let relay: SinkRig;
beforeAll(async () => {
  relay = await startMailRigWithSink({ process: 'shared' });
});
afterAll(() => relay.close());

it('an exhausted quota returns 452 for all recipients of a mail or none', async () => {
  const live = 1;
  await relay.appliance.query(`UPDATE organizations SET plan = 'free'`);
  await relay.appliance.query(
    `INSERT INTO usage (environment_id, day, type, sends) VALUES (?, ?, 'transactional', ?)`,
    live,
    usageDays(Date.now()).today,
    FREE_DAILY - 2,
  );
  const raw = lines('From: orders@shop.example', '', 'Hi');
  const to = ['a@receiver.example', 'b@receiver.example', 'c@receiver.example'];
  const many = await relay.submit({ to, raw });
  expect(many.reply).toMatch(/^452 4\.7\.1 /);
  const two = await relay.submit({ to: to.slice(0, 2), raw });
  expect(two.reply).toMatch(/^250 /);
  for (const id of two.ids) await relay.reached(id, 'delivered');
  const more = await relay.submit({ to: to.slice(2), raw });
  expect(more.reply).toMatch(/^452 4\.7\.1 /);
  // The sandbox is never counted.
  const tried = await relay.submit({ to: 'delivered@x.example', raw, key: relay.appliance.keys.test_key });
  expect(tried.reply).toMatch(/^250 /);
  expect(relay.sink.count()).toBe(2);
});

it('a throttle accepts the mail and delays the rest, and webhooks report what was sent', async () => {
  const receiver = await startHttpReceiver();
  await relay.appliance.query(`UPDATE organizations SET plan = 'unlimited'`);
  await relay.appliance.api('POST', '/v1/webhook-endpoints', {
    body: { url: receiver.url, events: ['message.delivered'] },
  });
  await relay.appliance.api('PATCH', `/v1/sub-tenants/${relay.tenantId}`, {
    body: { throttle_per_hour: 60 },
  });
  const raw = lines('From: orders@shop.example', 'X-Service-Tag: throttled', '', 'Hi');
  const to = ['one@receiver.example', 'two@receiver.example'];
  const { reply, ids } = await relay.submit({ to, raw });
  expect(reply).toMatch(/^250 /);
  const statuses = await waitFor(
    'one to be delivered',
    () => Promise.all(ids.map(async (id) => (await relay.message(id))['status'])),
    (found) => found.includes('delivered'),
  );
  expect(statuses).toContain('queued');
  const delivered = ids[statuses.indexOf('delivered')];
  const heard = (): (string | undefined)[] =>
    receiver.requests.map(
      ({ rawBody }) => (JSON.parse(rawBody.toString()) as { data: { id: string } }).data.id,
    );
  await waitFor('the webhook', heard, (found) => found.includes(delivered));
  await receiver.close();
});
