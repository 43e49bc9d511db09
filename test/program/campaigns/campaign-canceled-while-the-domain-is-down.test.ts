// Tests canceling a campaign while its copies wait for another attempt: they are canceled as well and removed from the queue.
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  countTrail,
  measuresOf,
  namesOf,
  startCampaignProgram,
  type CampaignProgram,
} from '../../support/campaign-program.js';
import { waitFor } from '../../support/wait.js';

const PEOPLE = 30;

let program: CampaignProgram;

beforeAll(async () => {
  program = await startCampaignProgram({ process: 'shared' });
});
afterAll(() => program.close());

it('cancels deferred messages too', async () => {
  const listId = await program.addList(namesOf(PEOPLE));
  await program.sinkDown();
  const id = await program.addCampaign(listId);
  await program.act(id, 'send');
  await waitFor(
    'attempts that fail',
    () => countTrail(program, id),
    (trail) => (trail['deferred'] ?? 0) > 0,
  );
  await program.act(id, 'pause');
  await program.act(id, 'cancel');
  const made = await waitFor(
    'all to be canceled',
    () => Promise.all([program.messagesOf(id), program.messagesOf(id, 'canceled')]),
    ([all, canceled]) => canceled.length === all.length,
  );
  expect(made[0].length).toBeGreaterThan(0);
  await program.sinkUp();
  expect(await program.appliance.query('SELECT message_id FROM queue')).toEqual([]);
  const { totals } = await program.counted(id);
  expect(totals).toMatchObject({
    ...measuresOf(await countTrail(program, id)),
    canceled: made[0].length,
    delivered: 0,
  });
  expect(program.mails()).toHaveLength(0);
});
