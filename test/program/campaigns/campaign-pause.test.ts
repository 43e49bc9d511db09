// Tests that nothing of a campaign arrives from two seconds after the API has paused it, including queued copies. Resuming
// delivers the rest once; canceling while paused cancels the rest.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  countTrail,
  measuresOf,
  namesOf,
  startCampaignProgram,
  type CampaignProgram,
} from '../../support/campaign-program.js';
import { events } from '../../support/mail-rig.js';
import { isFullSize, sized } from '../../support/run-size.js';
import { waitFor } from '../../support/wait.js';

/** More than would arrive by the end of the guaranteed time. */
const PEOPLE = sized({ small: 160, full: 400 });
/** A mail on each of ten connections. */
const MAIL_MS = sized({ small: 250, full: 100 });
const PROMISED_MS = 2_000;
/** As long as all remaining mail would take to arrive. */
const WATCHED_MS = 1_500;

let program: CampaignProgram;
let listId: string;

beforeAll(async () => {
  program = await startCampaignProgram({ process: 'shared', sink: { thinksMs: MAIL_MS } });
  listId = await program.addList(namesOf(PEOPLE));
});
afterAll(() => program.close());

/** Sends and pauses a campaign, and checks that mail stops in time. `before` is the number of mails before the campaign. */
async function pausedInTheMiddle(): Promise<{ id: string; before: number }> {
  const before = program.mails().length;
  const id = await program.addCampaign(listId);
  await program.act(id, 'send');
  await program.arrived(before + 40);
  expect(await program.act(id, 'pause')).toMatchObject({ status: 'paused' });
  const answeredAt = Date.now();
  await pause(PROMISED_MS);
  const then = program.mails().length;
  expect(then - before).toBeLessThan(PEOPLE);
  await pause(WATCHED_MS);
  expect(program.mails().length - then, `${Date.now() - answeredAt} ms after the answer`).toBe(0);
  return { id, before };
}

it('stops within two seconds, and sends the rest once each when resumed', async () => {
  const { id, before } = await pausedInTheMiddle();
  expect((await program.messagesOf(id, 'queued')).length).toBeGreaterThan(0);
  await program.act(id, 'resume');
  await program.reachedBy(id, 'sent', 25_000);
  const copies = program.copies(before);
  expect(copies.size).toBe(PEOPLE);
  expect([...copies.values()].filter((count) => count !== 1)).toEqual([]);
  const { totals } = await program.counted(id);
  expect(totals).toMatchObject({
    ...measuresOf(await countTrail(program, id)),
    delivered: PEOPLE,
    deferred: 0,
  });
});

it.runIf(isFullSize)('canceling after a pause cancels the rest, with an entry in each trail', async () => {
  const { id, before } = await pausedInTheMiddle();
  expect(await program.act(id, 'cancel')).toMatchObject({ status: 'canceled' });
  await waitFor(
    'all to have ended',
    () => program.messagesOf(id, 'queued'),
    (waiting) => waiting.length === 0,
  );
  const arrived = program.copies(before);
  const canceled = await program.messagesOf(id, 'canceled');
  expect(canceled.length).toBeGreaterThan(0);
  expect(canceled.filter(({ to }) => arrived.has(to))).toEqual([]);
  const made = await program.messagesOf(id);
  expect(canceled.length + arrived.size).toBe(made.length);
  const [one] = canceled;
  const trail = await program.trail(one?.id ?? '');
  expect(events(trail).at(-1)).toBe('canceled');
  expect(trail.at(-1)).toMatchObject({ actor: 'system', metadata: { campaign_id: id } });
  const { totals, by_status: byStatus } = await program.counted(id);
  expect(totals).toMatchObject({
    ...measuresOf(await countTrail(program, id)),
    canceled: canceled.length,
    delivered: arrived.size,
  });
  expect(byStatus).toMatchObject({ canceled: canceled.length, queued: 0, sending: 0 });
  const again = await program.appliance.api('POST', `/v1/campaigns/${id}/resume`);
  expect(again).toMatchObject({ status: 409, json: { error: { code: 'campaign_canceled' } } });
});
