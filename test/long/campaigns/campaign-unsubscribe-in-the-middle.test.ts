// Tests that a queued copy is not sent if its recipient unsubscribes while the campaign is being sent.
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  countTrail,
  measuresOf,
  namesOf,
  ONE_BY_ONE,
  startCampaignProgram,
  type CampaignProgram,
} from '../../support/campaign-program.js';
import { fieldOf } from '../../support/raw-mail.js';

const PEOPLE = 24;

let program: CampaignProgram;
let listId: string;

beforeAll(async () => {
  program = await startCampaignProgram({ process: 'shared', env: ONE_BY_ONE });
  listId = await program.addList(namesOf(PEOPLE));
});
afterAll(() => program.close());

/** The path of the unsubscribe link in the last mail to an address. */
function pathOf(address: string): string {
  const mail = program.mails().findLast(({ rcptTo }) => rcptTo[0] === address);
  if (!mail) throw new Error(`no mail for ${address}`);
  return /<https?:\/\/[^/>]+(\/u\/[^>]+)>/.exec(fieldOf(mail.raw, 'List-Unsubscribe') ?? '')?.[1] ?? '';
}

async function postForm(path: string, fields: Record<string, string>): Promise<number> {
  const body = new URLSearchParams(fields);
  return (await fetch(`${program.appliance.url}${path}`, { method: 'POST', body })).status;
}

it("one click, the list's page and a suppression by the API each stop the copy", async () => {
  const first = await program.addCampaign(listId);
  await program.act(first, 'send');
  await program.reachedBy(first, 'sent');
  expect(program.copies().size).toBe(PEOPLE);

  program.behaviour.thinksMs = 250;
  const second = await program.addCampaign(listId);
  await program.act(second, 'send');
  await program.arrived(PEOPLE + 3);
  const waiting = await program.messagesOf(second, 'queued');
  const [everything, page, byApi] = waiting;
  if (!everything || !page || !byApi) throw new Error('Nobody waits.');
  // Newest first, the last ones to be sent.
  expect(waiting.length).toBeGreaterThan(6);
  expect(await postForm(pathOf(everything.to), { 'List-Unsubscribe': 'One-Click' })).toBe(200);
  expect(await postForm(pathOf(page.to), { leave: 'list' })).toBe(200);
  await program.ask('POST', '/v1/suppressions', { email: byApi.to, reason: 'manual' });
  expect(program.copies(PEOPLE).size).toBeLessThan(PEOPLE - 3);

  await program.reachedBy(second, 'sent', 25_000);
  const left = [
    { ...everything, reason: 'unsubscribe' },
    { ...page, reason: 'left_list' },
    { ...byApi, reason: 'manual' },
  ];
  for (const { id, reason } of left) {
    expect(await program.message(id)).toMatchObject({ status: 'suppressed' });
    const trail = await program.trail(id);
    expect(trail.at(-1)).toMatchObject({ event: 'suppressed', metadata: { reason } });
    expect(trail.map(({ event }) => event)).not.toContain('sent');
  }
  const arrived = program.copies(PEOPLE);
  expect(arrived.size).toBe(PEOPLE - left.length);
  expect([...arrived.values()].every((count) => count === 1)).toBe(true);
  for (const { to } of left) expect(arrived.has(to)).toBe(false);

  const { totals, by_status: byStatus } = await program.counted(second);
  expect(totals).toMatchObject(measuresOf(await countTrail(program, second)));
  expect(totals).toMatchObject({ queued: PEOPLE, delivered: PEOPLE - left.length, suppressed: left.length });
  expect(byStatus).toMatchObject({ delivered: PEOPLE - left.length, suppressed: left.length });
  // The unsubscribe is attributed to the campaign whose mail it came from.
  expect((await program.counted(first)).totals).toMatchObject({ unsubscribed: 2 });
});

it('a later campaign skips these contacts from the start, with the reason', async () => {
  program.behaviour.thinksMs = 0;
  const third = await program.addCampaign(listId);
  await program.act(third, 'send');
  await program.reachedBy(third, 'sent');
  const { recipients, skipped, total } = await program.counted(third);
  // People who left the list are not in its audience.
  expect(total).toBe(PEOPLE - 1);
  expect(recipients).toMatchObject({ created: PEOPLE - 3, skipped: 2 });
  expect(skipped).toEqual({ unsubscribe: 1, manual: 1 });
});
