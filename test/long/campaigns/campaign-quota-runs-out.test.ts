// Tests a campaign that exceeds the rest of the plan: as many copies as the plan allows are delivered, and the others wait.
// Sending continues automatically the next day or on a larger plan, without a resume.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { usageDays } from '../../../src/accounts/quota.rules.js';
import {
  countTrail,
  measuresOf,
  namesOf,
  startCampaignProgram,
  type CampaignAnswer,
  type CampaignProgram,
} from '../../support/campaign-program.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

const FREE_DAILY = 500;
const LIVE = 1;

let program: CampaignProgram;

beforeAll(async () => {
  // Batches that do not divide the remaining plan evenly.
  program = await startCampaignProgram({ env: tuned({ campaignBatch: 30 }) });
});
afterAll(() => program.close());

async function setUsed(sends: number): Promise<void> {
  await program.appliance.query('DELETE FROM usage');
  if (sends === 0) return;
  await program.appliance.query(
    `INSERT INTO usage (environment_id, day, type, sends) VALUES (?, ?, 'marketing', ?)`,
    LIVE,
    usageDays(Date.now()).today,
    sends,
  );
}

/** Moves the use of the plan to yesterday. */
async function nextDay(): Promise<void> {
  await program.appliance.query('UPDATE usage SET day = day - 1');
}

const setPlan = (plan: string) => program.appliance.query('UPDATE organizations SET plan = ?', plan);

const used = async (): Promise<number> => Number((await program.ask('GET', '/v1/usage')).day.used);

function waitsForPlan(id: string): Promise<CampaignAnswer> {
  return waitFor(
    `${id} to wait for its plan`,
    () => program.campaign(id),
    ({ problem }) => problem !== null,
    30_000,
  );
}

function expectOnceEach(copies: ReadonlyMap<string, number>, people: number): void {
  expect(copies.size).toBe(people);
  expect([...copies.values()].filter((count) => count !== 1)).toEqual([]);
}

it('sends up to the quota, and the rest the next day', async () => {
  const people = FREE_DAILY + 40;
  await setPlan('free');
  const id = await program.addCampaign(await program.addList(namesOf(people)));
  await program.act(id, 'send');
  expect(await waitsForPlan(id)).toMatchObject({
    status: 'sending',
    paused_at: null,
    problem: { code: 'quota_exceeded', message: expect.stringContaining('500 sends a day') as string },
  });
  await program.arrived(FREE_DAILY, 30_000);
  const waiting = { created: FREE_DAILY, skipped: 0, failed: 0, waiting: 40 };
  expect((await program.counted(id)).recipients).toEqual(waiting);
  expect(await used()).toBe(FREE_DAILY);
  const single = await program.appliance.api('POST', '/v1/messages', { body: program.draft('somebody') });
  expect(single).toMatchObject({ status: 402, json: { error: { code: 'quota_exceeded' } } });

  await nextDay();
  await program.reachedBy(id, 'sent', 25_000);
  expect(await program.campaign(id)).toMatchObject({ problem: null });
  await program.arrived(people);
  expectOnceEach(program.copies(), people);
  expect(await used()).toBe(40);
  const { totals } = await program.counted(id);
  expect(totals).toMatchObject({
    ...measuresOf(await countTrail(program, id)),
    delivered: people,
    queued: people,
  });
});

it("distinguishes a person's pause", async () => {
  await setPlan('free');
  await setUsed(FREE_DAILY - 5);
  const before = program.mails().length;
  const id = await program.addCampaign(await program.addList(namesOf(20, 'p'), 'Paused'));
  await program.act(id, 'send');
  await waitsForPlan(id);
  await program.arrived(before + 5);
  expect(await program.act(id, 'pause')).toMatchObject({ status: 'paused', problem: null });
  await setPlan('unlimited');
  expect(await program.act(id, 'resume')).toMatchObject({ status: 'sending', problem: null });
  await program.reachedBy(id, 'sent', 25_000);
  await program.arrived(before + 20);
  expectOnceEach(program.copies(before), 20);
});

it('two campaigns and single messages share the quota, even if the server is killed', async () => {
  const room = 60;
  await setPlan('free');
  await setUsed(FREE_DAILY - room);
  const before = program.mails().length;
  const lists = [await program.addList(namesOf(50, 'x'), 'X'), await program.addList(namesOf(50, 'y'), 'Y')];
  const ids = await Promise.all(lists.map((list) => program.addCampaign(list)));
  const singles = Array.from({ length: 30 }, (_, i) => async (): Promise<boolean> => {
    const body = program.draft(`z${i}`);
    return (await program.appliance.api('POST', '/v1/messages', { body })).status < 300;
  });
  await Promise.all(ids.map((id) => program.act(id, 'send')));
  const answers = await Promise.all(singles.map((send) => send()));
  await program.arrived(before + 1);
  await program.appliance.end('SIGKILL');
  await program.appliance.startHere();
  const accepted = answers.filter(Boolean).length;
  const made = await waitFor(
    'one to wait for the plan, and the other to be through or to wait too',
    async () => ({
      campaigns: await Promise.all(ids.map((id) => program.campaign(id))),
      rows: await program.appliance.query(
        'SELECT SUM(created) AS n FROM campaigns WHERE id IN (?, ?)',
        ...ids,
      ),
    }),
    ({ campaigns, rows }) =>
      campaigns.some(({ problem }) => problem !== null) && Number(rows[0]?.['n']) + accepted >= room,
    30_000,
  );
  expect(Number(made.rows[0]?.['n']) + accepted).toBe(room);
  expect(await used()).toBe(FREE_DAILY);
  await setPlan('unlimited');
  for (const id of ids) await program.reachedBy(id, 'sent', 25_000);
  const rows = await program.appliance.query(
    'SELECT to_key, COUNT(*) AS n FROM messages WHERE campaign_id IN (?, ?) GROUP BY to_key',
    ...ids,
  );
  expect(rows).toHaveLength(100);
  expect(rows.filter(({ n }) => n !== 1)).toEqual([]);
  expect(await used()).toBe(FREE_DAILY - room + 100 + accepted);
});
