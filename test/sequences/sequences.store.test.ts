// Tests enrollments in the store on every engine: triggers, the guard of a step, and the reads of the room.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/runtime/index.js';
import { createStore, type Store } from '../../src/app/store.js';
import { engineKinds, type OpenEngine } from '../support/open-engines.js';
import { newMessage, newWorld, NOW, type World } from '../database/contract/builders.js';
import { SEQUENCE } from '../support/audience-rows.js';
import {
  EnrollmentRace,
  type TakeStep,
  takeStep,
  retryEnrollments,
  enrollContact,
} from '../../src/sequences/enrollment-changes.store.js';
import type { Change } from '../../src/database/change.js';
import { sequences } from '../../src/sequences/sequences.tables.js';
import { insert, update } from '../../src/database/rows.js';
import { putContact } from '../../src/contacts/contact-changes.store.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';
import { templates, templateVersions } from '../../src/templates/templates.tables.js';
import { contactLists } from '../../src/contacts/lists/lists.tables.js';

const STEPS = JSON.stringify([{ id: 'a', type: 'exit' }]);

describe.each(engineKinds())('sequences on $name', (kind) => {
  let opened: OpenEngine;
  let store: Store;
  let world: World;

  beforeAll(async () => {
    opened = await kind.openMigrated();
    store = createStore(opened.engine, { maxGroup: 50 });
    world = await newWorld(store);
  }, 120_000);

  afterAll(async () => {
    await store.drain();
    await opened.close();
  });

  async function addSequence(fields: { kind?: 'contact_created' | 'contact_tagged'; value?: string } = {}) {
    const id = newId('seq', NOW);
    await store.commit([
      insert(sequences, {
        row: {
          ...SEQUENCE,
          id,
          environment_id: world.test.environmentId,
          name: 'S',
          type: 'marketing',
          trigger_kind: fields.kind ?? 'contact_created',
          trigger_value: fields.value ?? '',
          steps: STEPS,
          status: 'active',
          created_at: NOW,
          updated_at: NOW,
        },
      }),
    ]);
    const row = await store.sequences.sequence(world.test, id);
    if (!row) throw new Error('It is not there.');
    return row;
  }

  function contact(email: string, tags: string[] = []): Change {
    const { environmentId } = world.test;
    return putContact({
      ifKnown: { code: 'conflict' },
      row: {
        id: newId('cnt', NOW),
        environment_id: environmentId,
        sub_tenant_id: null,
        email,
        email_key: email,
        name: null,
        phone: null,
        tags: JSON.stringify(tags),
        metadata: '{}',
        status: 'active',
        created_at: NOW,
        updated_at: NOW,
      },
    });
  }

  const to = (
    number: number,
    at: TakeStep['at'],
    hasMessage: boolean,
    end: Partial<TakeStep['set']> = {},
  ): Change =>
    takeStep({
      number,
      at,
      hasMessage,
      set: {
        status: 'active',
        exit_reason: null,
        step: 'b',
        step_since: NOW + 1,
        due_at: NOW + 2,
        waits_for: null,
        steps_taken: 1,
        updated_at: NOW + 1,
        ...end,
      },
    });

  it('begin with a trigger, and take each step once', async () => {
    const sequence = await addSequence();
    await store.commit([contact('a@x.example')]);
    const [due] = await store.sequences.dueEnrollments(sequence.number, NOW, 10);
    expect(due).toMatchObject({ step: 'a', email_key: 'a@x.example', status: 'active', due_at: NOW });
    const [placed] = await store.sequences.dueSequences(NOW);
    expect(placed?.scope).toEqual(world.test);
    expect(await store.sequences.dueSequences(NOW - 1)).toEqual([]);
    const number = due?.number ?? 0;
    const at = { step: 'a', stepSince: NOW, stepsTaken: 0 };
    const { messageIds } = await store.commit([
      acceptMessage({ message: newMessage(world.test) }),
      to(number, at, true),
    ]);
    expect(await store.sequences.enrolledBy(messageIds)).toEqual([number]);
    expect(await store.sequences.enrolledWith(world.test.environmentId, ['a@x.example'])).toEqual([number]);
    expect(await store.sequences.enrolledWith(world.test.environmentId, ['z@x.example'])).toEqual([]);
    const again = store.commit([acceptMessage({ message: newMessage(world.test) }), to(number, at, true)]);
    await expect(again).rejects.toBeInstanceOf(EnrollmentRace);
    const [active] = await store.sequences.activeOf([number]);
    expect(active?.enrollments[0]).toMatchObject({
      step: 'b',
      last_message_id: messageIds[0],
      steps_taken: 1,
    });
    expect((await store.sequences.happenedTo([number])).size).toBe(0);
    expect(await store.sequences.answeredBy(messageIds)).toEqual([]);
    expect(await store.sequences.unsubscribed('lst_x', ['a@x.example'])).toEqual(new Set());
    expect(await store.sequences.joinableList(world.test, 'lst_x')).toBeNull();
  });

  it('reactivate failed enrollments, the latest of each contact', async () => {
    const sequence = await addSequence({ kind: 'contact_tagged', value: 'retry' });
    await store.commit([contact('r1@x.example', ['retry']), contact('r2@x.example', ['retry'])]);
    const enrolled = await store.sequences.dueEnrollments(sequence.number, NOW, 10);
    const [first, second] = enrolled.map(({ number }) => number);
    if (first === undefined || second === undefined) throw new Error('They are not enrolled.');
    const fail = (number: number, at: TakeStep['at'], exit_reason: string) =>
      to(number, at, false, { status: 'failed', exit_reason });
    const start = { step: 'a', stepSince: NOW, stepsTaken: 0 };
    await store.commit([fail(first, start, 'content_required'), fail(second, start, 'too_many_steps')]);
    expect(await store.sequences.retryableEnrollments(sequence.number, 0, 10)).toEqual([first]);
    expect(await store.sequences.retryableEnrollments(sequence.number, first, 10)).toEqual([]);
    await store.commit([retryEnrollments({ numbers: [first], at: NOW + 5 })]);
    const [again] = await store.sequences.dueEnrollments(sequence.number, NOW + 5, 10);
    expect(again).toMatchObject({
      number: first,
      status: 'active',
      exit_reason: null,
      step: 'b',
      due_at: NOW + 5,
    });
    // Enrolled again since then, so only the later enrollment counts.
    const later = { step: 'b', stepSince: NOW + 5, stepsTaken: 1 };
    await store.commit([fail(first, later, 'content_required')]);
    if (again === undefined) throw new Error('It is not active.');
    const row = { ...again, id: newId('enr', NOW), number: undefined };
    await store.commit([enrollContact({ row, ifActive: 'ignore' })]);
    expect(await store.sequences.retryableEnrollments(sequence.number, 0, 10)).toEqual([]);
    await store.commit([retryEnrollments({ numbers: [first], at: NOW + 6 })]);
    expect(await store.sequences.dueEnrollments(sequence.number, NOW + 6, 10)).toHaveLength(1);
  });

  it('name the templates that they use', async () => {
    const { environmentId } = world.test;
    const id = newId('tpl', NOW);
    const times = { created_at: NOW, updated_at: NOW, deleted_at: null };
    const own = {
      environment_id: environmentId,
      sub_tenant_id: null,
      slug: 'used',
      name: 'Used',
      type: 'any' as const,
    };
    await store.commit([
      insert(templates, { row: { id, ...own, version: 1, ...times } }),
      insert(templateVersions, {
        row: {
          template_id: id,
          version: 1,
          subject: 's',
          html: null,
          text: 'x',
          inline_css: 0,
          design: null,
          created_at: NOW,
        },
      }),
    ]);
    const template = await store.templates.template(world.test, id);
    if (template === null) throw new Error('It is not there.');
    const uses = () => store.sequences.usingTemplate(world.test, template, store.templates.templateBySlug);
    expect(await uses()).toEqual([]);
    const sequence = await addSequence({ kind: 'contact_tagged', value: 'none' });
    const steps = JSON.stringify([{ id: 'a', type: 'send', template: 'used' }]);
    await store.commit([update(sequences, { set: { steps }, where: { number: sequence.number } })]);
    const list = {
      ...{ id: newId('lst', NOW), environment_id: environmentId, sub_tenant_id: null, name: 'L' },
      ...{ description: null, double_opt_in: 1 as const, confirmation_template_id: id, filter: null },
      ...{ contacts: 0, counted_at: null, form_key: null },
    };
    await store.commit([insert(contactLists, { row: { ...list, ...times } })]);
    expect(await uses()).toEqual([{ id: sequence.id, name: 'S', sub_tenant_id: null }]);
    expect(await store.lists.usingTemplate(world.test, id)).toEqual([
      { id: list.id, name: 'L', sub_tenant_id: null },
    ]);
  });

  it('send nothing while paused', async () => {
    const sequence = await addSequence({ kind: 'contact_tagged', value: 'vip' });
    await store.commit([contact('b@x.example', ['vip'])]);
    const [due] = await store.sequences.dueEnrollments(sequence.number, NOW, 10);
    const where = { number: sequence.number };
    await store.commit([update(sequences, { set: { status: 'paused' }, where })]);
    const at = { step: 'a', stepSince: NOW, stepsTaken: 0 };
    const sending = store.commit([
      acceptMessage({ message: newMessage(world.test) }),
      to(due?.number ?? 0, at, true),
    ]);
    await expect(sending).rejects.toBeInstanceOf(EnrollmentRace);
    await store.commit([to(due?.number ?? 0, at, false)]);
  });

  it('are counted and listed in slices', async () => {
    const sequence = await addSequence({ kind: 'contact_tagged', value: 'many' });
    for (let i = 0; i < 12; i++) await store.commit([contact(`m${i}@x.example`, ['many'])]);
    expect(await store.sequences.countEnrollments(sequence.number)).toEqual([
      { status: 'active', exitReason: null, step: 'a', n: 12 },
    ]);
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page = await store.sequences.enrollments(
        sequence.number,
        { limit: 5, after },
        { status: ['active'] },
      );
      seen.push(...page.rows.map(({ email }) => email));
      after = page.next;
    } while (after !== null);
    expect(seen).toEqual(Array.from({ length: 12 }, (_, i) => `m${11 - i}@x.example`));
  });
});
