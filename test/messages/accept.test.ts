import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../src/contract/refusal.js';
import type { Mode } from '../../src/contract/names.js';
import type { MessageRequest } from '../../src/messages/message.schema.js';
import type { SubmissionContext } from '../../src/messages/accept/accept.js';
import { readUnsubscribeToken } from '../../src/contacts/unsubscribe.rules.js';
import { MINIMAL, startMessageRig, TOKEN_KEY, type MessageRig } from '../support/message-rig.js';
import { usage as usageTable } from '../../src/accounts/accounts.tables.js';
import { remove } from '../../src/database/rows.js';
import { countUse } from '../../src/accounts/usage.store.js';

let rig: MessageRig;
beforeAll(async () => {
  rig = await startMessageRig();
});
afterAll(() => rig.close());

const BY_API: SubmissionContext = { actor: 'api', keyId: null, policy: null, idempotencyHeader: null };

async function accept(fields: Partial<MessageRequest>, mode: Mode = 'test', tenant: string | null = null) {
  const scope = await rig.scopeOf(mode, tenant);
  return rig.submission.accept(scope, { ...MINIMAL, ...fields }, BY_API);
}

/** The code that a request is refused with, and the field it names. */
async function refusalOf(fields: Partial<MessageRequest>, mode: Mode = 'test'): Promise<unknown[]> {
  try {
    await accept(fields, mode);
  } catch (error) {
    if (error instanceof Refusal) return [error.code, error.param];
    throw error;
  }
  return [];
}

async function content(publicId: string) {
  const [row] = await rig.raw(
    'SELECT m.subject, c.html, c.text FROM messages m JOIN contents c ON c.id = m.content_id WHERE m.public_id = ?',
    [publicId],
  );
  return row as { subject: string; html: string | null; text: string | null };
}

const inline = { html: undefined, text: undefined } as unknown as Partial<MessageRequest>;

describe('personalization', () => {
  beforeAll(() =>
    rig.addContact(
      'pat@example.com',
      {
        name: 'Pat van Dyk',
        phone: '+31 1',
        metadata: { plan: 'gold', first_name: 'Patricia' },
      },
      'test',
    ),
  );

  it('fills a template from the contact, explicit variables first, and derives the text', async () => {
    await rig.addTemplate('hello', {
      subject: 'Hi {{first_name}}',
      html: '<p>{{name}} {{phone}} {{plan}} {{last_name}} {{extra}}</p>',
    });
    const { message } = await accept({
      ...inline,
      subject: undefined as unknown as string,
      to: 'PAT@example.com',
      template: 'hello',
      variables: { extra: '<b>', plan: 'blue', unsubscribe_url: 'x' },
    });
    expect(message).toMatchObject({
      template_version: 1,
      template_id: expect.stringMatching(/^tpl_/) as string,
    });
    expect(await content(message.public_id)).toEqual({
      subject: 'Hi Patricia',
      html: '<p>Pat van Dyk +31 1 blue van Dyk &lt;b&gt;</p>',
      text: 'Pat van Dyk +31 1 blue van Dyk <b>',
    });
  });

  it('links to the unsubscribe page of this message, whatever the variables contain', async () => {
    await rig.addTemplate('bye', { subject: 'S', text: '{{unsubscribe_url}}' });
    const { message } = await accept({ ...inline, template: 'bye', variables: { unsubscribe_url: 'x' } });
    const { text } = await content(message.public_id);
    const token = text?.replace('https://mail.example.test/u/', '') ?? '';
    expect(readUnsubscribeToken(token, [TOKEN_KEY])).toBe(message.public_id);
  });

  it('refuses an unsubscribe link in a mail with several recipients', async () => {
    expect(await refusalOf({ ...inline, template: 'bye', cc: ['c@example.com'] })).toEqual([
      'validation_error',
      'cc',
    ]);
  });

  it.each([
    ['inline content is filled for a saved contact', {}, '<p>Patricia</p>'],
    ['inline content with variables is filled', { variables: {} }, '<p>Patricia</p>'],
    ['inline content for nobody saved stays as it is', { to: 'new@example.com' }, '<p>{{first_name}}</p>'],
    ['inline content stays as it is on request', { render: false }, '<p>{{first_name}}</p>'],
    ['what only looks like a template is sent as it is', { html: '<p>{{#if</p>' }, '<p>{{#if</p>'],
  ])('%s', async (_name, fields, html) => {
    const { message } = await accept({ to: 'pat@example.com', html: '<p>{{first_name}}</p>', ...fields });
    expect((await content(message.public_id)).html).toBe(html);
  });

  it('adds a text part to HTML, filled in the same way, unless an empty one is given', async () => {
    const textOf = async (fields: Partial<MessageRequest>) =>
      (
        await content(
          (await accept({ ...inline, html: '<p>Hi <b>{{first_name}}</b></p>', ...fields })).message.public_id,
        )
      ).text;
    expect(await textOf({ to: 'pat@example.com' })).toBe('Hi Patricia');
    expect(await textOf({ to: 'new@example.com' })).toBe('Hi {{first_name}}');
    expect(await textOf({ to: 'pat@example.com', text: '' })).toBeNull();
    expect(await textOf({ to: 'new@example.com', text: '' })).toBeNull();
    expect(await textOf({ to: 'pat@example.com', text: 'Own' })).toBe('Own');
  });

  it("prefers the subject of the request to the template's", async () => {
    const { message } = await accept({
      ...inline,
      to: 'pat@example.com',
      template: 'hello',
      subject: 'For {{name}}',
    });
    expect(message.subject).toBe('For Pat van Dyk');
  });

  it.each<[string, Partial<MessageRequest>, unknown[]]>([
    ['an unknown slug', { ...inline, template: 'nowhere' }, ['template_not_found', 'template']],
    ['an unknown id', { ...inline, template_id: 'tpl_0' }, ['template_not_found', 'template_id']],
    ['a template and a body', { template: 'hello' }, ['validation_error', 'html']],
    ['slug and id', { ...inline, template: 'hello', template_id: 'x' }, ['validation_error', 'template_id']],
    ['a syntax error', { html: '{{#if', variables: {} }, ['template_invalid', 'html']],
    ['no subject', { subject: ' ' }, ['subject_required', 'subject']],
    ['a subject that turns out empty', { subject: '{{x}}', variables: {} }, ['subject_required', 'subject']],
    ['no content', { html: '', text: '' }, ['content_required', 'html']],
    ['NUL from a variable', { html: '{{x}}', variables: { x: '\0' } }, ['template_invalid', 'html']],
  ])('refuses %s', async (_name, fields, expected) => {
    expect(await refusalOf(fields)).toEqual(expected);
  });

  it('refuses missing values if all variables are required, and names each', async () => {
    await rig.addTemplate('order', {
      subject: 'Order {{order.id}}',
      html: '{{first_name}} {{#if a}}{{b}}{{/if}}',
    });
    const order = { ...inline, subject: undefined as never, to: 'pat@example.com', template: 'order' };
    const refused = accept({ ...order, to: 'new@example.com', require_variables: true });
    await expect(refused).rejects.toMatchObject({
      code: 'validation_error',
      message: 'variables.order.id: is required',
      param: 'variables.order.id',
      details: {
        fields: [
          { path: 'variables.order.id', message: 'is required' },
          { path: 'variables.first_name', message: 'is required' },
        ],
      },
    });
    // The saved contact fills the name, and a placeholder that is not reached needs no value.
    const variables = { order: { id: '' } };
    const taken = await accept({ ...order, variables: { order: { id: 7 } }, require_variables: true });
    expect(taken.message.subject).toBe('Order 7');
    await expect(accept({ ...order, variables, require_variables: true })).resolves.toBeDefined();
    await expect(accept(order)).resolves.toBeDefined();
  });

  it.each<[string, Partial<MessageRequest>, unknown[]]>([
    ['inline content', { html: '<p>{{code}}</p>' }, ['validation_error', 'variables.code']],
    ['null', { html: '<p>{{code}}</p>', variables: { code: null } }, ['validation_error', 'variables.code']],
    ['content that is not filled', { html: 'x', render: false }, ['validation_error', 'require_variables']],
  ])('requires variables of %s', async (_name, fields, expected) => {
    expect(await refusalOf({ ...fields, require_variables: true })).toEqual(expected);
  });

  it('refuses a template of another type, and accepts one for any type', async () => {
    await rig.addTemplate('promo', { subject: 'S', html: 'x', type: 'marketing' });
    expect(await refusalOf({ ...inline, template: 'promo' })).toEqual(['validation_error', 'type']);
  });

  it("prefers a sub-tenant's template and never uses another sub-tenant's", async () => {
    const one = await rig.addTenant({ sending_domain: 'one.example' });
    const two = await rig.addTenant({ sending_domain: 'two.example' });
    await rig.addTemplate('shared', { subject: 'workspace', text: 'x' });
    await rig.addTemplate('shared', { subject: 'one', text: 'x' }, one);
    const own = await rig.addTemplate('private', { subject: 'one', text: 'x' }, one);
    const fields = { ...inline, subject: undefined as unknown as string, template: 'shared' };
    expect((await accept(fields, 'test', one)).message.subject).toBe('one');
    expect((await accept(fields, 'test', two)).message.subject).toBe('workspace');
    expect((await accept(fields)).message.subject).toBe('workspace');
    const sibling = accept({ ...inline, template_id: own }, 'test', two);
    await expect(sibling).rejects.toMatchObject({ code: 'template_not_found' });
  });
});

describe('marketing and sales mail', () => {
  it('requires contacts and a postal address, and is filled like a template', async () => {
    const fields = { type: 'marketing' as const, to: 'mara@example.com', html: '<p>{{name}}</p>' };
    expect(await refusalOf(fields)).toEqual(['recipient_not_a_contact', 'to']);
    await rig.addContact('mara@example.com', { name: 'Mara' }, 'test');
    expect(await refusalOf(fields)).toEqual(['postal_address_required', undefined]);
    await rig.setOrganization({ postal_address: 'Street 1' });
    expect(await refusalOf({ ...fields, cc: ['stranger@example.com'] })).toEqual([
      'recipient_not_a_contact',
      'cc.0',
    ]);
    const { message } = await accept(fields);
    const { html, text } = await content(message.public_id);
    expect(html).toMatch(/^<p>Mara<\/p><div style="display:block/);
    for (const body of [html, text]) {
      expect(body).toContain('Street 1');
      expect(body).toMatch(/https:\/\/mail\.example\.test\/u\//);
    }
    expect((await accept({ ...fields, type: 'sales' })).message.type).toBe('sales');
  });

  it('goes to one recipient per message, because the unsubscribe link belongs to one', async () => {
    await rig.setOrganization({ postal_address: 'Street 1' });
    await rig.addContact('nina@example.com', {}, 'test');
    await rig.addContact('nick@example.com', {}, 'test');
    const fields = { type: 'marketing' as const, to: 'nina@example.com', cc: ['nick@example.com'] };
    expect(await refusalOf(fields)).toEqual(['validation_error', 'cc']);
  });

  it('does not repeat a footer that its body already has', async () => {
    await rig.setOrganization({ postal_address: 'Street 1' });
    await rig.addContact('nora@example.com', {}, 'test');
    const html = '<p>Hi. <a href="{{unsubscribe_url}}">Leave</a>, Street 1</p>';
    const { message } = await accept({ type: 'marketing', to: 'nora@example.com', html });
    expect((await content(message.public_id)).html?.split('/u/')).toHaveLength(2);
  });

  it('does not go to a contact who opted out', async () => {
    await rig.setOrganization({ postal_address: 'Street 1' });
    await rig.addContact('gone@example.com', { status: 'unsubscribed' }, 'test');
    const { message } = await accept({ type: 'marketing', to: 'gone@example.com' });
    expect(message.status).toBe('queued');
    expect((await rig.ask('GET', `/v1/messages/${message.public_id}`)).json.status).toBe('suppressed');
  });
});

describe('suppression', () => {
  it('stores the message, responds as queued, and queues nothing', async () => {
    await rig.suppress('test', 'Blocked@example.com', 'bounce');
    const before = await rig.counts();
    const { message } = await accept({ to: 'blocked@EXAMPLE.com', cc: ['fine@example.com'] });
    expect(message.status).toBe('queued');
    const after = await rig.counts();
    expect(after['messages']).toBe((before['messages'] ?? 0) + 2);
    expect(after['queue']).toBe((before['queue'] ?? 0) + 1);
    const { json } = await rig.ask('GET', `/v1/messages/${message.public_id}/audit`);
    expect(json).toMatchObject({
      status: 'suppressed',
      trail: [
        { event: 'queued', actor: 'api' },
        { event: 'suppressed', actor: 'system', metadata: { reason: 'bounce' } },
      ],
    });
    const again = await rig.ask('POST', `/v1/messages/${message.public_id}/resend`);
    expect((await rig.ask('GET', `/v1/messages/${again.json.id}`)).json.status).toBe('suppressed');
  });

  it("respects scope and environment, so a sub-tenant's row blocks only that sub-tenant", async () => {
    const tenant = await rig.addTenant({ sending_domain: 'blocker.example' });
    await rig.suppress('test', 'half@example.com', 'unsubscribe', tenant);
    const statusOf = async (mode: Mode, scope: string | null): Promise<unknown> => {
      const from = scope === null ? 'a@sender.example' : 'a@blocker.example';
      const { message } = await accept({ to: 'half@example.com', from }, mode, scope);
      return (await rig.raw('SELECT status FROM messages WHERE public_id = ?', [message.public_id]))[0]?.[
        'status'
      ];
    };
    expect(await statusOf('test', tenant)).toBe('suppressed');
    expect(await statusOf('test', null)).toBe('queued');
    expect(await statusOf('live', tenant)).toBe('queued');
  });

  it('after unsubscribing does not block transactional mail if the organization chose that', async () => {
    await rig.suppress('test', 'spared@example.com', 'unsubscribe');
    await rig.setOrganization({ unsubscribe_blocks: 'marketing' });
    const { message } = await accept({ to: 'spared@example.com' });
    await rig.setOrganization({ unsubscribe_blocks: 'all' });
    expect((await rig.ask('GET', `/v1/messages/${message.public_id}`)).json.status).toBe('queued');
  });
});

describe('the queue', () => {
  it.each<[Partial<MessageRequest>, number]>([
    [{ priority: 'high' }, 0],
    [{}, 1],
    [{ priority: 'low' }, 2],
    [{ priority: 'high', type: 'marketing' }, 4],
    [{ priority: 'low', type: 'sales' }, 7],
  ])('ranks %j as %i', async (fields, rank) => {
    await rig.setOrganization({ postal_address: 'Street 1' });
    const to = `rank${rank}@exämple.com`;
    await rig.addContact(to, {}, 'test');
    rig.woken.queueIds.length = 0;
    const { message } = await accept({ to, ...fields });
    const [ofQueue] = await rig.raw(
      `SELECT l.id, l.rank, l.domain FROM queues l JOIN queue q ON q.queue_id = l.id JOIN messages m ON m.id = q.message_id
        WHERE m.public_id = ?`,
      [message.public_id],
    );
    expect(ofQueue).toMatchObject({ rank, domain: 'xn--exmple-cua.com' });
    expect(rig.woken.queueIds).toEqual([ofQueue?.['id']]);
  });
});

describe('the quota of a plan', () => {
  it('counts only live sends and is never exceeded by simultaneous requests', async () => {
    const { environmentId } = await rig.scopeOf('live');
    const day = Math.floor(rig.clock.now() / 86_400_000);
    await rig.setOrganization({ plan: 'free' });
    await rig.commit(remove(usageTable, { where: { environment_id: environmentId } }));
    await rig.commit(countUse({ environmentId, day, type: 'transactional', sends: 490 }));
    await rig.suppress('live', 'no@example.com', 'bounce');
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, () => accept({ to: 'ann@example.com', cc: ['no@example.com'] }, 'live')),
    );
    const accepted = results.filter((result) => result.status === 'fulfilled').length;
    expect(accepted).toBe(10);
    expect(await refusalOf({}, 'live')).toEqual(['quota_exceeded', undefined]);
    const usage = await rig.store.usage.ofEnvironment(environmentId, { today: day, monthStart: day - 1 });
    expect(usage.day.transactional).toBe(500);
    const answer = await rig.send({}, {}, rig.keys.live);
    expect([answer.status, answer.json.error.type]).toEqual([402, 'quota_exceeded']);
    expect((await accept({})).replayed).toBe(false);
    await rig.setOrganization({ plan: 'unlimited' });
  });

  it('returns a replay even if no sends are left', async () => {
    const first = await accept({ idempotency_key: 'quota' }, 'live');
    await rig.setOrganization({ plan: 'free' });
    const second = await accept({ idempotency_key: 'quota' }, 'live');
    await rig.setOrganization({ plan: 'unlimited' });
    expect([second.replayed, second.message.public_id]).toEqual([true, first.message.public_id]);
  });
});

describe('simultaneous requests with one key', () => {
  it('create one message and its copies', async () => {
    const before = await rig.counts();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => accept({ idempotency_key: 'race', cc: ['c@example.com'] })),
    );
    expect(new Set(answers.map((answer) => answer.message.public_id)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.copies[0]?.public_id)).size).toBe(1);
    expect(answers.filter((answer) => !answer.replayed)).toHaveLength(1);
    expect((await rig.counts())['messages']).toBe((before['messages'] ?? 0) + 2);
  });

  it('with different bodies keep the first and refuse the others', async () => {
    const results = await Promise.allSettled(
      ['a', 'b', 'c'].map((subject) => accept({ idempotency_key: 'differ', subject })),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') {
        expect(result.reason).toMatchObject({ code: 'idempotency_key_reused' });
      }
    }
  });
});
