// Tests a database that other tools have put back in time, such as a snapshot of its disk or the tools of PostgreSQL: the
// operator declares it before the next start, and outbound mail waits for a review.
import { afterEach, expect, it } from 'vitest';
import { adminJson } from '../../support/appliance.js';
import { startCampaignProgram, type CampaignProgram } from '../../support/campaign-program.js';
import { waitFor } from '../../support/wait.js';

let program: CampaignProgram | null = null;
afterEach(async () => {
  await program?.close();
  program = null;
});

it('sends nothing before the release', async () => {
  const on = await startCampaignProgram({ process: 'shared' });
  program = on;
  on.behaviour.onRcpt = () => '451 4.7.1 Come back later';
  const sent = await on.ask('POST', '/v1/messages', {
    ...{ from: 'news@shop.example', to: on.addressOf('ann'), subject: 'Hello', text: 'Hi' },
  });
  await waitFor(
    'the first attempt',
    () => on.ask('GET', `/v1/messages/${String(sent.id)}/explain`),
    (found) => JSON.stringify(found).includes('4.7.1'),
  );

  // Not while a server runs, and not without a valid time.
  const beside = await adminJson(on.appliance.env, 'restore', '--hold');
  expect([beside.code, beside.error]).toEqual([
    expect.any(Number),
    expect.stringContaining('using the data folder'),
  ]);
  expect(beside.code).not.toBe(0);
  await on.appliance.end();
  const odd = await adminJson(on.appliance.env, 'restore', '--hold', '--copied-at', 'yesterday');
  expect([odd.code === 0, odd.error]).toEqual([false, expect.stringContaining('--copied-at must be a time')]);

  const copiedAt = '2026-01-02T03:04:05.000Z';
  const held = await adminJson(on.appliance.env, 'restore', '--hold', '--copied-at', copiedAt);
  expect(held).toMatchObject({ code: 0, value: { outbound: 'held', queued: 1, copied_at: copiedAt } });
  delete on.behaviour.onRcpt;
  await on.appliance.start();
  const explained = await waitFor(
    'the reason',
    () => on.ask('GET', `/v1/messages/${String(sent.id)}/explain`),
    (found) => JSON.stringify(found).includes('outbound_held'),
  );
  expect(JSON.stringify(explained)).toContain('restore --review');
  expect(on.mails()).toHaveLength(0);

  expect(await adminJson(on.appliance.env, 'restore', '--release', '--all')).toMatchObject({ code: 0 });
  await on.arrived(1);
});
