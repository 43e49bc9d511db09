// Tests the opens and clicks of a campaign: in the trail, by webhook, in its figures, with machines counted separately, and every
// way to turn them off.
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHttpReceiver, type HttpReceiver } from '../../support/http-receiver.js';
import { linksIn } from '../../support/newsletters.js';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { waitFor } from '../../support/wait.js';

let rig: SinkRig;
let receiver: HttpReceiver;
beforeAll(async () => {
  receiver = await startHttpReceiver();
  rig = await startMailRigWithSink({ campaigns: true, process: 'shared' });
});
afterAll(async () => {
  await rig.close();
  await receiver.close();
});

const tracked = (html: string): string[] => linksIn(html).filter((url) => /\/[oc]\//.test(url));

interface Figures {
  machine: Record<string, number>;
  funnel: Record<string, number>;
  links: { url: string; clicks: number; people: number; machine_clicks: number }[];
}

it('trail, webhook and statistics agree, and machines are counted separately', async () => {
  const events = ['message.opened', 'message.clicked'];
  await rig.made('/v1/webhook-endpoints', { url: `${receiver.url}/hook`, events });
  const list = await rig.addList();
  for (const name of ['ann', 'bea']) await rig.join(list, name);
  const campaign = await rig.sendCampaign(list);
  const ann = await rig.receivedCopy('ann', campaign);
  const bea = await rig.receivedCopy('bea', campaign);
  const [read = '', buy = '', pixel = ''] = tracked(ann.html);
  expect(new URL(read).host).toBe('click.shop.example');
  await rig.fetched(pixel);
  const led = await rig.fetched(read);
  expect([led.status, led.headers['location']]).toEqual([302, 'https://shop.example/a?x=1&y=2']);
  await rig.fetched(read);
  await rig.fetched(buy, { userAgent: 'Twitterbot/1.0' });
  await rig.fetched(tracked(bea.html).at(-1) ?? '', { userAgent: 'Mozilla/5.0' });

  const trail = await rig.logged(ann.id, 'clicked', 3);
  expect(trail.filter(({ event }) => event === 'clicked')).toMatchObject([
    { ip: '127.0.0.1', user_agent: 'Mozilla/5.0 (Test)', metadata: { link: 0 } },
    { metadata: { link: 0 } },
    { user_agent: 'Twitterbot/1.0', metadata: { link: 1, machine: true, client: 'twitter' } },
  ]);
  const told = await receiver.waitFor(5);
  const bodies = told.map(
    ({ rawBody }) => JSON.parse(rawBody.toString()) as { type?: string; event?: string },
  );
  expect(JSON.stringify(bodies)).toContain(ann.id);
  expect(told.map(({ headers }) => String(headers['service-event'])).sort()).toEqual([
    ...Array.from({ length: 3 }, () => 'message.clicked'),
    ...Array.from({ length: 2 }, () => 'message.opened'),
  ]);

  const figures = await waitFor(
    'the figures',
    async () => (await rig.appliance.api('GET', `/v1/campaigns/${campaign}/analytics`)).json as Figures,
    ({ machine, funnel }) => machine['opens'] === 1 && machine['clicks'] === 1 && funnel['clicked'] === 1,
  );
  expect(figures.funnel).toMatchObject({ delivered: 2, opened: 1, clicked: 1 });
  expect(figures.machine).toMatchObject({ opened: 1, clicked: 1, opens: 1, clicks: 1 });
  expect(figures.links).toEqual([
    { url: 'https://shop.example/a?x=1&y=2', clicks: 2, people: 1, machine_clicks: 0 },
    { url: 'https://shop.example/b', clicks: 0, people: 0, machine_clicks: 1 },
  ]);
});

it('a campaign without tracking has none, and one without opens tracks only links', async () => {
  const list = await rig.addList();
  await rig.join(list, 'carl');
  const none = await rig.receivedCopy(
    'carl',
    await rig.sendCampaign(list, { track_opens: false, track_clicks: false }),
  );
  expect(tracked(none.html)).toEqual([]);
  expect(none.html).toContain(none.oneClick);
  const clicks = await rig.sendCampaign(list, { track_opens: false });
  await rig.receivedCopy('carl', clicks);
  const mail = await waitFor(
    'the second mail',
    () => rig.sink.messages.filter(({ rcptTo }) => rcptTo[0]?.startsWith('carl@')),
    (found) => found.length === 2,
  );
  const { html } = await simpleParser(mail[1]?.raw ?? '');
  const links = tracked(html || '');
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) expect(link).toContain('/c/');
});

it('an organization disables tracking by type or entirely, and a campaign can override it', async () => {
  const list = await rig.addList();
  const patch = async (body: Record<string, unknown>): Promise<void> => {
    expect((await rig.appliance.api('PATCH', '/v1/organization', { body })).status).toBe(200);
  };
  await rig.join(list, 'dora');
  await patch({ untracked_types: ['marketing'] });
  expect(tracked((await rig.receivedCopy('dora', await rig.sendCampaign(list))).html)).toEqual([]);
  await patch({ untracked_types: [], track_opens: false, track_clicks: false });
  await rig.join(list, 'emil');
  const off = await rig.sendCampaign(list);
  expect(tracked((await rig.receivedCopy('emil', off)).html)).toEqual([]);
  await rig.join(list, 'fritz');
  const on = await rig.sendCampaign(list, { track_clicks: true, track_opens: true });
  expect(tracked((await rig.receivedCopy('fritz', on)).html)).toHaveLength(3);
  await patch({ track_opens: true, track_clicks: true });
});
