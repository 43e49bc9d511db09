// Kills the program between final dots and their replies, so that no one can know whether that mail arrived. It is counted on the
// campaign and the sequence, listed, and resent by one call, even if the call is repeated.
import { afterEach, expect, it } from 'vitest';
import { namesOf, startCampaignProgram, type CampaignProgram } from '../../support/campaign-program.js';
import { isFullSize } from '../../support/run-size.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

const PEOPLE = 30;

let program: CampaignProgram | null = null;
afterEach(async () => {
  await program?.close();
  program = null;
});

/** Starts a receiver that accepts mail and does not reply. */
async function start(): Promise<CampaignProgram> {
  const started = await startCampaignProgram({ env: tuned({ campaignBatch: 10 }) });
  program = started;
  started.behaviour.thinksMs = 120_000;
  return started;
}

/** Kills it with unanswered mail, and restarts it with a receiver that replies. */
async function killInTheAir(on: CampaignProgram, inTheAir: number): Promise<void> {
  await on.arrived(inTheAir);
  await waitFor(
    'the intents to be kept',
    () => on.appliance.query('SELECT COUNT(*) AS n FROM queue WHERE dot_intent_at IS NOT NULL'),
    ([row]) => Number(row?.['n']) >= inTheAir,
  );
  await on.appliance.end('SIGKILL');
  delete on.behaviour.thinksMs;
  await on.appliance.startHere();
}

const messageIdOf = (raw: Buffer): string => /^Message-ID: (.*)$/im.exec(raw.toString())?.[1] ?? '';

it('a copy of a campaign can be resent', async () => {
  const on = await start();
  await on.appliance.query(`UPDATE organizations SET plan = 'free'`);
  const id = await on.addCampaign(await on.addList(namesOf(PEOPLE)));
  await on.act(id, 'send');
  await killInTheAir(on, 2);
  await on.reachedBy(id, 'sent', 25_000);
  const { stats } = await on.campaign(id);
  const inDoubt = stats['in_doubt'] ?? 0;
  expect(inDoubt).toBeGreaterThanOrEqual(2);
  const listed = await on.ask('GET', `/v1/messages?in_doubt=true&campaign_id=${id}&limit=100`);
  expect(listed.data).toHaveLength(inDoubt);
  const addresses = (listed.data as { to: string }[]).map(({ to }) => to).sort();
  const recipients = await on.ask('GET', `/v1/campaigns/${id}/recipients?in_doubt=true&limit=100`);
  expect((recipients.data as { email: string }[]).map(({ email }) => email).sort()).toEqual(addresses);
  const others = await on.ask('GET', `/v1/campaigns/${id}/recipients?in_doubt=false&limit=100`);
  expect(others.data).toHaveLength(PEOPLE - inDoubt);
  const used = async () => Number((await on.ask('GET', '/v1/usage')).day.used);
  expect(await used()).toBe(PEOPLE);

  const before = on.mails().length;
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => on.ask('POST', `/v1/campaigns/${id}/resend-in-doubt`)),
  );
  expect(answers.reduce((sum: number, { messages }) => sum + Number(messages), 0)).toBe(inDoubt);
  await on.arrived(before + inDoubt);
  await waitFor(
    'all to be delivered',
    () => on.messagesOf(id, 'delivered'),
    (delivered) => delivered.length === PEOPLE,
  );
  expect([...on.copies(before).keys()].sort()).toEqual(addresses);
  expect((await on.campaign(id)).stats).toMatchObject({ in_doubt: 0 });
  expect(await on.ask('POST', `/v1/campaigns/${id}/resend-in-doubt`)).toMatchObject({ messages: 0 });
  expect(await used()).toBe(PEOPLE);
  expect(new Set(on.mails().map(({ raw }) => messageIdOf(raw))).size).toBe(PEOPLE);
  expect(await on.messagesOf(id)).toHaveLength(PEOPLE);
});

it.runIf(isFullSize)('a copy of a sequence can be resent', async () => {
  const on = await start();
  const { id } = await on.ask('POST', '/v1/sequences', {
    name: 'Welcome',
    sub_tenant_id: on.tenantId,
    from: { email: 'news@shop.example' },
    trigger: { type: 'contact_created' },
    steps: [{ type: 'send', template: on.templateId }],
  });
  for (const name of namesOf(2)) {
    await on.ask('POST', '/v1/contacts', { email: on.addressOf(name), sub_tenant_id: on.tenantId });
  }
  await killInTheAir(on, 2);
  const path = `/v1/sequences/${String(id)}`;
  await waitFor(
    'the doubts to be counted',
    () => on.ask('GET', path),
    ({ in_doubt: inDoubt }: { in_doubt: number }) => inDoubt === 2,
  );
  const listed = await on.ask('GET', `/v1/messages?in_doubt=true&sequence_id=${String(id)}`);
  expect(listed.data).toHaveLength(2);
  const trail = await on.trail((listed.data as { id: string }[])[0]?.id ?? '');
  expect(trail.at(-1)).toMatchObject({ event: 'sent', metadata: { ambiguous: true } });
  const before = on.mails().length;
  expect(await on.ask('POST', `${path}/resend-in-doubt`)).toMatchObject({ messages: 2 });
  await on.arrived(before + 2);
  await waitFor(
    'the doubts to be resolved',
    () => on.ask('GET', `/v1/messages?status=delivered&sequence_id=${String(id)}`),
    ({ data }: { data: unknown[] }) => data.length === 2,
  );
  expect(await on.ask('GET', path)).toMatchObject({ in_doubt: 0 });
});
