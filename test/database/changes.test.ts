// Tests kinds of changes, parts and signals, which nouns define and the committer does not know.
import { describe, expect, it } from 'vitest';
import { consumers } from '../../src/events/events.tables.js';
import { Refusal } from '../../src/contract/refusal.js';
import { applyPlan, defineChange, type Plan } from '../../src/database/change.js';
import { createCommitter } from '../../src/database/committer.js';
import type { Part } from '../../src/database/parts.js';
import { afterUpdates, insert, insertedRow, remove, update, updates } from '../../src/database/rows.js';
import { defineSignal, onSignal, Signals } from '../../src/database/signals.js';
import { engineKinds, type OpenEngine } from '../support/open-engines.js';

const add = (name: string) => insert(consumers, { row: { name, workspace_number: 0, seq: 1 } });

describe('a kind of change', () => {
  const note = defineChange<{ text: string }>('note', () => undefined, { madeId: ({ text }) => text });

  it('recognizes its own changes and no others', () => {
    expect(note.is(note({ text: 'a' }))).toBe(true);
    expect(note.is(add('a'))).toBe(false);
    expect(note({ text: 'a' })).toMatchObject({ kind: 'note', text: 'a', madeId: 'a' });
  });

  it('of rows names the table and the row', () => {
    expect(insertedRow(add('a'), consumers)).toMatchObject({ name: 'a' });
    expect(insertedRow(remove(consumers, { where: { name: 'a' } }), consumers)).toBeNull();
    expect(updates(update(consumers, { set: { seq: 2 }, where: {} }), consumers)).toBe(true);
  });
});

describe.each(engineKinds())('a transaction on $name', (kind) => {
  const log: string[] = [];
  const part = (name: string, order: number): Part<string[]> => ({
    order,
    open: () => {
      const kept: string[] = [];
      return {
        forPlan: () => [],
        keep: (words) => void kept.push(...words),
        save: () => void log.push(`${name}: ${kept.join(' ')}`),
      };
    },
  });
  const first = part('first', 1);
  const second = part('second', 2);
  const say = defineChange<{ part: Part<string[]>; word: string }>('say', (writing, change) => {
    writing.part(change.part).push(change.word);
  });
  const refuseAll = defineChange<object>('refuse', () => {
    throw new Refusal('conflict');
  });

  async function commitAll(opened: OpenEngine, plans: Plan[], signals = new Signals([])) {
    log.length = 0;
    const consequences = [
      afterUpdates(consumers, ['name', 'seq'], {
        concerns: ({ seq }) => seq !== undefined,
        apply: (_writing, { set }, rows) => {
          log.push(...rows.map(({ name, seq }) => `${name} is ${seq}, set ${String(set.seq)}`));
          return Promise.resolve();
        },
      }),
    ];
    const committer = createCommitter(opened.engine, { maxGroup: 10, signals, consequences });
    return Promise.allSettled(plans.map((plan) => committer.commit((writing) => applyPlan(writing, plan))));
  }
  const names = async ({ engine }: OpenEngine) =>
    (await engine.rows('SELECT name FROM consumers WHERE workspace_number = 0 ORDER BY name', [])).map(
      ({ name }) => name,
    );

  it('saves each part once, in order, without those of refused plans', async () => {
    const opened = await kind.openMigrated();
    const settled = await commitAll(opened, [
      [say({ part: second, word: 'a' }), say({ part: first, word: 'b' }), add('kept')],
      [say({ part: first, word: 'never' }), add('never'), refuseAll({})],
      [say({ part: first, word: 'c' })],
    ]);
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(log.slice(-2)).toEqual(['first: b c', 'second: a']);
    expect(await names(opened)).toEqual(['kept']);
    await opened.close();
  });

  it('includes the reactions of nouns to a signal, and is refused if one refuses', async () => {
    const opened = await kind.openMigrated();
    const happened = defineSignal<string>('happened');
    const happen = defineChange<{ name: string }>('happen', async (writing, { name }) => {
      await applyPlan(writing, [add(name)]);
      await writing.emit(happened, name);
    });
    const signals = new Signals([
      onSignal(happened, async (writing, name) => void (await applyPlan(writing, [add(`${name} again`)]))),
      onSignal(happened, (_writing, name) =>
        name === 'b' ? Promise.reject(new Refusal('conflict')) : Promise.resolve(),
      ),
    ]);
    await commitAll(opened, [[happen({ name: 'a' })], [happen({ name: 'b' })]], signals);
    expect(await names(opened)).toEqual(['a', 'a again']);
    await opened.close();
  });

  it('includes the consequences of an update, with the changed rows', async () => {
    const opened = await kind.openMigrated();
    await commitAll(opened, [
      [add('a'), add('b')],
      [update(consumers, { set: { seq: 5 }, where: { name: ['a', 'b', 'c'] } })],
      [update(consumers, { set: { name: 'z' }, where: { name: 'a' } })],
    ]);
    expect(log.toSorted()).toEqual(['a is 5, set 5', 'b is 5, set 5']);
    await opened.close();
  });
});
