// Tests the last sends of a plan, used and given back by many simultaneous requests, with kills in between: the plan is never
// exceeded, no send is given back twice, and /v1/usage agrees with a count of the messages.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { usageDays } from '../../../src/accounts/quota.rules.js';
import type { Answer } from '../../support/appliance.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';

const FREE_DAILY = 500;
const ROOM = 10;
const LIVE = 1;

let rig: MailRig;

beforeAll(async () => {
  rig = await startMailRig();
});
afterAll(() => rig.close());

/** Returns the expected counter of the day: its initial value, and each message that was attempted or may be. */
async function counted(): Promise<number> {
  const [row] = await rig.appliance.query(
    `SELECT COUNT(*) AS n FROM messages WHERE environment_id = ? AND status NOT IN ('canceled', 'suppressed', 'failed')`,
    LIVE,
  );
  return Number(row?.['n']);
}

const send = (i: number): Promise<Answer> =>
  rig.appliance.api('POST', '/v1/messages', {
    body: {
      to: `p${i}@receiver.example`,
      from: 'news@shop.example',
      sub_tenant_id: rig.tenantId,
      subject: 'Hello',
      text: 'Hello',
      send_at: new Date(Date.now() + 3_600_000).toISOString(),
    },
  });

async function used(): Promise<number> {
  const { json } = await rig.appliance.api('GET', '/v1/usage');
  return json.day.used as number;
}

it('is used up exactly and returned once', async () => {
  await rig.appliance.query(`UPDATE organizations SET plan = 'free'`);
  await rig.appliance.query(
    `INSERT INTO usage (environment_id, day, type, sends) VALUES (?, ?, 'transactional', ?)
     ON CONFLICT (environment_id, day, type) DO UPDATE SET sends = excluded.sends`,
    ...[LIVE, usageDays(Date.now()).today, FREE_DAILY - ROOM],
  );
  const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => send(i)));
  const accepted = answers.filter(({ status }) => status < 300);
  const refused = answers.filter(({ status }) => status >= 300);
  expect([accepted.length, refused.length]).toEqual([ROOM, 100 - ROOM]);
  for (const { status, json } of refused) {
    expect([status, json.error.code, json.error.details.used]).toEqual([402, 'quota_exceeded', FREE_DAILY]);
  }
  expect([await used(), await counted()]).toEqual([FREE_DAILY, ROOM]);

  const ids = accepted.map(({ json }) => json.id as string);
  const cancel = (id: string) => rig.appliance.api('POST', `/v1/messages/${id}/cancel`).catch(() => null);
  const first = Promise.all(ids.slice(0, 4).flatMap((id) => [cancel(id), cancel(id)]));
  await Promise.race(ids.slice(0, 4).map(cancel));
  await rig.appliance.end('SIGKILL');
  await first;
  await rig.appliance.startHere();
  expect(await used()).toBe(FREE_DAILY - ROOM + (await counted()));
  for (const id of ids.slice(0, 4)) await cancel(id);
  for (const id of ids.slice(0, 4)) await cancel(id);
  expect([await used(), await counted()]).toEqual([FREE_DAILY - 4, ROOM - 4]);

  const again = await Promise.all(Array.from({ length: 20 }, (_, i) => send(100 + i)));
  expect(again.filter(({ status }) => status < 300)).toHaveLength(4);
  expect(await used()).toBe(FREE_DAILY);
});
