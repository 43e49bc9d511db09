// A plan that is used up: the relay says 452, so that the program's own queue keeps the mail.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { usageDays } from '../../src/rules/quota.js';
import { lines, startRelayRig, type Relay } from '../support/relay-rig.js';

const FREE_DAILY = 500;
let relay: Relay;
beforeAll(async () => {
  relay = await startRelayRig();
});
afterAll(() => relay.close());

it('is told with 452, for all recipients of a mail or none', async () => {
  const live = 1;
  relay.change(`UPDATE organizations SET plan = 'free'`);
  relay.change(
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
