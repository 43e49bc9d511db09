// Tests leaving one list and the preference page. A crawler that follows every link changes nothing.
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SAMPLE_TOKEN, unsubscribeToken } from '../../src/contacts/unsubscribe.rules.js';
import { startAudienceRig, type AudienceRig } from '../support/audience-rig.js';
import { TOKEN_KEY } from '../support/message-rig.js';

let rig: AudienceRig;
let shared: AudienceRig;
beforeAll(async () => {
  shared = await startAudienceRig();
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startAudienceRig({ beside: shared });
});
afterEach(() => rig.close());

const ADDRESS = 'ann@example.com';

async function member(fields: Record<string, unknown> = {}): Promise<string> {
  const id = await rig.addList(fields);
  await rig.ask('POST', `/v1/lists/${id}/contacts`, { body: { email: ADDRESS } });
  return id;
}

const isOn = async (listId: string): Promise<boolean> =>
  ((await rig.ask('GET', `/v1/lists/${listId}/contacts`)).json.data as unknown[]).length > 0;

const page = (messageId: string, kind = 'preferences'): string =>
  `/${kind}/${unsubscribeToken(messageId, TOKEN_KEY)}`;

const post = (url: string, form: Record<string, string> | [string, string][]) =>
  rig.ask('POST', url, { key: '', form: new URLSearchParams(form) });

async function left(messageId: string): Promise<{ metadata: object; ip?: string }[]> {
  const { json } = await rig.ask('GET', `/v1/messages/${messageId}/audit`);
  return json.trail.filter(({ event }: { event: string }) => event === 'unsubscribed');
}

describe('leaving the list of a campaign', () => {
  it('is offered next to unsubscribing from everything, and does not affect other lists', async () => {
    const id = await member();
    const other = await member({ name: 'Offers' });
    const message = await rig.campaignMessage(id, ADDRESS);
    const shown = await rig.ask('GET', page(message.id, 'u'), { key: '' });
    expect(shown.text).toContain('Unsubscribe from “News” only');
    for (let i = 0; i < 2; i++) {
      expect((await post(page(message.id, 'u'), { leave: 'list' })).text).toContain(
        'You have unsubscribed from “News”',
      );
    }
    expect([await isOn(id), await isOn(other)]).toEqual([false, true]);
    expect((await rig.ask('GET', '/v1/suppressions')).json.data).toEqual([]);
    expect(await left(message.id)).toMatchObject([{ metadata: { list_id: id }, ip: '127.0.0.1' }]);
    // A person who left one list can still unsubscribe from everything.
    await rig.suppress('live', ADDRESS, 'bounce');
    expect((await post(page(message.id, 'u'), { 'List-Unsubscribe': 'One-Click' })).status).toBe(200);
    expect((await rig.ask('GET', '/v1/suppressions')).json.data).toMatchObject([{ reason: 'unsubscribe' }]);
  });

  it('works for a segment, whose campaigns skip the contact', async () => {
    await rig.addContact(ADDRESS);
    const id = await rig.addList({ filter: { all: [{ field: 'email', op: 'eq', value: ADDRESS }] } });
    const message = await rig.campaignMessage(id, ADDRESS);
    await post(page(message.id, 'u'), { leave: 'list' });
    expect(await isOn(id)).toBe(false);
    await post(page(message.id), [
      ['save', 'lists'],
      ['shown', id],
      ['list', id],
    ]);
    expect(await isOn(id)).toBe(true);
  });

  it('is not offered for other mail', async () => {
    const { json } = await rig.send({}, {}, rig.keys.live);
    expect((await rig.ask('GET', page(json.id, 'u'), { key: '' })).text).not.toContain('” only');
    expect((await post(page(json.id, 'u'), { leave: 'list' })).status).toBe(404);
    expect((await post(page(json.id, 'u'), { leave: 'some' })).status).toBe(400);
  });

  it('has a sample for previews', async () => {
    expect((await rig.ask('GET', `/u/${SAMPLE_TOKEN}`, { key: '' })).text).toContain('a preview link');
    expect((await post(`/u/${SAMPLE_TOKEN}`, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200);
  });
});

describe('the preference page', () => {
  it('shows only the lists that the contact is on or has left', async () => {
    const on = await member({ name: 'On', description: 'Each <day>' });
    await rig.addList({ name: 'Foreign' });
    const gone = await member({ name: 'Left' });
    const { id } = await rig.campaignMessage(gone, ADDRESS);
    await rig.leave(id);
    const { text } = await rig.ask('GET', page(id), { key: '' });
    expect(text).toContain(`value="${on}" checked`);
    expect(text).toContain('Each &lt;day&gt;');
    expect(text).toMatch(new RegExp(`name="list" value="${gone}" />`));
    expect(text).not.toContain('Foreign');
    expect(text).toContain('an…@example.com');
    expect(text).not.toContain('<script');
  });

  it('saves lists that are left or joined, and does not change lists that it did not show', async () => {
    const a = await member({ name: 'A' });
    const b = await member({ name: 'B' });
    const c = await member({ name: 'C' });
    const { id } = await rig.campaignMessage(b, ADDRESS);
    await rig.leave(id);
    const saved = await post(page(id), [
      ['save', 'lists'],
      ['shown', a],
      ['shown', b],
      ['list', b],
    ]);
    expect(saved.text).toContain('Saved.');
    expect([await isOn(a), await isOn(b), await isOn(c)]).toEqual([false, true, true]);
    expect(await left(id)).toMatchObject([{ metadata: { list_id: b } }, { metadata: { list_id: a } }]);
  });

  it('does not join lists that it did not show', async () => {
    const foreign = await rig.addList({ name: 'Foreign' });
    const { id } = await rig.campaignMessage(await member(), ADDRESS);
    await post(page(id), [
      ['save', 'lists'],
      ['shown', foreign],
      ['list', foreign],
    ]);
    expect(await isOn(foreign)).toBe(false);
  });

  it('stops all mail, and lets contacts who did that resubscribe', async () => {
    const { id } = await rig.campaignMessage(await member(), ADDRESS);
    expect((await post(page(id), { save: 'none' })).text).toContain('Subscribe again');
    expect((await rig.ask('GET', `/v1/contacts/${ADDRESS}`)).json.status).toBe('unsubscribed');
    expect((await post(page(id), { save: 'again' })).text).toContain('Unsubscribe from all emails');
    expect((await rig.ask('GET', '/v1/suppressions')).json.data).toEqual([]);
    expect((await rig.ask('GET', `/v1/contacts/${ADDRESS}`)).json.status).toBe('active');
  });

  it('never lifts other suppressions', async () => {
    const { id } = await rig.campaignMessage(await member(), ADDRESS);
    await rig.suppress('live', ADDRESS, 'bounce');
    expect((await rig.ask('GET', page(id), { key: '' })).text).not.toContain('Subscribe again');
    await post(page(id), { save: 'again' });
    expect((await rig.ask('GET', '/v1/suppressions')).json.data).toHaveLength(1);
  });

  it.each([{}, { save: 'x' }])('refuses the form %j', async (form) => {
    const { id } = await rig.campaignMessage(await member(), ADDRESS);
    expect((await post(page(id), form as Record<string, string>)).status).toBe(400);
    expect((await post('/preferences/nonsense', { save: 'none' })).status).toBe(404);
  });
});

it('a crawler that follows every link two levels deep changes nothing', async () => {
  const list = await member({ double_opt_in: true });
  await rig.ask('POST', '/v1/subscribe', { body: { list_id: list, email: 'new@example.com' } });
  const { id } = await rig.campaignMessage(list, ADDRESS);
  const confirmation = await rig.raw("SELECT text FROM contents WHERE text LIKE '%/s/confirm/%'");
  const started = [
    page(id, 'u'),
    ...linksOf(rig.opened(String(confirmation[0]?.['text']), 'new@example.com')),
    new URL(String((await rig.ask('GET', `/v1/lists/${list}`)).json.sign_up_url)).pathname,
  ];
  const before = await contents();
  const visited = new Set<string>();
  let level = started;
  for (let depth = 0; depth < 3; depth++) {
    const next: string[] = [];
    for (const url of level) {
      if (visited.has(url)) continue;
      visited.add(url);
      await rig.ask('HEAD', url, { key: '' });
      const answer = await rig.ask('GET', url, { key: '' });
      expect(answer.status).toBe(200);
      next.push(...linksOf(answer.text));
    }
    level = next;
  }
  expect([...visited].some((url) => url.startsWith('/preferences/'))).toBe(true);
  expect(visited.size).toBeGreaterThanOrEqual(4);
  expect(await contents()).toEqual(before);
});

function linksOf(text: string): string[] {
  const urls = [...text.matchAll(/(?:href="([^"]+)"|(https:\/\/mail\.example\.test\S+))/g)];
  return urls
    .map((match) => new URL(match[1] ?? match[2] ?? '', 'https://mail.example.test'))
    .filter((url) => url.hostname === 'mail.example.test' && !url.pathname.endsWith('.css'))
    .map((url) => url.pathname);
}

/** A digest of every row of every table. */
async function contents(): Promise<Record<string, string>> {
  const tables = await rig.raw(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%_search%'",
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables as { name: string }[]) {
    const rows = await rig.raw(`SELECT * FROM "${name}"`);
    digests[name] = createHash('sha256').update(JSON.stringify(rows)).digest('hex');
  }
  expect(Object.keys(digests).length).toBeGreaterThan(30);
  return digests;
}
