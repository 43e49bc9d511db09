// Tests a person who finds the page of a list, signs up, confirms by the mail that arrives, and gets the list's mail. Abuse of
// the page has no effect.
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { fieldOf } from '../../support/raw-mail.js';
import { waitFor } from '../../support/wait.js';

const NAME = 'News <script>alert(1)</script> & "more"';
const DESCRIPTION = '</p><img src=x onerror=alert(2)>';

interface Passed {
  stats: { skipped: number };
}

let rig: SinkRig;
let list: string;
let page: string;
beforeAll(async () => {
  rig = await startMailRigWithSink({
    campaigns: true,
    process: 'shared',
    env: { MAILKEEL_SIGN_UP_RATE: '30/min' },
  });
  list = await rig.addList({ name: NAME, description: DESCRIPTION, double_opt_in: true });
  page = await pageOf(list);
});
afterAll(() => rig.close());

async function pageOf(listId: string): Promise<string> {
  const { json } = await rig.appliance.api('GET', `/v1/lists/${listId}`);
  return (json as { sign_up_url: string }).sign_up_url;
}

const signUp = (name: string, more: Record<string, string> = {}, url = page) =>
  rig.fetched(url, { form: { email: `${name}@receiver.example`, ...more } });

async function confirmationLink(name: string): Promise<string> {
  const text = await waitFor(
    `the confirmation mail of ${name}`,
    async () => (await simpleParser((await rig.arrived(name)).raw)).text ?? '',
    (found) => found.includes('/s/confirm/'),
  );
  return /http\S+\/s\/confirm\/\S+/.exec(text)?.[0] ?? '';
}

async function stateOf(name: string, listId = list): Promise<string | null> {
  for (const state of ['pending', 'subscribed']) {
    const query = `q=${name}@receiver.example&list_state=${state}`;
    const { json } = await rig.appliance.api('GET', `/v1/lists/${listId}/contacts?${query}`);
    const [member] = (json as { data: { list_state: string }[] }).data;
    if (member) return member.list_state;
  }
  return null;
}

it('leads from the page to the first mail', async () => {
  expect((await signUp('ann', { name: 'Ann Smith' })).text).toContain('Thank you');
  expect(await stateOf('ann')).toBe('pending');
  const link = await confirmationLink('ann');
  for (const method of ['HEAD', 'GET']) expect((await rig.fetched(link, { method })).status).toBe(200);
  expect(await stateOf('ann')).toBe('pending');
  expect((await rig.fetched(link, { form: {} })).text).toContain('Subscription confirmed');
  expect(await stateOf('ann')).toBe('subscribed');
  // Pressing the button again, and opening the link later, has the same result.
  expect((await rig.fetched(link, { form: {} })).status).toBe(200);
  expect((await rig.fetched(link)).text).toContain('Subscription confirmed');
  const { html } = await rig.receivedCopy('ann', await rig.sendCampaign(list));
  expect(html).toContain('Hi Ann');
});

it('the mail contains nothing from the stranger, no tracking, and a one-line subject', async () => {
  await signUp('bea', { name: 'Win\r\nBcc: x@y.example <a href="http://evil.example">now</a>' });
  const mail = await rig.arrived('bea');
  expect(mail.rcptTo).toEqual(['bea@receiver.example']);
  const { subject, text, html } = await simpleParser(mail.raw);
  expect(subject).toBe(`Confirm your subscription: ${NAME}`);
  for (const part of [text, html]) expect(part).not.toMatch(/evil\.example|Win\b|\/c\//);
  expect(fieldOf(mail.raw, 'Bcc')).toBeNull();
  expect(fieldOf(mail.raw, 'Auto-Submitted')).toBe('auto-generated');
});

it('no input and no list text becomes markup', async () => {
  const asked = await rig.fetched(page);
  const refused = await signUp('', { email: '"><script>alert(3)</script>', name: '"><b onmouseover=x>' });
  expect(refused.status).toBe(422);
  await signUp('carl');
  const confirm = await rig.fetched(await confirmationLink('carl'));
  const done = await rig.fetched(await confirmationLink('carl'), { form: {} });
  for (const { text, headers } of [asked, refused, confirm, done]) {
    expect(text).not.toMatch(/<script|<img|<b /);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['cache-control']).toBe('no-store');
  }
  expect(asked.text).toContain('News &lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;');
  expect(refused.text).toContain('value="&quot;&gt;&lt;script&gt;');
});

it('a program that fills in every field is thanked without effect', async () => {
  expect((await signUp('dora', { website: 'http://x.example' })).text).toContain('Thank you');
  expect(await stateOf('dora')).toBeNull();
});

it('there is no page for a segment, a deleted list or an invalid link', async () => {
  const filter = { all: [{ field: 'tag', op: 'has', value: 'vip' }] };
  const segment = await rig.made('/v1/lists', { name: 'VIPs', filter, sub_tenant_id: rig.tenantId });
  expect(segment['sign_up_url']).toBeNull();
  const gone = await rig.addList({ name: 'Gone' });
  const link = await pageOf(gone);
  await rig.appliance.api('DELETE', `/v1/lists/${gone}`);
  const forged = page.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  for (const url of [link, forged, '/s/x', `/s/${'a'.repeat(400)}`]) {
    expect((await rig.fetched(url)).status).toBe(404);
    expect((await signUp('emil', {}, url)).status).toBe(404);
  }
  // Longer than any part of a path may be.
  expect((await rig.fetched(`/s/${'a'.repeat(4000)}`)).status).toBe(400);
});

it('contacts who left a list or all mail return by confirming', async () => {
  const open = await rig.addList({ name: 'Open' });
  const openPage = await pageOf(open);
  await rig.join(open, 'fritz');
  const { oneClick } = await rig.receivedCopy('fritz', await rig.sendCampaign(open));
  expect((await rig.fetched(oneClick, { form: { leave: 'list' } })).text).toContain(
    'You have unsubscribed from',
  );
  expect(await stateOf('fritz', open)).toBeNull();
  const before = rig.sink.messages.length;
  await signUp('fritz', {}, openPage);
  expect(await stateOf('fritz', open)).toBe('pending');
  await rig.fetched(await confirmationLink('fritz'), { form: {} });
  expect(await stateOf('fritz', open)).toBe('subscribed');
  expect(rig.sink.messages).toHaveLength(before + 1);

  await rig.fetched(oneClick, { form: { 'List-Unsubscribe': 'One-Click' } });
  expect(await rig.suppression('fritz@receiver.example')).toMatchObject({ reason: 'unsubscribe' });
  const thanked = await signUp('fritz', {}, await pageOf(list));
  expect(thanked.text).toContain('Thank you');
  await waitFor(
    'the second confirmation mail',
    () => Promise.resolve(rig.sink.messages.length),
    (count) => count === before + 2,
  );
  expect(await stateOf('fritz')).toBe('pending');
  expect(await rig.suppression('fritz@receiver.example')).toMatchObject({ suppressed: true });
  await rig.fetched(await confirmationLink('fritz'), { form: {} });
  expect(await stateOf('fritz')).toBe('subscribed');
  expect(await rig.suppression('fritz@receiver.example')).toMatchObject({ suppressed: false });
});

it('contacts can leave everything on the preference page, return, and get the next mail', async () => {
  const open = await rig.addList({ name: 'Weekly' });
  await rig.join(open, 'gina');
  const { oneClick } = await rig.receivedCopy('gina', await rig.sendCampaign(open));
  const preferences = oneClick.replace('/u/', '/preferences/');
  expect((await rig.fetched(preferences)).text).toContain('Weekly');
  expect((await rig.fetched(preferences, { form: { save: 'none' } })).text).toContain(
    'You have unsubscribed',
  );
  const skipped = await rig.sendCampaign(open);
  await waitFor(
    'the campaign to pass over her',
    async () => (await rig.appliance.api('GET', `/v1/campaigns/${skipped}`)).json as Passed,
    ({ stats }) => stats.skipped === 1,
  );
  const again = await rig.fetched(preferences, { form: { save: 'again' } });
  expect(again.text).not.toContain('You have unsubscribed');
  expect(await rig.suppression('gina@receiver.example')).toMatchObject({ suppressed: false });
  const next = await rig.receivedCopy('gina', await rig.sendCampaign(open, { subject: 'Welcome back' }));
  expect(fieldOf(next.mail.raw, 'Subject')).toBe('Welcome back');
  const { json } = await rig.appliance.api('GET', `/v1/messages?campaign_id=${skipped}`);
  expect((json as { data: unknown[] }).data).toMatchObject([{ status: 'suppressed' }]);
});

it('limits the sign-ups of a client address per minute, whatever headers it sends', async () => {
  const statuses: number[] = [];
  for (let i = 0; i < 40 && statuses.at(-1) !== 429; i++) {
    const headers = { 'x-forwarded-for': `192.0.2.${i}`, forwarded: `for=192.0.2.${i}` };
    const answer = await rig.fetched(page, {
      form: { email: `many${i}@receiver.example`, website: 'x' },
      headers,
    });
    statuses.push(answer.status);
    if (answer.status === 429) {
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(answer.text).toContain('Too many requests');
    }
  }
  expect(statuses.at(-1)).toBe(429);
  // Looking and leaving are not limited by it.
  expect((await rig.fetched(page)).status).toBe(200);
});
