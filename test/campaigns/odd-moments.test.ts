// Tests campaigns whose list is deleted, that are paused while a winner is chosen, or whose store refuses.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Scope } from '../../src/database/scope.js';
import { CampaignRunner, chooseWinner } from '../../src/campaigns/run/runner.js';
import { startAudienceRig, type AudienceRig } from '../support/audience-rig.js';

let rig: AudienceRig;
let scope: Scope;

let shared: AudienceRig;
beforeAll(async () => {
  shared = await startAudienceRig();
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startAudienceRig({ beside: shared });
  scope = await rig.scopeOf('test');
});
afterEach(async () => {
  await rig.close();
});

const HTML = '<html><body><p>Hello</p></body></html>';
const addressesOf = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `reader${i}@example.com`);

async function newCampaign(count: number, fields: object = {}) {
  const list = await rig.addListOf(addressesOf(count));
  const template = await rig.addTemplate('news', { subject: 'News', html: HTML });
  const row = { list_number: list.number, template_id: template, ...fields };
  return { list, template, id: await rig.addCampaign(row) };
}

const placed = async (id: string) => {
  const found = (await rig.store.campaigns.inProgress()).find((campaign) => campaign.id === id);
  if (!found) throw new Error('The campaign is not at work.');
  return found;
};

it('pauses a scheduled campaign with the reason if its list was deleted', async () => {
  const { campaigns, runner } = rig.openCampaigns();
  const { id, list } = await newCampaign(3);
  await campaigns.send(scope, id, rig.clock.now() + 1000);
  await rig.raw('UPDATE contact_lists SET deleted_at = 1 WHERE number = ?', [list.number]);
  rig.clock.advance(1000);
  await rig.runToEnd(runner);
  const stopped = await rig.campaign(id);
  expect(stopped).toMatchObject({ status: 'paused', total: 0, frozen_at: null });
  expect(JSON.parse(stopped.problem ?? '{}')).toMatchObject({ code: 'list_not_found' });
  await campaigns.cancel(scope, id);
  await rig.runToEnd(runner);
  expect(await rig.campaign(id)).toMatchObject({ status: 'canceled' });
});

it('sends nothing without the winner if a pause arrives while it is chosen', async () => {
  const { campaigns, runner } = rig.openCampaigns();
  const other = await rig.addTemplate('other', { subject: 'B', html: HTML });
  const split = JSON.stringify({
    test_percent: 10,
    metric: 'clicks',
    wait_minutes: 1,
    variants: [
      { key: 'a', template_id: other },
      { key: 'b', template_id: other },
    ],
  });
  const { id } = await newCampaign(30, { split });
  await campaigns.send(scope, id, null);
  await rig.runToEnd(runner);
  rig.clock.advance(60_000);
  // The state that the runner has read. The pause is committed before it writes.
  const before = await placed(id);
  await campaigns.pause(scope, id);
  expect(await chooseWinner(rig.campaignContext(), before)).toBe(false);
  expect(await rig.store.campaigns.hasRecipients(id, 'waiting')).toBe(false);
  expect(await rig.campaign(id)).toMatchObject({ winner: null });
  await campaigns.resume(scope, id);
  await rig.runToEnd(runner);
  expect((await rig.campaign(id)).winner).not.toBeNull();
  const variants = await rig.raw('SELECT variant FROM campaign_recipients WHERE campaign_id = ?', [id]);
  expect(variants.filter(({ variant }) => variant === null)).toEqual([]);
});

/** The runner with a renderer that exceeds its limits while `isSlow` returns true. */
function slowRunner(isSlow: () => boolean) {
  const { renderer } = rig;
  const message = 'The template takes longer than 2000 ms to process.';
  const context = rig.campaignContext({
    renderer: {
      ...renderer,
      render: (request) =>
        isSlow() ? Promise.resolve({ kind: 'problem', part: 'template', message }) : renderer.render(request),
    },
    quota: { changes: () => [], limits: () => null },
  });
  return new CampaignRunner({ ...context, config: { ...context.config, campaignBatch: 5 } });
}

it('sends every copy although a template is slow for a moment', async () => {
  const { campaigns } = rig.openCampaigns();
  const { id } = await newCampaign(12);
  let isSlow = true;
  const runner = slowRunner(() => isSlow);
  await campaigns.send(scope, id, null);
  await rig.runToEnd(runner);
  expect(await rig.campaign(id)).toMatchObject({ status: 'sending', total: 12, created: 0, failed: 0 });
  isSlow = false;
  rig.clock.advance(60_000);
  await rig.runToEnd(runner);
  expect(await rig.campaign(id)).toMatchObject({ created: 12, failed: 0 });
});

it('pauses the campaign if a template stays too slow, and can resume it', async () => {
  const { campaigns } = rig.openCampaigns();
  const { id } = await newCampaign(3);
  const runner = slowRunner(() => true);
  await campaigns.send(scope, id, null);
  for (let minutes = 0; minutes < 4; minutes++) {
    await rig.runToEnd(runner);
    rig.clock.advance(60_000);
  }
  const stopped = await rig.campaign(id);
  expect(stopped).toMatchObject({ status: 'paused', failed: 0 });
  expect(JSON.parse(stopped.problem ?? '{}')).toMatchObject({ code: 'template_invalid' });
  await campaigns.resume(scope, id);
  await rig.runToEnd(slowRunner(() => false));
  expect(await rig.campaign(id)).toMatchObject({ created: 3, failed: 0 });
});
