// Tests the sequences room on a real store, with a clock that the test moves.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/runtime/index.js';
import { isFullSize } from '../support/run-size.js';
import { sharedRoom } from '../support/shared-room.js';
import { HOUR } from '../support/dkim-keys.js';
import { startAudienceRig, type AudienceRig } from '../support/audience-rig.js';
import { templates } from '../../src/templates/templates.tables.js';
import { update } from '../../src/database/rows.js';
import { removeContact, changeContact } from '../../src/contacts/contact-changes.store.js';
import { contacts } from '../../src/contacts/contacts.tables.js';
import { suppress } from '../../src/suppressions/suppression-changes.store.js';

const SEND = { type: 'send', template: 'hello' };

let rig: AudienceRig;
let shared: AudienceRig;
/** Leaves an hour between two mails to one person. */
let patient: AudienceRig | null = null;
beforeAll(async () => {
  shared = await startAudienceRig({ mode: 'test' });
});
afterAll(async () => {
  await shared.close();
  await patient?.close();
});
beforeEach(async () => {
  rig = await startAudienceRig({ mode: 'test', beside: shared });
});
afterEach(async () => {
  await rig.close();
});

async function startPatientRig(): Promise<AudienceRig> {
  patient ??= await startAudienceRig({ mode: 'test', settings: { sequenceMinIntervalMs: HOUR } });
  return startAudienceRig({ mode: 'test', beside: patient });
}

async function statusOf(sequenceId: string) {
  const [first] = await rig.enrollments(sequenceId);
  if (!first) throw new Error('Nobody is enrolled.');
  return first;
}

describe('steps', () => {
  it('run over a week', async () => {
    const id = await rig.addSequence({
      steps: [
        { id: 'first', ...SEND },
        { id: 'pause', type: 'wait', hours: 48 },
        { id: 'read', type: 'branch', event: 'clicked', within_hours: 24, next_step_id: 'thanks' },
        { id: 'again', ...SEND, subject: 'Again, {{first_name}}' },
        { id: 'end', type: 'exit' },
        { id: 'thanks', ...SEND, subject: 'Thanks' },
      ],
    });
    await rig.addContact('ann@example.com', { name: 'Ann Smith' });
    await rig.addContact('bob@example.com', { name: 'Bob' });
    await rig.enroll(id, 'ann@example.com', { plan: 'pro' });
    await rig.enroll(id, 'bob@example.com');
    const sent: string[] = [];
    for (let hour = 0; hour <= 7 * 24; hour++, rig.clock.advance(HOUR)) {
      // Hours in which something may happen, and those before.
      if (!isFullSize && hour > 0 && ![23, 0, 1, 2].includes(hour % 24)) continue;
      await rig.settle();
      if (hour === 50) {
        const [, bobs] = await rig.messages(id);
        await rig.happens(bobs?.public_id ?? '', 'clicked');
        await rig.settle();
      }
      const messages = await rig.messages(id);
      for (const message of messages.slice(sent.length)) {
        sent.push(`${hour} ${message.to_email} ${message.variant ?? ''}: ${message.subject}`);
      }
    }
    expect(sent).toEqual([
      '0 ann@example.com first: Hello Ann',
      '0 bob@example.com first: Hello Bob',
      '50 bob@example.com thanks: Thanks',
      '72 ann@example.com again: Again, Ann',
    ]);
    expect(
      (await rig.enrollments(id)).map(({ email, status, exit_reason }) => [email, status, exit_reason]),
    ).toEqual([
      ['bob@example.com', 'completed', null],
      ['ann@example.com', 'exited', 'exit'],
    ]);
    const [message] = await rig.messages(id);
    const content = await rig.store.messages.content({ content_id: message?.content_id ?? 0 });
    expect(content.html).toContain('Hello Ann, pro');
    expect(content.html).toContain('1 High Street');
    expect(content.html).toContain(`https://mail.example.test/u/`);
    expect(content.text).toContain('Unsubscribe: https://mail.example.test/u/');
    expect(message).toMatchObject({ type: 'marketing', sequence_id: id });
  });

  it('send twice in a row, each mail once', async () => {
    const id = await rig.addSequence({ steps: [SEND, SEND, { type: 'wait', hours: 0 }, SEND] });
    await rig.addContact('ann@example.com');
    await rig.enroll(id, 'ann@example.com');
    await rig.settle();
    expect((await rig.messages(id)).map(({ variant }) => variant)).toEqual(['step_1', 'step_2', 'step_4']);
    expect(await statusOf(id)).toMatchObject({ status: 'completed', step: null });
  });

  it('fail one enrollment because of its template, not the others', async () => {
    await rig.addTemplate('odd', { html: '<p>{{#each list}}{{this}}{{/each}}</p>', subject: '{{name}}' });
    const id = await rig.addSequence({ steps: [{ type: 'send', template: 'odd' }] });
    await rig.addContact('ann@example.com', { name: 'Ann' });
    await rig.addContact('nameless@example.com');
    await rig.enroll(id, 'ann@example.com', { list: [1] });
    await rig.enroll(id, 'nameless@example.com', { list: [1] });
    await rig.settle();
    expect((await rig.enrollments(id)).map(({ status, exit_reason }) => [status, exit_reason])).toEqual([
      ['failed', 'subject_required'],
      ['completed', null],
    ]);
  });

  it('wait while their template is missing, and continue with one of the same slug', async () => {
    await rig.addTemplate('bye', { html: '<p>Bye</p>', subject: 'Hello {{first_name}}' });
    const id = await rig.addSequence({ steps: [SEND, { type: 'send', template: 'bye' }] });
    const where = { slug: 'bye' };
    await rig.store.commit([update(templates, { set: { deleted_at: 1 }, where })]);
    for (const name of ['ann', 'bob']) {
      await rig.addContact(`${name}@example.com`);
      await rig.enroll(id, `${name}@example.com`);
    }
    await rig.settle();
    expect(await statusOf(id)).toMatchObject({ status: 'active', step: 'step_2' });
    expect((await rig.ask('GET', `/v1/sequences/${id}`)).json).toMatchObject({
      status: 'paused',
      problem: { code: 'template_not_found', message: expect.stringContaining('"bye"') as unknown },
    });
    await rig.addTemplate('bye', { html: '<p>Bye again</p>', subject: 'Hello {{first_name}}' });
    expect((await rig.ask('POST', `/v1/sequences/${id}/resume`)).json.problem).toBeNull();
    await rig.settle();
    expect((await rig.messages(id)).map(({ variant }) => variant)).toEqual([
      ...['step_1', 'step_1'],
      ...['step_2', 'step_2'],
    ]);
    expect(await statusOf(id)).toMatchObject({ status: 'completed' });
  });

  it('that failed are retried once the cause is fixed, each contact once', async () => {
    await rig.addTemplate('odd', { html: '<p>x</p>', subject: '{{title}}' });
    const id = await rig.addSequence({ steps: [SEND, { type: 'send', template: 'odd' }] });
    for (const name of ['ann', 'bob']) {
      await rig.addContact(`${name}@example.com`);
      await rig.enroll(id, `${name}@example.com`);
    }
    await rig.settle();
    // Bob restarts and fails again; of both enrollments, the later one is retried.
    await rig.enroll(id, 'bob@example.com');
    await rig.settle();
    expect(await statusOf(id)).toMatchObject({ status: 'failed', exit_reason: 'subject_required' });
    const steps = [SEND, { id: 'step_2', type: 'send', template: 'odd', subject: 'There' }];
    await rig.ask('PATCH', `/v1/sequences/${id}`, { body: { steps: [{ id: 'step_1', ...SEND }, steps[1]] } });
    const retry = () => rig.ask('POST', `/v1/sequences/${id}/retry-failed`);
    expect((await retry()).json).toEqual({ object: 'retry_failed', sequence_id: id, enrollments: 2 });
    await rig.settle();
    expect((await rig.enrollments(id)).map(({ status }) => status).sort()).toEqual([
      ...['completed', 'completed', 'failed'],
    ]);
    expect((await rig.messages(id)).filter(({ variant }) => variant === 'step_2')).toHaveLength(2);
    expect((await retry()).json.enrollments).toBe(0);
  });

  it('end a loop of branches', async () => {
    const id = await rig.addSequence({
      steps: [SEND, { id: 'b', type: 'branch', event: 'delivered', within_hours: 1, next_step_id: 'b' }],
    });
    await rig.addContact('ann@example.com');
    await rig.enroll(id, 'ann@example.com');
    await rig.settle();
    const [message] = await rig.messages(id);
    await rig.happens(message?.public_id ?? '', 'delivered');
    await rig.settle();
    expect(await statusOf(id)).toMatchObject({ status: 'failed', exit_reason: 'too_many_steps' });
  });

  it('keep an hour between two mails to one person, across enrollments', async () => {
    await rig.close();
    rig = await startPatientRig();
    const id = await rig.addSequence({ steps: [SEND, SEND] });
    await rig.addContact('ann@example.com');
    const times: number[] = [];
    await rig.enroll(id, 'ann@example.com');
    for (let quarter = 0; quarter < 16; quarter++) {
      await rig.settle();
      const made = await rig.messages(id);
      while (times.length < made.length) times.push(quarter);
      if (made.length === 2)
        await rig.ask('POST', `/v1/sequences/${id}/enroll`, { body: { email: 'ann@example.com' } });
      rig.clock.advance(HOUR / 4);
    }
    expect(times).toEqual([0, 4, 8, 12]);
  });

  it('keep that hour when the contact is created again', async () => {
    await rig.close();
    rig = await startPatientRig();
    const id = await rig.addSequence({ trigger: { type: 'contact_created' }, steps: [SEND] });
    const contact = await rig.addContact('ann@example.com');
    await rig.settle();
    const { clock } = rig;
    await rig.store.commit([removeContact({ id: contact, at: 1 })]);
    await rig.addContact('ann@example.com');
    await rig.settle();
    expect(await rig.messages(id)).toHaveLength(1);
    clock.advance(HOUR);
    await rig.settle();
    expect(await rig.messages(id)).toHaveLength(2);
  });

  it('continue with the next step if theirs was removed', async () => {
    const id = await rig.addSequence({
      steps: [
        { id: 'w', type: 'wait', hours: 2 },
        { id: 'a', ...SEND },
        { id: 'z', ...SEND },
      ],
    });
    await rig.addContact('ann@example.com');
    await rig.enroll(id, 'ann@example.com');
    await rig.settle();
    const answer = await rig.ask('PATCH', `/v1/sequences/${id}`, { body: { steps: [{ id: 'z', ...SEND }] } });
    expect(answer.json.steps).toEqual([{ ...SEND, id: 'z', subject: null, variables: {} }]);
    await rig.settle();
    expect(await rig.messages(id)).toEqual([]);
    rig.clock.advance(2 * HOUR);
    await rig.settle();
    expect((await rig.messages(id)).map(({ variant }) => variant)).toEqual(['z']);
  });
});

describe('exits', () => {
  const steps = [SEND, { type: 'wait', hours: 24 }, SEND];

  async function started(body: Record<string, unknown> = {}): Promise<{ id: string; message: string }> {
    const id = await rig.addSequence({ steps, ...body });
    await rig.addContact('ann@example.com');
    await rig.enroll(id, 'ann@example.com');
    await rig.settle();
    const [message] = await rig.messages(id);
    return { id, message: message?.public_id ?? '' };
  }

  it.each(['bounced', 'complained', 'unsubscribed'] as const)(
    '%s ends an enrollment immediately',
    async (event) => {
      const { id, message } = await started();
      await rig.happens(message, event);
      await rig.settle();
      expect(await statusOf(id)).toMatchObject({ status: 'exited', exit_reason: event });
      rig.clock.advance(48 * HOUR);
      await rig.settle();
      expect(await rig.messages(id)).toHaveLength(1);
    },
  );

  it('a reply ends it immediately, but an automatic one does not', async () => {
    const { id, message } = await started();
    await rig.answers(message, 'vacation');
    await rig.settle();
    expect(await statusOf(id)).toMatchObject({ status: 'active' });
    await rig.answers(message);
    await rig.settle();
    expect(await statusOf(id)).toMatchObject({ status: 'exited', exit_reason: 'replied' });
  });

  it('a goal ends it, unless a machine reached it', async () => {
    const { id, message } = await started({ goal: { event: 'clicked' } });
    await rig.happens(message, 'clicked', { machine: true });
    await rig.settle();
    expect(await statusOf(id)).toMatchObject({ status: 'active' });
    await rig.happens(message, 'clicked', { url: 'x","machine":true' });
    await rig.settle();
    expect(await statusOf(id)).toMatchObject({ status: 'exited', exit_reason: 'goal' });
  });

  it('a tag can be a goal', async () => {
    const { id } = await started({ goal: { event: 'contact_tagged', tag: 'bought' } });
    await rig.store.commit([
      update(contacts, { set: { tags: '["bought"]' }, where: { email_key: 'ann@example.com' } }),
    ]);
    rig.clock.advance(24 * HOUR);
    await rig.settle();
    expect(await statusOf(id)).toMatchObject({ status: 'exited', exit_reason: 'goal' });
  });

  it('a suppression without an event is noticed at the next step', async () => {
    const { id } = await started();
    const now = rig.clock.now();
    await rig.store.commit([
      suppress({
        row: {
          id: newId('sup', now),
          environment_id: rig.scope.environmentId,
          sub_tenant_key: '',
          email: 'ann@example.com',
          email_key: 'ann@example.com',
          reason: 'manual',
          message_public_id: null,
          reply: null,
          created_at: now,
        },
      }),
    ]);
    rig.clock.advance(24 * HOUR);
    await rig.settle();
    expect(await statusOf(id)).toMatchObject({ status: 'exited', exit_reason: 'suppressed' });
    const [, skipped] = await rig.messages(id);
    expect(skipped).toMatchObject({ status: 'suppressed', variant: 'step_3', to_key: 'ann@example.com' });
    const trail = await rig.store.events.auditTrailOfMessage(skipped?.id ?? 0);
    expect(trail.map(({ event, detail }) => [event, detail])).toEqual([
      ['suppressed', '{"metadata":{"reason":"manual"}}'],
    ]);
    rig.clock.advance(24 * HOUR);
    await rig.settle();
    expect(await rig.messages(id)).toHaveLength(2);
  });

  it('a deleted contact leaves the sequence', async () => {
    const { id } = await started();
    const contact = await rig.store.contacts.contactByAddress(rig.scope, 'ann@example.com');
    await rig.store.commit([removeContact({ id: contact?.id ?? '', at: 1 })]);
    rig.clock.advance(24 * HOUR);
    await rig.settle();
    expect(await rig.enrollments(id)).toEqual([]);
  });

  it("an event of another sequence's message has no effect", async () => {
    const { id } = await started();
    const other = await rig.addSequence({ steps });
    await rig.enroll(other, 'ann@example.com');
    await rig.settle();
    const [message] = await rig.messages(other);
    await rig.happens(message?.public_id ?? '', 'opened');
    await rig.settle();
    expect(await statusOf(id)).toMatchObject({ status: 'active' });
    await rig.happens(message?.public_id ?? '', 'bounced');
    await rig.settle();
    expect(await statusOf(other)).toMatchObject({ status: 'exited', exit_reason: 'bounced' });
  });
});

describe('a sequence that cannot send', () => {
  it('pauses itself without a postal address, and continues when resumed', async () => {
    const id = await rig.addSequence({ steps: [SEND] });
    await rig.addContact('ann@example.com');
    await rig.enroll(id, 'ann@example.com');
    await rig.setOrganization({ postal_address: null });
    await rig.settle();
    expect((await rig.ask('GET', `/v1/sequences/${id}`)).json).toMatchObject({
      status: 'paused',
      problem: { code: 'postal_address_required' },
    });
    expect(await statusOf(id)).toMatchObject({ status: 'active', step: 'step_1' });
    await rig.setOrganization({ postal_address: '1 Main Street' });
    const resumed = await rig.ask('POST', `/v1/sequences/${id}/resume`);
    expect(resumed.json).toMatchObject({ status: 'active', problem: null });
    await rig.settle();
    expect(await rig.messages(id)).toHaveLength(1);
  });

  it('uses up the quota, and continues automatically on the next day', async () => {
    const plans = new Map([['unlimited', { dailySends: 2, monthlySends: null, types: {} }]]);
    const limited = rig.otherSequences(plans);
    const key = rig.keys.live;
    const body = {
      name: 'Live',
      trigger: { type: 'contact_created' },
      steps: [SEND],
      from: 'news@sender.example',
    };
    const created = await rig.ask('POST', '/v1/sequences', { body, key });
    for (let i = 0; i < 5; i++) await rig.addContact(`c${i}@example.com`, {}, 'live');
    await rig.settle(limited);
    const answer = await rig.ask('GET', `/v1/sequences/${String(created.json.id)}`, { key });
    expect(answer.json).toMatchObject({ status: 'active', problem: { code: 'quota_exceeded' } });
    const path = `/v1/sequences/${String(created.json.id)}`;
    const analytics = async () => (await rig.ask('GET', `${path}/analytics`, { key })).json as object;
    expect(await analytics()).toMatchObject({ entered: 5, active: 3, completed: 2 });
    // Contacts that join meanwhile are included.
    await rig.addContact('later@example.com', {}, 'live');
    await rig.settle(limited);
    expect(await analytics()).toMatchObject({ entered: 6, active: 4, completed: 2 });
    for (const completed of [4, 6]) {
      rig.clock.advance(24 * HOUR);
      await rig.settle(limited);
      expect(await analytics()).toMatchObject({ completed });
    }
    expect((await rig.ask('GET', path, { key })).json).toMatchObject({
      status: 'active',
      problem: null,
    });
  });

  it('sends nothing once it is paused, even mail in preparation', async () => {
    const id = await rig.addSequence({ steps: [SEND] });
    await rig.addContact('ann@example.com');
    await rig.enroll(id, 'ann@example.com');
    const round = rig.sequences.step();
    await rig.ask('POST', `/v1/sequences/${id}/pause`);
    const before = (await rig.messages(id)).length;
    await round;
    expect(await rig.messages(id)).toHaveLength(before);
  });
});

describe('triggers', () => {
  it('enroll each contact once, in the sequences of its scope', async () => {
    const tenant = await rig.program.addTenant('shop');
    const trigger = { type: 'contact_tagged', tag: 'vip' };
    const own = await rig.addSequence({ trigger, steps: [{ type: 'wait', hours: 1 }] });
    const tenants = await rig.addSequence({ trigger, steps: [SEND], sub_tenant_id: tenant });
    const paused = await rig.addSequence({ trigger, steps: [SEND], status: 'paused' });
    await rig.addContact('ann@example.com', { tags: ['vip', 'x'] });
    await rig.addContact('tom@example.com', { tags: ['vip'], sub_tenant_id: tenant });
    await rig.addContact('other@example.com', { tags: ['x'] });
    expect((await rig.enrollments(own)).map(({ email }) => email)).toEqual(['ann@example.com']);
    expect((await rig.enrollments(tenants)).map(({ email }) => email)).toEqual(['tom@example.com']);
    expect(await rig.enrollments(paused)).toEqual([]);
    await rig.settle();
    rig.clock.advance(HOUR);
    await rig.settle();
    expect(await statusOf(own)).toMatchObject({ status: 'completed' });
    const contact = await rig.store.contacts.contactByAddress(rig.scope, 'ann@example.com');
    for (const tags of ['[]', '["vip"]']) {
      const set = { tags, updated_at: 1 };
      await rig.store.commit([changeContact({ id: contact?.id ?? '', set })]);
    }
    expect(await rig.enrollments(own)).toHaveLength(1);
  });
});

describe('many contacts', () => {
  it("in one sequence don't delay another with few", async () => {
    await rig.close();
    rig = await startAudienceRig({ mode: 'test', settings: { sequenceBatch: 5 } });
    const crowded = await rig.addSequence({ steps: [SEND] });
    const small = await rig.addSequence({ steps: [SEND] });
    for (let i = 0; i < 12; i++) {
      await rig.addContact(`c${i}@example.com`);
      await rig.enroll(crowded, `c${i}@example.com`);
    }
    await rig.enroll(small, 'c11@example.com');
    await rig.sequences.step();
    expect(await rig.messages(small)).toHaveLength(1);
    expect(await rig.messages(crowded)).toHaveLength(5);
    await rig.settle();
    expect(await rig.messages(crowded)).toHaveLength(12);
  });

  it('get one message each from two processes on one store', async () => {
    const id = await rig.addSequence({ steps: [SEND, SEND] });
    for (let i = 0; i < 20; i++) {
      await rig.addContact(`c${i}@example.com`);
      await rig.enroll(id, `c${i}@example.com`);
    }
    const other = rig.otherSequences();
    for (let i = 0; i < 6; i++) await Promise.all([rig.sequences.step(), other.step()]);
    const made = (await rig.messages(id)).map(({ to_email, variant }) => `${to_email} ${variant ?? ''}`);
    expect(new Set(made).size).toBe(40);
    expect(made).toHaveLength(40);
  });
});

it('runs the sequences of a workspace on one of several nodes', async () => {
  const room = sharedRoom(false);
  const others = rig.otherSequences(undefined, room);
  const id = await rig.addSequence({ steps: [SEND, { type: 'wait', hours: 1 }, SEND], exit_on: ['replied'] });
  await rig.addContact('ann@example.com');
  await rig.enroll(id, 'ann@example.com');
  expect([await others.step(), await others.follow()]).toEqual([false, false]);
  expect(await rig.messages(id)).toHaveLength(0);
  room.isMine = true;
  await others.step();
  const [message] = await rig.messages(id);
  await rig.answers(message?.public_id ?? '');
  room.isMine = false;
  await others.follow();
  expect(await statusOf(id)).toMatchObject({ status: 'active' });
  room.isMine = true;
  await others.follow();
  expect(await statusOf(id)).toMatchObject({ status: 'exited' });
});
