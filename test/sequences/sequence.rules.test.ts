import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterSend,
  exitReason,
  keepInterval,
  walk,
  type ExitFacts,
  type ExitTerms,
  type Happened,
  type Place,
  type Walk,
} from '../../src/sequences/sequence.rules.js';
import {
  circleProblems,
  liveSteps,
  placeSteps,
  stepProblems,
  type GivenStep,
  type SequenceStep,
} from '../../src/sequences/steps.rules.js';

const HOUR = 3_600_000;
const at = (step: string, fields: Partial<Place> = {}): Place => ({
  step,
  since: 0,
  dueAt: 0,
  taken: 0,
  ...fields,
});
const send = (id: string): GivenStep & SequenceStep => ({
  id,
  type: 'send',
  template: 't',
  subject: null,
  variables: {},
});
const wait = (id: string, hours: number): SequenceStep => ({ id, type: 'wait', hours });
const branch = (id: string, nextStepId: string, hours = 24): SequenceStep => ({
  id,
  type: 'branch',
  event: 'opened',
  within_hours: hours,
  next_step_id: nextStepId,
});
const opened = (when: number): Happened => ({ messageId: 1, event: 'opened', at: when });
const options: Walk = { now: 0, last: null, maxSteps: 100 };

describe('walk', () => {
  const steps = [
    send('a'),
    wait('w', 1.5),
    branch('b', 'z'),
    send('c'),
    { id: 'x', type: 'exit' },
    send('z'),
  ] as SequenceStep[];

  it.each<[string, Place, Partial<Walk>, object]>([
    ['sends', at('a'), {}, { kind: 'send', step: { id: 'a' } }],
    [
      'is not at a send step early',
      at('a', { dueAt: 5 }),
      { now: 4 },
      { kind: 'rest', place: { step: 'a' } },
    ],
    ['begins a wait', at('w'), {}, { kind: 'rest', place: { step: 'w', dueAt: 1.5 * HOUR }, waitsFor: null }],
    [
      'keeps the time that was set',
      at('w', { dueAt: HOUR }),
      { now: HOUR - 1 },
      { kind: 'rest', place: { step: 'w', dueAt: HOUR } },
    ],
    [
      'waits at a branch',
      at('b'),
      { last: [] },
      { kind: 'rest', place: { step: 'b', dueAt: 24 * HOUR }, waitsFor: 'opened' },
    ],
    ['goes on at a branch without a message', at('b'), {}, { kind: 'send', step: { id: 'c' } }],
    [
      'goes to the target, before it is due',
      at('b', { dueAt: 24 * HOUR }),
      { now: HOUR, last: [opened(HOUR)] },
      { kind: 'send', step: { id: 'z' }, place: { taken: 1, since: HOUR } },
    ],
    [
      'takes an event of before',
      at('b', { since: 10 * HOUR, dueAt: 10 * HOUR }),
      { now: 10 * HOUR, last: [opened(HOUR)] },
      { kind: 'send', step: { id: 'z' } },
    ],
    [
      'takes no event of after the time',
      at('b', { dueAt: 24 * HOUR }),
      { now: 50 * HOUR, last: [opened(30 * HOUR)] },
      { kind: 'send', step: { id: 'c' } },
    ],
    ['exits', at('x'), {}, { kind: 'end', status: 'exited', reason: 'exit' }],
    ['knows no such step', at('?'), {}, { kind: 'end', status: 'failed', reason: 'step_missing' }],
    [
      'stops a circle',
      at('a', { taken: 100 }),
      {},
      { kind: 'end', status: 'failed', reason: 'too_many_steps' },
    ],
  ])('%s', (_name, place, given, expected) => {
    expect(walk(steps, place, { ...options, ...given })).toMatchObject(expected);
  });

  it('collapses steps without a wait', () => {
    const many = [wait('1', 0), branch('2', '1', 0), wait('3', 0), send('4')];
    expect(walk(many, at('1'), { ...options, last: [] })).toMatchObject({
      kind: 'send',
      place: { taken: 3 },
    });
  });

  it('ends a loop of branches', () => {
    const circle = [branch('1', '2'), branch('2', '1')];
    const walked = walk(circle, at('1'), { ...options, last: [opened(0)] });
    expect(walked).toMatchObject({ kind: 'end', reason: 'too_many_steps' });
  });

  it('waits at the next step after a send, and completes after the last one', () => {
    expect(afterSend(steps, at('a'), { now: 7, maxSteps: 9 })).toMatchObject({
      kind: 'rest',
      place: { step: 'w', since: 7, dueAt: 7 + 1.5 * HOUR, taken: 1 },
    });
    expect(afterSend(steps, at('z'), { now: 7, maxSteps: 9 })).toMatchObject({
      kind: 'end',
      status: 'completed',
    });
    expect(afterSend([send('1'), send('2')], at('1'), { now: 7, maxSteps: 9 })).toMatchObject({
      kind: 'rest',
      place: { step: '2', dueAt: 7 },
    });
  });
});

describe('exitReason', () => {
  const terms: ExitTerms = { type: 'marketing', exitOn: ['replied'], goal: null, steps: [] };
  const facts: ExitFacts = {
    contact: { status: 'active', tags: [] },
    blocked: null,
    hasLeftList: false,
    happened: [],
  };
  const happened = (event: Happened['event']): Partial<ExitFacts> => ({
    happened: [{ messageId: 1, event, at: 0 }],
  });
  const bounceBranch = {
    steps: [
      { id: 'b', type: 'branch', event: 'bounced', within_hours: 1, next_step_id: 'b' },
    ] as SequenceStep[],
  };
  it.each<[string, Partial<ExitTerms>, Partial<ExitFacts>, string | null]>([
    ['nothing', {}, {}, null],
    ['an open', {}, happened('opened'), null],
    ['a deleted contact', {}, { contact: null }, 'contact_deleted'],
    ['a reply', {}, happened('replied'), 'replied'],
    ['a reply that is not asked for', { exitOn: [] }, happened('replied'), null],
    ['the goal before the reply', { goal: { event: 'replied' } }, happened('replied'), 'goal'],
    [
      'the goal of a tag',
      { goal: { event: 'contact_tagged', tag: 'vip' } },
      { contact: { status: 'active', tags: ['vip'] } },
      'goal',
    ],
    [
      'another tag',
      { goal: { event: 'contact_tagged', tag: 'vip' } },
      { contact: { status: 'active', tags: ['x'] } },
      null,
    ],
    ['a bounce', { exitOn: [] }, happened('bounced'), 'bounced'],
    ['a bounce that a branch asks for', bounceBranch, happened('bounced'), null],
    ['such a bounce that suppresses', bounceBranch, { ...happened('bounced'), blocked: 'bounce' }, 'bounced'],
    ['an opt-out, always for marketing', { exitOn: [] }, happened('unsubscribed'), 'unsubscribed'],
    [
      'an opt-out of transactional mail',
      { type: 'transactional', exitOn: [] },
      happened('unsubscribed'),
      null,
    ],
    [
      'the same when asked for',
      { type: 'transactional', exitOn: ['unsubscribed'] },
      happened('unsubscribed'),
      'unsubscribed',
    ],
    ['an opted-out contact', {}, { contact: { status: 'unsubscribed', tags: [] } }, 'unsubscribed'],
    [
      'the same, transactional',
      { type: 'transactional', exitOn: [] },
      { contact: { status: 'unsubscribed', tags: [] } },
      null,
    ],
    ['a manual suppression', {}, { blocked: 'manual' }, 'suppressed'],
    ['leaving the list', {}, { hasLeftList: true }, 'unsubscribed'],
  ])('%s', (_name, given, known, expected) => {
    expect(exitReason({ ...terms, ...given }, { ...facts, ...known })).toBe(expected);
  });
});

describe('loops', () => {
  const wait = (hours: number): GivenStep => ({ type: 'wait', hours });
  const back = (id: string, nextStepId: string): GivenStep => ({
    id,
    type: 'branch',
    event: 'delivered',
    within_hours: 100,
    next_step_id: nextStepId,
  });
  const exit: GivenStep = { type: 'exit' };
  it.each<[string, GivenStep[], string[]]>([
    ['none', [send('a'), wait(0), send('b')], []],
    ['a branch to itself', [send('a'), back('b', 'b')], ['steps.1.next_step_id']],
    ['back to the mail', [send('a'), back('b', 'a')], ['steps.1.next_step_id']],
    ['a wait that is too short', [send('a'), wait(0.99), back('b', 'a')], ['steps.2.next_step_id']],
    ['a wait of an hour', [send('a'), wait(1), back('b', 'a')], []],
    ['two waits that make an hour', [send('a'), wait(0.5), wait(0.5), back('b', 'a')], []],
    ['a wait before the circle', [wait(5), send('a'), back('b', 'a')], ['steps.2.next_step_id']],
    ['a branch forward', [back('x', 'b'), send('a'), send('b')], []],
    [
      'a way past the wait',
      [send('a'), back('x', 'b'), wait(9), back('b', 'a')],
      ['steps.1.next_step_id', 'steps.3.next_step_id'],
    ],
    [
      'the time of a branch counts for nothing',
      [send('a'), back('x', 'z'), back('b', 'a'), send('z')],
      ['steps.2.next_step_id'],
    ],
    ['an exit in between', [back('x', 'c'), send('a'), exit, send('c'), back('b', 'a')], []],
    ['two circles', [send('a'), back('b', 'a'), wait(2), back('c', 'a')], ['steps.1.next_step_id']],
  ])('%s', (_name, steps, expected) => {
    expect(circleProblems(steps, HOUR).map(({ path }) => path)).toEqual(expected);
    expect(circleProblems(steps, 0)).toEqual([]);
  });

  it('name the steps, or their positions without ids', () => {
    const [problem] = circleProblems([send('a'), wait(0.25), back('b', 'a')], HOUR);
    expect(problem?.message).toBe(
      'closes the loop a, steps.1, b, which only waits 0.25 hours. Add wait steps of at least 1 hour in total',
    );
  });
});

describe('keepInterval', () => {
  const mail = walk([send('a')], at('a'), { now: 5, last: null, maxSteps: 10 });
  it.each<[string, number | null, number, number | null]>([
    ['no mail before', null, 5, null],
    ['too soon', 3, 5, 13],
    ['a millisecond too soon', 3, 12, 13],
    ['at the end of it', 3, 13, null],
    ['a clock that was set back', 20, 5, 30],
    ['no interval', 30, 5, null],
  ])('%s', (name, lastMailAt, now, dueAt) => {
    const intervalMs = name === 'no interval' ? 0 : 10;
    const kept = keepInterval(mail, { now, lastMailAt, intervalMs });
    if (dueAt === null) expect(kept).toBe(mail);
    else expect(kept).toMatchObject({ kind: 'rest', place: { step: 'a', dueAt } });
  });
});

describe('steps', () => {
  it('report errors', () => {
    const steps: GivenStep[] = [
      { type: 'wait', hours: 1, id: 'A' },
      { type: 'exit', id: 'b' },
      { type: 'exit', id: 'b' },
      { type: 'branch', event: 'opened', within_hours: 1, next_step_id: 'nowhere' },
    ];
    expect(stepProblems(steps).map(({ path }) => path)).toEqual([
      'steps.0.id',
      'steps.2.id',
      'steps.3.next_step_id',
    ]);
  });

  it('never repeat an id', () => {
    const first = placeSteps(
      [
        { type: 'wait', hours: 1 },
        { type: 'wait', hours: 2 },
      ],
      [],
    );
    expect(first.map(({ id }) => id)).toEqual(['step_1', 'step_2']);
    const second = placeSteps([{ type: 'wait', hours: 1, id: 'step_1' }], first);
    const third = placeSteps([{ type: 'wait', hours: 3 }], second);
    expect(liveSteps(third).map(({ id }) => id)).toEqual(['step_3']);
  });

  it('move contacts at a removed step to the next existing one', () => {
    const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), { minLength: 1 });
    const give = (list: string[]): GivenStep[] => list.map((id) => ({ id, type: 'wait', hours: 0 }));
    fc.assert(
      fc.property(ids, fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }), (all, keeps) => {
        const before = placeSteps(give(all), []);
        const kept = all.filter((_, i) => keeps[i]);
        fc.pre(kept.length > 0);
        const after = placeSteps(give(kept), before);
        expect(liveSteps(after).map(({ id }) => id)).toEqual(kept);
        for (const [i, id] of all.entries()) {
          const expected = all.slice(i).find((candidate) => kept.includes(candidate)) ?? null;
          const place = after.findIndex((step) => step.id === id);
          const next = after.slice(place).find((step) => step.type !== 'removed');
          expect(next?.id ?? null).toBe(expected);
        }
      }),
    );
  });
});
