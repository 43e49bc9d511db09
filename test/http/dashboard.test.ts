// Tests requests of a dashboard other than lists: unsaved content, a template's test, a segment's preview, search, and bounces.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../src/database/scope.js';
import { createConsumer } from '../../src/events/consumers.store.js';
import { createCountEvents } from '../../src/analytics/count-events.js';
import { newMessage, onlyId } from '../database/contract/builders.js';
import { startFullApi, type FullApiRig } from '../support/program.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';
import { appendEvent } from '../../src/events/append.store.js';

let rig: FullApiRig;
let live: Scope;

async function ask(method: 'GET' | 'POST', url: string, body?: object, key = rig.testKey) {
  const answer = await rig.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${key}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  // the tests read many shapes, and each states what it expects
  return { status: answer.statusCode, json: JSON.parse(answer.body) as Record<string, never> };
}

beforeAll(async () => {
  rig = await startFullApi();
  live = { ...(await rig.store.accounts.environmentOf(rig.workspaceId, 'live')), subTenantId: null };
}, 60_000);
afterAll(() => rig.close());

describe('unsaved content', () => {
  it('is filled with variables or a contact, and reports missing values', async () => {
    await ask('POST', '/v1/contacts', { email: 'zoe@example.com', name: 'Zoë Smith' });
    const { status, json } = await ask('POST', '/v1/templates/render', {
      subject: 'Hi {{first_name}}',
      html: '<p>{{shop}} {{gone}}</p>',
      variables: { shop: '<b>' },
      contact: 'zoe@example.com',
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      object: 'rendered_content',
      subject: 'Hi Zoë',
      html: '<p>&lt;b&gt; </p>',
      missing: ['gone'],
    });
    expect((await ask('GET', '/v1/templates')).json).toMatchObject({ data: [] });
  });

  it.each([
    [{}, 422, 'html'],
    [{ html: '{{#if}}' }, 422, 'template_invalid'],
    [{ html: 'x', contact: 'nobody@example.com' }, 422, 'contact'],
    [{ html: 'x', more: 1 }, 422, 'more'],
  ])('is refused: %j', async (body, status, word) => {
    const answer = await ask('POST', '/v1/templates/render', body);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.json)).toContain(word);
  });
});

describe('a test of a template', () => {
  it('sends one message to each test address', async () => {
    const made = await ask('POST', '/v1/templates', {
      name: 'Offer',
      type: 'marketing',
      subject: 'For {{first_name}}',
      html: '<p>{{first_name}}: {{raw}}</p>',
    });
    // Text from a variable is not expanded again, even for a stored contact.
    await ask('POST', '/v1/contacts', { email: 'a@example.com', metadata: { secret: 'known' } });
    const path = `/v1/templates/${String(made.json['id'])}/test`;
    const { status, json } = await ask('POST', path, {
      to: ['a@example.com', 'b@example.com', 'A@example.com'],
      from: 'shop@example.org',
      variables: { first_name: 'Ann', raw: '{{secret}}' },
    });
    expect([status, json]).toMatchObject([
      202,
      {
        object: 'template_test',
        version: 1,
        missing: [],
        messages: [{ to: 'a@example.com' }, { to: 'b@example.com' }],
      },
    ]);
    const sent = (await ask('GET', '/v1/messages?tag=template_test')).json;
    expect(sent).toMatchObject({ data: [{ type: 'transactional', subject: 'For Ann' }, {}] });
    const [{ id }] = sent['data'] as unknown as [{ id: string }];
    const content = (await ask('GET', `/v1/messages/${id}/content`)).json;
    expect(content['html']).toContain('Ann: {{secret}}');
  });

  it('stores nothing if one address is invalid', async () => {
    const before = (await ask('GET', '/v1/messages?tag=template_test')).json;
    const refused = await ask('POST', '/v1/templates/offer/test', { to: ['a@example.com', 'b'] });
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.json)).toContain('to.1');
    expect((await ask('POST', '/v1/templates/none/test', { to: ['a@example.com'] })).status).toBe(404);
    expect((await ask('POST', '/v1/templates/offer/test', { to: [] })).status).toBe(422);
    expect((await ask('GET', '/v1/messages?tag=template_test')).json).toEqual(before);
  });
});

describe('a preview of a segment', () => {
  it('counts and shows matching contacts without storing anything', async () => {
    for (const i of [1, 2, 3]) {
      await ask('POST', '/v1/contacts', { email: `vip${i}@example.com`, tags: ['vip'] });
    }
    const filter = { all: [{ field: 'tag', op: 'has', value: 'vip' }] };
    const { status, json } = await ask('POST', '/v1/lists/preview', { filter });
    expect([status, json]).toMatchObject([
      200,
      { object: 'list_preview', contacts: 3, sample: [{ email: 'vip3@example.com' }, {}, {}] },
    ]);
    expect((await ask('GET', '/v1/lists')).json).toMatchObject({ data: [] });
    expect((await ask('POST', '/v1/lists/preview', { filter }, rig.liveKey)).json).toMatchObject({
      contacts: 0,
    });
  });

  it.each([[{}], [{ filter: null }], [{ filter: { all: [{ field: 'no', op: 'has', value: 1 }] } }]])(
    'is refused: %j',
    async (body) => {
      expect((await ask('POST', '/v1/lists/preview', body)).status).toBe(422);
    },
  );
});

describe('the search', () => {
  it('finds some objects of each type by text, and one by its id', async () => {
    await ask('POST', '/v1/lists', { name: 'Offers of the week' });
    await ask('POST', '/v1/suppressions', { email: 'offer-hater@example.com' });
    const { json } = await ask('GET', '/v1/search?q=offer');
    const kinds = (json['data'] as unknown as { type: string; title: string }[]).map(({ type, title }) => [
      type,
      title,
    ]);
    expect(kinds).toEqual([
      ['template', 'Offer'],
      ['list', 'Offers of the week'],
      ['suppression', 'offer-hater@example.com'],
    ]);
    const few = await ask('GET', '/v1/search?q=vip&type=contact,message&limit=2');
    expect(few.json).toMatchObject({
      data: [{ type: 'contact', title: 'vip3@example.com' }, {}],
      more: ['contact'],
    });
    const byAddress = await ask('GET', '/v1/search?q=A@example.com&type=message');
    expect(byAddress.json).toMatchObject({
      data: [{ type: 'message', title: 'For Ann', detail: 'a@example.com' }],
    });
    const [{ id }] = byAddress.json['data'] as unknown as [{ id: string }];
    expect((await ask('GET', `/v1/search?q=${id}`)).json).toMatchObject({ data: [{ type: 'message', id }] });
    expect((await ask('GET', `/v1/search?q=${id}`, undefined, rig.liveKey)).json).toMatchObject({ data: [] });
  });

  it.each([
    ['contact', '/v1/contacts'],
    ['template', '/v1/templates'],
    ['list', '/v1/lists'],
    ['suppression', '/v1/suppressions'],
  ])('finds a %s by its id', async (type, path) => {
    const { json } = await ask('GET', path);
    const [{ id }] = json['data'] as unknown as [{ id: string }];
    expect((await ask('GET', `/v1/search?q=${id}`)).json).toMatchObject({ data: [{ type, id }] });
  });

  it.each(['', '?q=a', '?q=ab&type=key', '?q=ab&limit=21', `?q=${'a'.repeat(201)}`])(
    'refuses %s',
    async (query) => {
      expect((await ask('GET', `/v1/search${query}`)).status).toBe(422);
    },
  );
});

describe('bounces', () => {
  async function bounced(category: string, toKey: string): Promise<void> {
    const error = {
      ...{ type: category === 'quota' ? 'soft' : 'hard', category, code: 550, enhanced_code: '5.1.1' },
      ...{ message: 'no', remote_host: 'mx.example', occurred_at: new Date(rig.clock()).toISOString() },
    };
    const row = { status: 'bounced' as const, to_key: toKey, to_email: toKey, error: JSON.stringify(error) };
    const at = rig.clock();
    const message = newMessage(live, { row: { ...row, created_at: at } });
    const messageId = onlyId(await rig.store.commit([acceptMessage({ message })]));
    await rig.store.commit([
      appendEvent({
        event: {
          environmentId: live.environmentId,
          workspaceNumber: live.workspaceNumber,
          messageId,
          subjectId: message.row.public_id,
          event: 'bounced',
          actor: 'provider',
          occurredAt: at,
          detail: { metadata: { category, type: error.type } },
        },
      }),
    ]);
  }

  it('are listed and summed, with internal errors separate', async () => {
    const accepted = new Date(rig.clock()).toISOString();
    await bounced('invalid_recipient', 'gone@example.com');
    await bounced('spam_block', 'a@big.example');
    await bounced('spam_block', 'b@big.example');
    const { consumers, statistics } = rig.store;
    const take = createCountEvents(statistics, (domain) => (domain === 'big.example' ? 'big' : null));
    const run = createConsumer({ name: 'statistics', consumers, batch: 100, take });
    while (await run());
    const list = await ask('GET', '/v1/bounces?cause=sender', undefined, rig.liveKey);
    expect(list.json).toMatchObject({
      data: [
        { to: 'b@big.example', category: 'spam_block', cause: 'sender', code: 550, type: 'hard' },
        { to: 'a@big.example' },
      ],
      has_more: false,
    });
    const all = await ask('GET', '/v1/bounces?limit=1', undefined, rig.liveKey);
    expect(all.json).toMatchObject({ data: [{ to: 'b@big.example' }], has_more: true });
    const since = await ask('GET', `/v1/bounces?created_after=${accepted}`, undefined, rig.liveKey);
    expect(since.json['data']).toHaveLength(3);
    const before = await ask('GET', `/v1/bounces?created_before=${accepted}`, undefined, rig.liveKey);
    expect(before.json).toMatchObject({ data: [] });
    const none = await ask('GET', '/v1/bounces?cause=sender&category=quota', undefined, rig.liveKey);
    expect(none.json).toMatchObject({ data: [] });
    const { json } = await ask('GET', '/v1/bounces/summary?window_days=2', undefined, rig.liveKey);
    expect(json).toMatchObject({
      up_to_date: true,
      total: 3,
      causes: { recipient: 1, sender: 2, delivery: 0 },
      groups: [
        { category: 'spam_block', cause: 'sender', provider: 'big', bounces: 2 },
        { category: 'invalid_recipient', cause: 'recipient', provider: 'unknown', bounces: 1 },
      ],
    });
    expect(json['series']).toHaveLength(2);
    expect((await ask('GET', '/v1/bounces/summary')).json).toMatchObject({ total: 0, groups: [] });
  });

  it.each(['?category=none', '/summary?window_days=0'])('refuse %s', async (query) => {
    expect((await ask('GET', `/v1/bounces${query}`)).status).toBe(422);
  });
});
