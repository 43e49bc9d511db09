// Tests the routes of sequences: valid and refused requests, and visibility.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startAudienceRig, type AudienceRig } from '../support/audience-rig.js';
import { contacts } from '../../src/contacts/contacts.tables.js';
import { update } from '../../src/database/rows.js';

const SEND = { type: 'send', template: 'hello' };
const MANUAL = { type: 'manual' };

let rig: AudienceRig;
beforeAll(async () => {
  rig = await startAudienceRig({ mode: 'test' });
});
afterAll(async () => {
  await rig.close();
});

describe('POST /v1/sequences', () => {
  it('shows the request with ids and defaults', async () => {
    const steps = [
      SEND,
      { type: 'branch', event: 'opened', within_hours: 0.5, next_step_id: 'end' },
      { id: 'end', type: 'exit' },
    ];
    const body = {
      name: 'Welcome',
      trigger: { type: 'contact_tagged', tag: 'new' },
      steps,
      from: 'Ann <ann@x.example>',
    };
    const answer = await rig.ask('POST', '/v1/sequences', { body });
    expect(answer.status).toBe(201);
    expect(answer.json).toMatchObject({
      object: 'sequence',
      type: 'marketing',
      status: 'active',
      problem: null,
      trigger: { type: 'contact_tagged', tag: 'new' },
      exit_on: ['replied', 'unsubscribed'],
      goal: null,
      from: { email: 'ann@x.example', name: 'Ann' },
      reply_to: null,
      steps: [
        { ...SEND, id: 'step_1', subject: null, variables: {} },
        { id: 'step_2', type: 'branch', event: 'opened', within_hours: 0.5, next_step_id: 'end' },
        { id: 'end', type: 'exit' },
      ],
    });
    const again = await rig.ask('GET', `/v1/sequences/${String(answer.json.id)}`);
    expect(again.json).toEqual(answer.json);
  });

  it.each([
    [{ steps: [{ type: 'call' }] }, { 'steps.0.type': 'must be one of wait, send, branch, exit' }],
    [{ steps: [{ id: 'a' }] }, { 'steps.0.type': 'is required' }],
    [{ steps: [{ type: 'wait' }] }, { 'steps.0.hours': 'is required' }],
    [{ steps: [{ ...SEND, delay: 1 }] }, { 'steps.0.delay': 'is not a known field' }],
    [{ steps: [{ ...SEND, subject: 5 }] }, { 'steps.0.subject': 'must be a string or null' }],
    [
      { steps: [SEND, { type: 'wait' }, { ...SEND, delay: 1 }, { type: 'call' }] },
      {
        'steps.1.hours': 'is required',
        'steps.2.delay': 'is not a known field',
        'steps.3.type': 'must be one of wait, send, branch, exit',
      },
    ],
    [{ trigger: { type: 'list_joined' } }, { 'trigger.list_id': 'is required' }],
    [
      { goal: { event: 'slept' } },
      { 'goal.event': 'must be one of opened, clicked, replied, contact_tagged' },
    ],
    [{ goal: { event: 'contact_tagged' } }, { 'goal.tag': 'is required' }],
  ])('reports what is wrong with the intended kind of %j', async (fields, problems) => {
    const body = { name: 'X', trigger: MANUAL, steps: [SEND], ...fields };
    const { json } = await rig.ask('POST', '/v1/sequences', { body });
    const named = json.error.details.fields.map((one: { path: string; message: string }) => [
      one.path,
      one.message,
    ]);
    expect(Object.fromEntries(named)).toEqual(problems);
  });

  it.each([
    ['no steps', { steps: [] }, 'validation_error'],
    ['too many steps', { steps: Array.from({ length: 51 }, () => SEND) }, 'validation_error'],
    ['a step of no kind', { steps: [{ type: 'call' }] }, 'validation_error'],
    ['an unknown field', { steps: [{ type: 'exit', hours: 1 }] }, 'validation_error'],
    ['negative hours', { steps: [{ type: 'wait', hours: -1 }] }, 'validation_error'],
    [
      'a branch to nowhere',
      { steps: [{ type: 'branch', event: 'opened', within_hours: 1, next_step_id: 'x' }] },
      'validation_error',
    ],
    ['a template that is not there', { steps: [{ type: 'send', template: 'no' }] }, 'template_not_found'],
    ['a list that is not there', { trigger: { type: 'list_joined', list_id: 'lst_x' } }, 'list_not_found'],
    ['a tag trigger without tag', { trigger: { type: 'contact_tagged' } }, 'validation_error'],
    ['an unknown exit', { exit_on: ['opened'] }, 'validation_error'],
    ['an unknown goal', { goal: { event: 'slept' } }, 'validation_error'],
    ['a broken address', { from: 'nobody' }, 'validation_error'],
    ['a sub-tenant that is not there', { sub_tenant_id: 'tnt_x' }, 'sub_tenant_not_found'],
  ])('refuses %s', async (_name, fields, code) => {
    const body = { name: 'X', trigger: MANUAL, steps: [SEND], ...fields };
    const answer = await rig.ask('POST', '/v1/sequences', { body });
    expect([answer.status, answer.json.error.code]).toEqual([422, code]);
  });
});

describe('the other operations', () => {
  it('find nothing in another environment or tenant, or after deletion', async () => {
    const tenant = await rig.program.addTenant('one');
    const other = await rig.program.addTenant('two');
    const id = await rig.addSequence({ steps: [SEND], sub_tenant_id: tenant });
    const pinned = await rig.program.addKey({ mode: 'test', subTenantId: other });
    const own = await rig.program.addKey({ mode: 'test', subTenantId: tenant });
    const found = async (key: string) => (await rig.ask('GET', `/v1/sequences/${id}`, { key })).status;
    expect(await found(own)).toBe(200);
    expect(await found(pinned)).toBe(404);
    expect(await found(rig.keys.live)).toBe(404);
    const list = await rig.ask('GET', '/v1/sequences', { key: own });
    expect(list.json.data.map((row: { id: string }) => row.id)).toEqual([id]);
    expect(
      (await rig.ask('POST', `/v1/sequences/${id}/enroll`, { body: { email: 'a@x.example' }, key: pinned }))
        .status,
    ).toBe(404);
    expect((await rig.ask('DELETE', `/v1/sequences/${id}`)).json).toEqual({
      id,
      object: 'sequence',
      deleted: true,
    });
    expect(await found(own)).toBe(404);
    expect((await rig.ask('GET', `/v1/sequences/${id}/enrollments`)).status).toBe(404);
  });

  it('page through sequences', async () => {
    const ids = [
      await rig.addSequence({ steps: [SEND] }),
      await rig.addSequence({ steps: [SEND], status: 'paused' }),
    ];
    const first = await rig.ask('GET', '/v1/sequences?limit=1');
    expect(first.json).toMatchObject({ has_more: true, data: [{ id: ids[1] }] });
    const second = await rig.ask('GET', `/v1/sequences?limit=1&cursor=${String(first.json.next_cursor)}`);
    expect(second.json.data[0].id).toBe(ids[0]);
    const paused = await rig.ask('GET', '/v1/sequences?status=paused');
    expect(paused.json.data.map((row: { id: string }) => row.id)).toEqual([ids[1]]);
    expect((await rig.ask('GET', '/v1/sequences?cursor=eHg')).json.error.code).toBe('invalid_cursor');
  });

  it('change a sequence', async () => {
    const id = await rig.addSequence({ steps: [SEND], goal: { event: 'clicked' } });
    const answer = await rig.ask('PATCH', `/v1/sequences/${id}`, {
      body: { name: 'New', goal: null, exit_on: [] },
    });
    expect(answer.json).toMatchObject({ name: 'New', goal: null, exit_on: [], steps: [{ id: 'step_1' }] });
    expect((await rig.ask('PATCH', `/v1/sequences/${id}`, { body: { type: 'sales' } })).status).toBe(422);
  });

  it('enroll a contact once at a time, and cancel the enrollment', async () => {
    const id = await rig.addSequence({ steps: [{ type: 'wait', hours: 1 }] });
    const contactId = await rig.addContact('ann@example.com');
    const enroll = (body: object) => rig.ask('POST', `/v1/sequences/${id}/enroll`, { body });
    const made = await enroll({ contact_id: contactId, variables: { plan: 'pro' } });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      object: 'enrollment',
      sequence_id: id,
      contact_id: contactId,
      email: 'ann@example.com',
      status: 'active',
      exit_reason: null,
      step: 'step_1',
      variables: { plan: 'pro' },
    });
    const twice = await enroll({ email: 'ANN@example.com' });
    expect([twice.status, twice.json.error.code]).toEqual([409, 'already_enrolled']);
    const path = `/v1/sequences/${id}/enrollments/${String(made.json.id)}/cancel`;
    expect((await rig.ask('POST', path)).json).toMatchObject({
      status: 'canceled',
      step: null,
      next_at: null,
    });
    expect((await rig.ask('POST', path)).status).toBe(409);
    expect((await enroll({ email: 'ann@example.com' })).status).toBe(201);
    expect((await rig.enrollments(id, '?status=canceled')).map((row) => row.id)).toEqual([made.json.id]);
    const page = await rig.ask('GET', `/v1/sequences/${id}/enrollments?limit=1`);
    const rest = await rig.ask(
      'GET',
      `/v1/sequences/${id}/enrollments?cursor=${String(page.json.next_cursor)}`,
    );
    expect(rest.json.data).toHaveLength(1);
    const analytics = await rig.ask('GET', `/v1/sequences/${id}/analytics`);
    expect(analytics.json).toMatchObject({
      object: 'sequence_analytics',
      entered: 2,
      active: 1,
      canceled: 1,
      exits: [],
      steps: [{ id: 'step_1', type: 'wait', active: 1, sent: 0 }],
    });
  });

  it('refuse contacts that cannot be enrolled', async () => {
    const id = await rig.addSequence({ steps: [SEND] });
    const code = async (body: object) => {
      const answer = await rig.ask('POST', `/v1/sequences/${id}/enroll`, { body });
      return [answer.status, answer.json.error.code];
    };
    expect(await code({ email: 'stranger@example.com' })).toEqual([422, 'recipient_not_a_contact']);
    expect(await code({ contact_id: 'cnt_x' })).toEqual([422, 'recipient_not_a_contact']);
    expect(await code({})).toEqual([422, 'validation_error']);
    expect(await code({ email: 'a@x.example', contact_id: 'cnt_x' })).toEqual([422, 'validation_error']);
    expect(await code({ email: 'a@x.example', variables: { x: 'x'.repeat(20_000) } })).toEqual([
      422,
      'validation_error',
    ]);
    await rig.addContact('gone@example.com');
    const where = { email_key: 'gone@example.com' };
    await rig.store.commit([update(contacts, { set: { status: 'unsubscribed' }, where })]);
    expect(await code({ email: 'gone@example.com' })).toEqual([409, 'recipient_suppressed']);
  });
});

describe('a template in use', () => {
  it('is deleted only with force, and the refusal names its users', async () => {
    const made = await rig.ask('POST', '/v1/templates', {
      body: { name: 'Used', html: '<p>x</p>', subject: 's' },
    });
    const { id, slug } = made.json as { id: string; slug: string };
    const sequences = [
      await rig.addSequence({ name: 'By slug', steps: [{ type: 'send', template: slug }] }),
      await rig.addSequence({ name: 'By id', steps: [{ type: 'send', template: id }], status: 'paused' }),
    ];
    await rig.addSequence({ name: 'Another', steps: [SEND] });
    const gone = await rig.addSequence({ name: 'Gone', steps: [{ type: 'send', template: slug }] });
    await rig.ask('DELETE', `/v1/sequences/${gone}`);
    const campaign = await rig.ask('POST', '/v1/campaigns', { body: { name: 'Draft', template_id: id } });
    const list = await rig.ask('POST', '/v1/lists', {
      body: { name: 'Joined', confirmation_template_id: id },
    });
    const refused = await rig.ask('DELETE', `/v1/templates/${slug}`);
    expect(refused).toMatchObject({
      status: 409,
      json: {
        error: {
          code: 'template_in_use',
          message:
            'The template is used by 2 sequences, 1 campaign, 1 list, such as "By slug". Update them first, or delete the template with force=true.',
          details: {
            sequences: [
              { id: sequences[0], name: 'By slug' },
              { id: sequences[1], name: 'By id' },
            ],
            campaigns: [{ id: campaign.json.id as string, name: 'Draft' }],
            lists: [{ id: list.json.id as string, name: 'Joined' }],
          },
        },
      },
    });
    expect((await rig.ask('GET', `/v1/templates/${id}`)).status).toBe(200);
    expect((await rig.ask('DELETE', `/v1/templates/${slug}?force=maybe`)).status).toBe(422);
    expect((await rig.ask('DELETE', `/v1/templates/${slug}?force=true`)).json).toMatchObject({
      id,
      deleted: true,
    });
  });

  it('is found by the meaning of its slug, and named to a sub-tenant only if it is its own', async () => {
    const tenant = await rig.program.addTenant('shop');
    const key = await rig.program.addKey({ subTenantId: tenant, mode: 'test' });
    const body = { name: 'Twice', slug: 'twice', html: '<p>x</p>', subject: 's' };
    const workspaces = (await rig.ask('POST', '/v1/templates', { body })).json.id as string;
    const tenants = (await rig.ask('POST', '/v1/templates', { body, key })).json.id as string;
    const steps = [{ type: 'send', template: 'twice' }];
    await rig.addSequence({ name: 'Workspace', steps });
    expect((await rig.ask('DELETE', `/v1/templates/${tenants}`, { key })).status).toBe(200);
    const again = (await rig.ask('POST', '/v1/templates', { body, key })).json.id as string;
    await rig.addSequence({ name: 'By id', steps: [{ type: 'send', template: again }] });
    const refused = await rig.ask('DELETE', `/v1/templates/${again}`, { key });
    expect(refused.json.error).toMatchObject({
      message: expect.not.stringContaining('By id') as unknown,
      details: { sequences: [], campaigns: [] },
    });
    expect(
      (await rig.ask('DELETE', `/v1/templates/${workspaces}`)).json.error.details.sequences,
    ).toMatchObject([{ name: 'Workspace' }]);
  });
});
