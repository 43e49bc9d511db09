// Tests a campaign to a host that is down: its mail waits, pause and resume still work, and each copy arrives once.
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  countTrail,
  measuresOf,
  namesOf,
  startCampaignProgram,
  type CampaignProgram,
} from '../../support/campaign-program.js';
import { waitFor } from '../../support/wait.js';

const PEOPLE = 60;

let program: CampaignProgram;
let listId: string;

beforeAll(async () => {
  program = await startCampaignProgram();
  listId = await program.addList(namesOf(PEOPLE));
});
afterAll(() => program.close());

it('arrives when the host is up again, despite a pause and a kill', async () => {
  await program.sinkDown();
  const id = await program.addCampaign(listId);
  await program.act(id, 'send');
  await waitFor(
    'attempts that fail',
    () => countTrail(program, id),
    (trail) => (trail['deferred'] ?? 0) > 0,
  );
  await program.act(id, 'pause');
  await program.appliance.end('SIGKILL');
  await program.appliance.startHere();
  await program.sinkUp();
  expect(await program.campaign(id)).toMatchObject({ status: 'paused', problem: null });
  await program.act(id, 'resume');
  await program.arrived(PEOPLE, 25_000);
  await program.reachedBy(id, 'sent');
  await waitFor(
    'all to be delivered',
    () => program.messagesOf(id, 'delivered'),
    (delivered) => delivered.length === PEOPLE,
  );
  expect([...program.copies().values()]).toEqual(Array.from({ length: PEOPLE }, () => 1));
  const { totals } = await program.counted(id);
  expect(totals).toMatchObject({
    ...measuresOf(await countTrail(program, id)),
    delivered: PEOPLE,
    bounced: 0,
  });
}, 60_000);
