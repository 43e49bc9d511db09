// Tests sign-ups that promise mail: either the promised mail arrives, or the response is a refusal.
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { waitFor } from '../../support/wait.js';

let rig: SinkRig;
let tries = 0;
beforeAll(async () => {
  rig = await startMailRigWithSink({
    campaigns: true,
    process: 'shared',
    env: { MAILKEEL_SIGN_UP_RATE: '100/min' },
  });
});
beforeEach(() => {
  tries += 1;
});
afterAll(() => rig.close());

async function api(method: string, path: string, body?: object) {
  const { status, json } = await rig.appliance.api(method, path, {
    headers: { 'x-sub-tenant-id': rig.tenantId },
    ...(body === undefined ? {} : { body }),
  });
  return { status, json: json as Record<string, unknown> };
}

async function confirm(name: string): Promise<void> {
  const text = await waitFor(
    `the confirmation mail of ${name}`,
    async () => (await simpleParser((await rig.arrived(name)).raw)).text ?? '',
    (found) => found.includes('/s/confirm/'),
  );
  const link = /http\S+\/s\/confirm\/\S+/.exec(text)?.[0] ?? '';
  expect((await rig.fetched(link, { form: {} })).status).toBe(200);
}

const REASONS = [null, 'unsubscribe', 'bounce', 'complaint', 'manual'] as const;

describe.each([true, false])('with double_opt_in %s', (doubleOptIn) => {
  it.each(REASONS)('a sign-up of an address suppressed for %s gets mail or a refusal', async (reason) => {
    const name = `${reason ?? 'free'}-${doubleOptIn ? 'double' : 'single'}-${tries}`;
    const email = `${name}@receiver.example`;
    const list = await rig.addList({ double_opt_in: doubleOptIn });
    await rig.join(list, name);
    if (reason !== null) await api('POST', '/v1/suppressions', { email, reason });
    const answer = await api('POST', '/v1/subscribe', { list_id: list, email });
    if (reason !== null && reason !== 'unsubscribe') {
      expect([answer.status, answer.json]).toMatchObject([409, { error: { code: 'recipient_suppressed' } }]);
      return;
    }
    expect([answer.status, answer.json['status']]).toEqual([200, reason === null ? 'subscribed' : 'pending']);
    if (reason !== null) await confirm(name);
    const { json: check } = await api('GET', `/v1/suppressions/check?email=${email}`);
    expect(check).toMatchObject({ suppressed: false });
    const { html } = await rig.receivedCopy(name, await rig.sendCampaign(list));
    expect(html).toContain('Hi ');
  });
});

it('a one-click opt-out blocks the next campaign until a sign-up on the hosted page is confirmed', async () => {
  const name = `back-${tries}`;
  const list = await rig.addList();
  await rig.join(list, name);
  const { oneClick } = await rig.receivedCopy(name, await rig.sendCampaign(list));
  const form = { 'List-Unsubscribe': 'One-Click' };
  expect((await rig.fetched(oneClick, { form })).status).toBe(200);
  const { json } = await api('GET', `/v1/lists/${list}`);
  const email = `${name}@receiver.example`;
  const page = await rig.fetched(String(json['sign_up_url']), { form: { email } });
  expect(page.text).toContain('Thank you');
  await confirm(name);
  const { oneClick: again } = await rig.receivedCopy(name, await rig.sendCampaign(list));
  expect(again).not.toBe(oneClick);
  const activity = (await api('GET', `/v1/contacts/${email}/activity`)).json['data'];
  expect(JSON.stringify(activity)).toContain('"confirmed":true');
});
