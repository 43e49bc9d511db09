// A plan's quota that runs out in the middle of a campaign: it is used to the last send, the campaign pauses itself and
// says why, and the rest goes when there is quota again.
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { usageDays } from '../../src/rules/quota.js';
import {
  countTrail,
  measuresOf,
  namesOf,
  startCampaignProgram,
  type CampaignProgram,
} from '../support/campaign-program.js';

const PEOPLE = 60;
const FREE_DAILY = 500;
const ROOM = 35;
const LIVE = 1;

let program: CampaignProgram;

beforeAll(async () => {
  // Batches that the room is no multiple of.
  program = await startCampaignProgram({ process: 'shared', env: { POSTHORN_CAMPAIGN_BATCH: '10' } });
});
afterAll(() => program.close());

function change(statement: string, ...values: unknown[]): void {
  const db = new Database(join(program.appliance.dataDir, 'posthorn.db'), { timeout: 5_000 });
  db.prepare(statement).run(...values);
  db.close();
}

it('pauses, loses nobody, and goes on', async () => {
  const listId = await program.addList(namesOf(PEOPLE));
  change(`UPDATE organizations SET plan = 'free'`);
  change(
    `INSERT INTO usage (environment_id, day, type, sends) VALUES (?, ?, 'marketing', ?)`,
    LIVE,
    usageDays(Date.now()).today,
    FREE_DAILY - ROOM,
  );
  const id = await program.addCampaign(listId);
  await program.act(id, 'send');
  const paused = await program.reachedBy(id, 'paused');
  expect(paused.problem).toEqual({
    code: 'quota_exceeded',
    message: `The plan allows ${FREE_DAILY} sends a day; ${FREE_DAILY} are used.`,
  });
  expect((await program.counted(id)).recipients).toEqual({
    made: ROOM,
    skipped: 0,
    failed: 0,
    waiting: PEOPLE - ROOM,
  });

  // Without more quota it comes to nothing.
  await program.act(id, 'resume');
  await program.reachedBy(id, 'paused');
  expect((await program.messagesOf(id)).length).toBe(ROOM);

  change('DELETE FROM usage');
  expect(await program.act(id, 'resume')).toMatchObject({ status: 'sending', problem: null });
  await program.reachedBy(id, 'sent');
  const copies = program.copies();
  expect(copies.size).toBe(PEOPLE);
  expect([...copies.values()].filter((count) => count !== 1)).toEqual([]);
  const { totals } = await program.counted(id);
  expect(totals).toMatchObject({ ...measuresOf(countTrail(program, id)), delivered: PEOPLE, queued: PEOPLE });
});

it('one whose batches are larger than a whole plan goes on by what there is', async () => {
  await program.appliance.end('SIGTERM');
  await program.appliance.start({ POSTHORN_CAMPAIGN_BATCH: '200' });
  change('DELETE FROM usage');
  change(
    `INSERT INTO usage (environment_id, day, type, sends) VALUES (?, ?, 'marketing', ?)`,
    LIVE,
    usageDays(Date.now()).today,
    FREE_DAILY - 5,
  );
  const before = program.mails().length;
  const id = await program.addCampaign(await program.addList(namesOf(20), 'Others'));
  await program.act(id, 'send');
  await program.reachedBy(id, 'paused');
  expect((await program.messagesOf(id)).length).toBe(5);
  // What is made before the pause waits for it to end too.
  change(`UPDATE organizations SET plan = 'unlimited'`);
  await program.act(id, 'resume');
  await program.reachedBy(id, 'sent');
  expect(program.copies(before).size).toBe(20);
  expect(program.mails().length - before).toBe(20);
});
