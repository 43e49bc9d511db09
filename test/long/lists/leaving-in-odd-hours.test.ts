// Tests unusual unsubscribes: many clicks at the same time, and links whose contact, list, campaign or person was deleted.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { events, startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import type { ReceivedCopy } from '../../support/newsletters.js';

const ONE_CLICK = { 'List-Unsubscribe': 'One-Click' };

let rig: SinkRig;
beforeAll(async () => {
  rig = await startMailRigWithSink({ campaigns: true, process: 'shared' });
});
afterAll(() => rig.close());

async function copyFor(name: string): Promise<ReceivedCopy & { list: string; campaign: string }> {
  const list = await rig.addList();
  await rig.join(list, name);
  const campaign = await rig.sendCampaign(list);
  return { ...(await rig.receivedCopy(name, campaign)), list, campaign };
}

const times = <T>(count: number, act: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, act));

it('simultaneous clicks unsubscribe once', async () => {
  const all = await copyFor('ann');
  const answers = await times(60, () => rig.fetched(all.oneClick, { form: ONE_CLICK }));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(events(await rig.trail(all.id)).filter((event) => event === 'unsubscribed')).toHaveLength(1);

  const one = await copyFor('bea');
  await times(60, () => rig.fetched(one.oneClick, { form: { leave: 'list' } }));
  expect(events(await rig.trail(one.id)).filter((event) => event === 'unsubscribed')).toHaveLength(1);

  const none = await copyFor('carl');
  const preferences = none.oneClick.replace('/u/', '/preferences/');
  await times(60, () => rig.fetched(preferences, { form: { save: 'none' } }));
  expect(events(await rig.trail(none.id)).filter((event) => event === 'unsubscribed')).toHaveLength(1);
});

it.each(['contact', 'list', 'campaign'])('works after the %s was deleted', async (what) => {
  const name = `dora-${what}`;
  const copy = await copyFor(name);
  const paths: Record<string, string> = {
    contact: `/v1/contacts/${name}@receiver.example?sub_tenant_id=${rig.tenantId}`,
    list: `/v1/lists/${copy.list}`,
    campaign: `/v1/campaigns/${copy.campaign}`,
  };
  await rig.appliance.api('DELETE', paths[what] ?? '');
  expect((await rig.fetched(copy.oneClick)).status).toBe(200);
  expect((await rig.fetched(copy.oneClick.replace('/u/', '/preferences/'))).status).toBe(200);
  expect((await rig.fetched(copy.oneClick, { form: ONE_CLICK })).status).toBe(200);
  expect(await rig.suppression(`${name}@receiver.example`)).toMatchObject({ reason: 'unsubscribe' });
});

it('stores nothing new about an erased person', async () => {
  const copy = await copyFor('fritz');
  const erased = await rig.appliance.api('POST', '/v1/contacts/fritz@receiver.example/erase');
  expect(erased.status).toBe(200);
  const before = await rig.trail(copy.id);
  const preferences = copy.oneClick.replace('/u/', '/preferences/');
  for (const url of [copy.oneClick, preferences]) {
    for (const form of [undefined, ONE_CLICK, { leave: 'list' }, { save: 'none' }]) {
      const answer = await rig.fetched(url, form === undefined ? {} : { form });
      // 400: not a form of that page.
      expect([400, 404]).toContain(answer.status);
    }
  }
  const leave = `From: <fritz@receiver.example>\r\nTo: <${copy.mailto}>\r\nSubject: unsubscribe\r\n\r\n`;
  expect(await rig.comesBack(leave, copy.mailto, 'fritz@receiver.example')).not.toMatchObject({
    outcome: 'unsubscribe',
  });
  expect(await rig.trail(copy.id)).toEqual(before);
  const { json } = await rig.appliance.api('GET', `/v1/suppressions?limit=100&sub_tenant_id=${rig.tenantId}`);
  expect(JSON.stringify(json)).not.toContain('erased');
});

it('works after the sub-tenant was deleted', async () => {
  const copy = await copyFor('emil');
  expect((await rig.appliance.api('DELETE', `/v1/sub-tenants/${rig.tenantId}`)).status).toBeLessThan(300);
  expect((await rig.fetched(copy.oneClick)).status).toBe(200);
  expect((await rig.fetched(copy.oneClick, { form: ONE_CLICK })).status).toBe(200);
  expect(events(await rig.trail(copy.id)).at(-1)).toBe('unsubscribed');
});
