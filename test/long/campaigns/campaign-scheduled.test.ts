// Tests that a scheduled campaign is sent even if the program was down at its time, and that the audience is the list at that
// time.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { namesOf, startCampaignProgram, type CampaignProgram } from '../../support/campaign-program.js';

let program: CampaignProgram;
let listId: string;

beforeAll(async () => {
  program = await startCampaignProgram();
  listId = await program.addList(namesOf(5));
});
afterAll(() => program.close());

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

it('starts on time after a restart, and if its time passed during downtime', async () => {
  const { appliance } = program;
  const [soon, missed] = [await program.addCampaign(listId), await program.addCampaign(listId)];
  await program.act(missed, 'send', { scheduled_at: inMs(3_600_000) });
  expect(await program.campaign(missed)).toMatchObject({ status: 'scheduled' });
  await appliance.end('SIGKILL');
  // Its time has passed when the program is back.
  await program.appliance.query(
    'UPDATE campaigns SET scheduled_at = ? WHERE id = ?',
    Date.now() - 1_000,
    missed,
  );
  expect(program.mails()).toHaveLength(0);
  await appliance.startHere();
  await program.reachedBy(missed, 'sent');
  expect(program.copies().size).toBe(5);

  await program.act(soon, 'send', { scheduled_at: inMs(3_600_000) });
  await appliance.end('SIGTERM');
  await appliance.startHere();
  const body = { email: program.addressOf('late') };
  await program.ask('POST', `/v1/lists/${listId}/contacts`, body);
  expect(await program.campaign(soon)).toMatchObject({ status: 'scheduled' });
  expect(program.mails()).toHaveLength(5);
  const scheduledAt = Date.now() + 500;
  await program.appliance.query('UPDATE campaigns SET scheduled_at = ? WHERE id = ?', scheduledAt, soon);
  const sent = await program.reachedBy(soon, 'sent', 25_000);
  expect(sent).toMatchObject({ stats: { recipients: 6 } });
  expect(program.copies(5).get(program.addressOf('late'))).toBe(1);
  const [row] = await program.appliance.query('SELECT started_at FROM campaigns WHERE id = ?', soon);
  expect(Number(row?.['started_at'])).toBeGreaterThanOrEqual(scheduledAt);
}, 60_000);
