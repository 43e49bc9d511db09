// Tests RFC 8058 using only the received mail: one POST, and queued copies of campaigns are not sent. The mailto of the field has
// the same effect.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { events, startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { fieldOf } from '../../support/raw-mail.js';
import { waitFor } from '../../support/wait.js';

const later = new Set<string>();
let rig: SinkRig;
beforeAll(async () => {
  rig = await startMailRigWithSink({
    campaigns: true,
    process: 'shared',
    sink: { onRcpt: (address) => (later.has(address) ? '451 4.7.1 Try again later' : null) },
  });
});
afterAll(() => rig.close());

it('stops queued copies and the next campaign', async () => {
  const list = await rig.addList();
  for (const name of ['ann', 'bea', 'carl']) await rig.join(list, name);
  const first = await rig.sendCampaign(list);
  const ann = await rig.receivedCopy('ann', first);
  const bea = await rig.receivedCopy('bea', first);
  await rig.receivedCopy('carl', first);
  expect(fieldOf(ann.mail.raw, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
  expect(ann.oneClick).toContain('/u/');
  // Footer and field lead to the same person, even if one of them is forwarded.
  expect(ann.html).toContain(ann.oneClick);
  expect(ann.html).not.toContain(bea.oneClick);

  const all = ['ann', 'bea', 'carl'].map((name) => `${name}@receiver.example`);
  for (const address of all) later.add(address);
  const second = await rig.sendCampaign(list);
  const waiting = await waitFor(
    'three copies',
    () => messagesOf(second),
    (found) => found.length === 3,
  );
  for (const { id } of waiting) await rig.logged(id, 'deferred');

  // No cookies, no credentials, no referrer (section 3.2), and both encodings that the RFC allows.
  const done = await rig.fetched(ann.oneClick, {
    form: { 'List-Unsubscribe': 'One-Click' },
    userAgent: 'Receiver-One-Click/1.0',
  });
  expect(done.status).toBe(200);
  expect(done.headers['set-cookie']).toBeUndefined();
  const leave = `From: <x@receiver.example>\r\nTo: <${bea.mailto}>\r\nSubject: unsubscribe\r\n\r\n`;
  expect(await rig.comesBack(leave, bea.mailto, 'x@receiver.example')).toMatchObject({
    outcome: 'unsubscribe',
  });
  later.clear();

  for (const { id, to } of waiting) {
    await rig.reached(id, to.startsWith('carl') ? 'delivered' : 'suppressed');
  }
  expect(events(await rig.trail(ann.id)).at(-1)).toBe('unsubscribed');
  expect((await rig.trail(ann.id)).at(-1)).toMatchObject({
    ip: '127.0.0.1',
    user_agent: 'Receiver-One-Click/1.0',
  });
  const third = await rig.sendCampaign(list);
  await rig.receivedCopy('carl', third);
  const sent = (await messagesOf(third)).filter(({ status }) => status !== 'suppressed');
  expect(sent.map(({ to }) => to)).toEqual(['carl@receiver.example']);
  expect(rig.sink.messages.flatMap(({ rcptTo }) => rcptTo).sort()).toEqual([
    ...all.slice(0, 2),
    ...Array.from({ length: 3 }, () => all[2]),
  ]);
});

it('counts for its campaign', async () => {
  const list = await rig.addList();
  await rig.join(list, 'dora');
  const campaign = await rig.sendCampaign(list);
  const { oneClick } = await rig.receivedCopy('dora', campaign);
  const headers = { 'content-type': 'multipart/form-data; boundary=b' };
  const part = '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
  const answer = await fetch(`${rig.appliance.url}${new URL(oneClick).pathname}`, {
    method: 'POST',
    headers,
    body: part,
  });
  expect(answer.status).toBe(200);
  await waitFor(
    'the unsubscribing to be counted',
    async () => (await rig.appliance.api('GET', `/v1/campaigns/${campaign}/analytics`)).json as Counted,
    ({ totals }) => totals.unsubscribed === 1,
  );
});

interface Counted {
  totals: { unsubscribed: number };
}

async function messagesOf(campaign: string): Promise<{ id: string; to: string; status: string }[]> {
  const { json } = await rig.appliance.api('GET', `/v1/messages?campaign_id=${campaign}&limit=100`);
  return (json as { data: { id: string; to: string; status: string }[] }).data;
}
