// Tests that a campaign uses a plan that runs out down to the last send, regardless of batch sizes and of others who send
// meanwhile. The rest waits.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { compilePlans } from '../../src/accounts/quota.rules.js';
import type { Scope } from '../../src/database/scope.js';
import { CampaignRunner } from '../../src/campaigns/run/runner.js';
import { createQuotaCheck } from '../../src/messages/accept/quota-check.js';
import { startAudienceRig, type AudienceRig } from '../support/audience-rig.js';

const ROOM = 13;
const PEOPLE = 30;
const DAY_MS = 86_400_000;

let rig: AudienceRig;
let live: Scope;
let shared: AudienceRig;
beforeAll(async () => {
  shared = await startAudienceRig();
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startAudienceRig({ beside: shared });
  live = await rig.scopeOf('live');
});
afterEach(() => rig.close());

function runnerFor(batchSize: number, daily: number | null): CampaignRunner {
  const plans = compilePlans({
    unlimited: { daily_sends: null, monthly_sends: null, types: { marketing: { daily_sends: daily } } },
  });
  const context = rig.campaignContext({ plans, quota: createQuotaCheck(plans) });
  return new CampaignRunner({ ...context, config: { ...context.config, campaignBatch: batchSize } });
}

async function newCampaign(): Promise<string> {
  const people = Array.from({ length: PEOPLE }, (_, i) => `reader${i}@example.com`);
  const list = await rig.addListOf(people, null, 'live');
  const html = '<html><body><p>Hello</p></body></html>';
  const template = await rig.addTemplate('news', { subject: 'News', html });
  return rig.addCampaign({
    list_number: list.number,
    template_id: template,
    environment_id: live.environmentId,
    from_email: 'news@sender.example',
  });
}

async function read(id: string) {
  const campaign = await rig.store.campaigns.campaign(live, id);
  const today = Math.floor(rig.clock.now() / DAY_MS);
  const used = await rig.store.usage.ofEnvironment(live.environmentId, { today, monthStart: today });
  return { ...campaign, used: used.day.marketing };
}

it.each([1, 5, 13, 20, 200])('sends copies up to the quota in batches of %i', async (batchSize) => {
  const { campaigns } = rig.openCampaigns();
  const id = await newCampaign();
  await campaigns.send(live, id, null);
  await rig.runToEnd(runnerFor(batchSize, ROOM));
  const waiting = await read(id);
  expect(waiting).toMatchObject({ status: 'sending', paused_at: null, created: ROOM, failed: 0, used: ROOM });
  expect(JSON.parse(waiting.problem ?? '{}')).toEqual({
    code: 'quota_exceeded',
    message: `The plan allows ${ROOM} marketing sends per day, and ${ROOM} have been used.`,
  });
  await rig.runToEnd(runnerFor(batchSize, null));
  expect(await read(id)).toMatchObject({ created: PEOPLE, failed: 0, used: PEOPLE, problem: null });
});

it('resumes automatically on the next day', async () => {
  const { campaigns } = rig.openCampaigns();
  const id = await newCampaign();
  const runner = runnerFor(10, ROOM);
  await campaigns.send(live, id, null);
  await rig.runToEnd(runner);
  const { updated_at: since } = await read(id);
  rig.clock.advance(60_000);
  await rig.runToEnd(runner);
  expect(await read(id)).toMatchObject({ created: ROOM, updated_at: since });
  rig.clock.advance(DAY_MS);
  await rig.runToEnd(runner);
  expect(await read(id)).toMatchObject({ created: 2 * ROOM, used: ROOM });
  rig.clock.advance(DAY_MS);
  await rig.runToEnd(runner);
  expect(await read(id)).toMatchObject({ created: PEOPLE, used: PEOPLE - 2 * ROOM, problem: null });
});

it('counts no quota for contacts that must not receive mail', async () => {
  const { campaigns } = rig.openCampaigns();
  const id = await newCampaign();
  const blocked = Array.from({ length: PEOPLE - ROOM }, (_, i) => `reader${PEOPLE - 1 - i}@example.com`);
  for (const email of blocked)
    await rig.raw(`UPDATE contacts SET status = 'bounced' WHERE email_key = ?`, [email]);
  await campaigns.send(live, id, null);
  await rig.runToEnd(runnerFor(10, ROOM));
  expect(await read(id)).toMatchObject({ created: ROOM, skipped: PEOPLE - ROOM, problem: null, used: ROOM });
});

it("a person's pause replaces the wait for quota and lasts until a person resumes", async () => {
  const { campaigns } = rig.openCampaigns();
  const id = await newCampaign();
  await campaigns.send(live, id, null);
  await rig.runToEnd(runnerFor(10, ROOM));
  await campaigns.pause(live, id);
  await rig.runToEnd(runnerFor(10, null));
  expect(await read(id)).toMatchObject({ status: 'paused', created: ROOM, problem: null });
  await campaigns.resume(live, id);
  await rig.runToEnd(runnerFor(10, null));
  expect(await read(id)).toMatchObject({ created: PEOPLE });
});

it('returns the quota of copies that are canceled with the campaign', async () => {
  const { campaigns } = rig.openCampaigns();
  const id = await newCampaign();
  const runner = runnerFor(10, ROOM);
  await campaigns.send(live, id, null);
  await rig.runToEnd(runner);
  await campaigns.pause(live, id);
  await campaigns.cancel(live, id);
  await rig.runToEnd(runner);
  expect(await read(id)).toMatchObject({ status: 'canceled', created: ROOM, used: 0 });
});
