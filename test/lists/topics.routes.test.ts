// Tests a list as the topic of a single message, with consent for each purpose.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { unsubscribeToken } from '../../src/contacts/unsubscribe.rules.js';
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

const ANN = 'ann@example.com';
const ONE_CLICK = { 'List-Unsubscribe': 'One-Click' };

const page = (messageId: string, kind = 'u'): string => `/${kind}/${unsubscribeToken(messageId, TOKEN_KEY)}`;
const post = (url: string, form: Record<string, string> | [string, string][]) =>
  rig.ask('POST', url, { key: '', form: new URLSearchParams(form) });
const show = async (url: string): Promise<string> => (await rig.ask('GET', url, { key: '' })).text;

const send = (fields: Record<string, unknown>) => rig.send({ to: ANN, ...fields }, {}, rig.keys.live);

async function trailOf(id: string) {
  const { json } = await rig.ask('GET', `/v1/messages/${id}/audit`);
  return json as unknown as {
    status: string;
    trail: { event: string; metadata: Record<string, unknown>; explanation?: string }[];
  };
}

const suppressedAmong = async (): Promise<unknown[]> => (await rig.ask('GET', '/v1/suppressions')).json.data;

it('is part of the message, and `null` without one', async () => {
  const topic = await rig.addList({ name: 'Price drops' });
  expect((await send({ topic })).json).toMatchObject({ status: 'queued', topic_id: topic });
  expect((await send({})).json).toMatchObject({ topic_id: null });
});

describe('one click', () => {
  it('leaves only the list, and ends its mail with an explanation', async () => {
    const topic = await rig.addList({ name: 'Price drops' });
    const other = await rig.addList({ name: 'Comments' });
    const first = (await send({ topic })).json;
    for (let i = 0; i < 2; i++) {
      expect((await post(page(first.id), ONE_CLICK)).text).toContain(
        'You have unsubscribed from “Price drops”',
      );
    }
    expect((await trailOf(first.id)).trail.filter(({ event }) => event === 'unsubscribed')).toMatchObject([
      { metadata: { list_id: topic } },
    ]);
    expect(await suppressedAmong()).toEqual([]);

    const next = (await send({ topic, cc: 'bob@example.com' })).json;
    const { status, trail } = await trailOf(next.id);
    expect([status, trail.map(({ event }) => event)]).toEqual(['suppressed', ['queued', 'suppressed']]);
    expect(trail[1]).toMatchObject({
      metadata: { reason: 'left_list', list_id: topic, list: 'Price drops' },
      explanation:
        'The recipient unsubscribed from the list "Price drops". This blocks mail from that list only.',
    });
    const copy = (next.recipients as { id: string }[])[0]?.id ?? '';
    expect((await trailOf(copy)).status).toBe('queued');
    for (const fields of [{}, { topic: other }]) {
      expect((await trailOf((await send(fields)).json.id)).status).toBe('queued');
    }
  });

  it('unsubscribes from all mail after the list was deleted', async () => {
    const topic = await rig.addList({ name: 'Price drops' });
    const { id } = (await send({ topic })).json;
    await rig.ask('DELETE', `/v1/lists/${topic}`);
    expect((await post(page(id), ONE_CLICK)).text).toContain('no longer receive emails from this sender');
    expect(await suppressedAmong()).toHaveLength(1);
  });
});

it('shows both choices on the page, and leaving everything is a suppression', async () => {
  const topic = await rig.addList({ name: 'Price drops' });
  const { id } = (await send({ topic })).json;
  const shown = await show(page(id));
  expect(shown).toContain('Unsubscribe from “Price drops” only');
  expect(shown).toContain('Unsubscribe from everything');
  expect((await post(page(id), { leave: 'all' })).text).toContain(
    'no longer receive emails from this sender',
  );
  expect(await suppressedAmong()).toHaveLength(1);
});

it.each([true, false])('can be left and joined on the preference page; a contact: %s', async (isContact) => {
  const topic = await rig.addList({ name: 'Price drops' });
  if (isContact) await rig.addContact(ANN);
  const { id } = (await send({ topic })).json;
  const preferences = page(id, 'preferences');
  expect(await show(preferences)).toContain(`value="${topic}" checked`);
  await post(preferences, { save: 'lists', shown: topic });
  expect((await trailOf((await send({ topic })).json.id)).status).toBe('suppressed');
  expect(await show(preferences)).not.toContain('checked');
  await post(preferences, { save: 'lists', shown: topic, list: topic });
  expect((await trailOf((await send({ topic })).json.id)).status).toBe('queued');
});

it('is kept and checked again when the message is resent', async () => {
  const topic = await rig.addList({ name: 'Price drops' });
  const { id } = (await send({ topic })).json;
  const resend = () => rig.ask('POST', `/v1/messages/${id}/resend`);
  expect((await resend()).json).toMatchObject({ topic_id: topic });
  await post(page(id), ONE_CLICK);
  expect((await trailOf((await resend()).json.id)).status).toBe('suppressed');
  await rig.ask('DELETE', `/v1/lists/${topic}`);
  expect((await resend()).json).toMatchObject({ error: { code: 'list_not_found', param: 'topic' } });
});

describe('a topic of another sender', () => {
  it('is refused at its field with all other problems, and nothing is stored', async () => {
    const tenant = await rig.addTenant();
    const own = await rig.addList({ name: 'Own' });
    const before = await rig.counts();
    for (const fields of [
      { topic: 'lst_00000000000000000000000000' },
      { topic: own, sub_tenant_id: tenant, from: 'news@tenant.example' },
      { topic: 'x\ny' },
    ]) {
      const { status, json } = await send(fields);
      expect([status, JSON.stringify(json)]).toEqual([422, expect.stringContaining('topic')]);
    }
    expect(await rig.counts()).toEqual(before);
  });
});

it('explains the effect of unsubscribing from everything, and how to change it', async () => {
  const { id } = (await send({})).json;
  await post(page(id), ONE_CLICK);
  const { trail } = await trailOf((await send({})).json.id);
  expect(trail[1]?.explanation).toContain('unless the organization limits unsubscribes to marketing');
  const next = (await send({})).json.id;
  const told = await rig.ask('GET', `/v1/messages/${next}/audit`, { headers: { 'accept-language': 'de' } });
  expect(told.json.trail[1].explanation).toMatch(/^Der Empfänger hat sich abgemeldet\./);
});
