// Tests tracking links as mail programs and people use them, on a real database file.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCursors } from '../../src/http/lists/cursors.js';
import { createApiServer } from '../../src/app/http-server.js';
import type { Api } from '../../src/http/api.js';
import { trackingRoutes } from '../../src/tracking/tracking.pages.js';
import { hrefChecksum, clickUrl, openUrl } from '../../src/tracking/tracking-tokens.rules.js';
import { Refusal } from '../../src/contract/refusal.js';
import { compileMachineClients } from '../../src/tracking/machine-client.rules.js';
import { createLog } from '../../src/lib/runtime/index.js';
import { readDetail } from '../../src/events/events.store.js';
import { createCredentialCache } from '../../src/accounts/api-keys/credential-cache.js';
import { Tracking } from '../../src/tracking/tracking.js';
import { startMessageRig, TOKEN_KEY, type MessageRig } from '../support/message-rig.js';
import { sized } from '../support/run-size.js';
import { waitFor } from '../support/wait.js';

const HTML =
  '<p><a href="https://shop.example/?a=1&amp;b=2">Shop</a> <a href="mailto:x@shop.example">Write</a></p>';
const CLIENTS = compileMachineClients({ clients: [{ name: 'twitter', user_agents: ['^Twitterbot/'] }] });
const MAX_ENTRIES = 5;

let rig: MessageRig;
let tracking: Tracking;
let app: Api;
let rung: number;
let canWrite: boolean;

let shared: MessageRig;
beforeAll(async () => {
  shared = await startMessageRig();
});
afterAll(() => shared.close());
beforeEach(async () => {
  rig = await startMessageRig({ beside: shared });
  rung = 0;
  canWrite = true;
  const { store } = rig;
  tracking = new Tracking(
    {
      store: {
        messages: store.messages,
        events: store.events,
        commit: (plan) =>
          canWrite ? store.commit(plan) : Promise.reject(new Refusal('unavailable', 'The disk is full.')),
      },
      config: { trackingEventsPerMessage: MAX_ENTRIES },
      wakeUps: { events: () => void (rung += 1) },
      clock: rig.clock.now,
      log: createLog('silent'),
    },
    { clients: CLIENTS, maxWaiting: 50, patienceMs: 300 },
  );
  app = await createApiServer({
    store,
    clock: rig.clock.now,
    wakeUps: { events: () => undefined },
    credentials: createCredentialCache(store, { ttlMs: 5000 }),
    log: createLog('silent'),
    settings: { ...rig.config, trustedProxies: ['127.0.0.1'] },
    masterKey: Buffer.alloc(32, 3),
    cursors: createCursors(Buffer.alloc(32, 5)),
    tokenKeys: [TOKEN_KEY],
    routes: [(api) => trackingRoutes(api, tracking, [TOKEN_KEY])],
  });
  await app.ready();
});

afterEach(async () => {
  await app.close();
  await tracking.stop();
  await rig.close();
});

async function sent(fields: Record<string, unknown> = {}) {
  const { json } = await rig.send({ html: HTML, ...fields });
  const named = { base: '', messageId: json.id, key: TOKEN_KEY };
  const html = typeof fields['html'] === 'string' ? fields['html'] : HTML;
  return {
    id: json.id,
    open: openUrl(named),
    /** As in older mail, by number alone. */
    click: (index: number) => clickUrl(named, { index, place: null }),
    /** As in mail, by position. */
    placed: (index: number, spelling: string) => {
      const place = { start: html.indexOf(spelling), length: spelling.length, check: hrefChecksum(spelling) };
      return clickUrl(named, { index, place });
    },
  };
}

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers: { 'user-agent': 'Mozilla/5.0 (Test)', ...headers } });

async function seen(id: string) {
  const message = await rig.store.messages.message(await rig.scopeOf('test'), id);
  if (!message) throw new Error('no message');
  const trail = (await rig.store.events.auditTrailOfMessage(message.id)).filter(
    ({ actor }) => actor === 'recipient',
  );
  return { message, trail, entries: trail.map((entry) => ({ event: entry.event, ...readDetail(entry) })) };
}

const recorded = (id: string, count: number) =>
  waitFor(`${count} entries are in the trail`, async () => (await seen(id)).entries.length >= count);

describe('the pixel', () => {
  it('is an uncached image, and fetching it records an open with address and user agent', async () => {
    const { id, open } = await sent();
    const answer = await get(open, { 'x-forwarded-for': '198.51.100.7' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'image/gif',
      'content-length': '43',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(answer.headers['cache-control']).toContain('no-store');
    expect(answer.rawPayload.subarray(0, 6).toString()).toBe('GIF89a');
    await recorded(id, 1);
    const { message, entries } = await seen(id);
    expect(entries).toEqual([{ event: 'opened', ip: '198.51.100.7', user_agent: 'Mozilla/5.0 (Test)' }]);
    expect(message).toMatchObject({ status: 'opened', opened_at: rig.clock.now(), clicked_at: null });
    await expect.poll(() => rung).toBe(1);
  });

  it('is returned for an invalid token and for HEAD without recording anything', async () => {
    const { id, open, click } = await sent();
    for (const url of ['/o/x', `${open}x`, `/o/${click(0).split('/')[2] ?? ''}`]) {
      const answer = await get(url);
      expect([answer.statusCode, answer.rawPayload.length], url).toEqual([200, 43]);
    }
    expect((await get(open, {}, 'HEAD')).statusCode).toBe(200);
    await tracking.stop();
    expect((await seen(id)).entries).toEqual([]);
  });

  it('records every open and keeps the time of the first one', async () => {
    const { id, open } = await sent();
    await get(open);
    await recorded(id, 1);
    const first = rig.clock.now();
    rig.clock.advance(60_000);
    await get(open);
    await get(open);
    await recorded(id, 3);
    const { message, trail } = await seen(id);
    expect(message).toMatchObject({ opened_at: first, updated_at: first });
    expect(trail.map((entry) => entry.occurred_at - first)).toEqual([0, 60_000, 60_000]);
  });

  it('counts a limited number of opens per message', async () => {
    const { id, open } = await sent();
    await Promise.all(Array.from({ length: 20 }, () => get(open)));
    await recorded(id, MAX_ENTRIES);
    await get(open);
    await tracking.stop();
    expect((await seen(id)).entries).toHaveLength(MAX_ENTRIES);
  });
});

it.each(['/o/x', '/c/x/0', '/u/x', '/preferences/x'])(
  'limits invalid links per client, but never valid ones: %s',
  async (url) => {
    const { open, click } = await sent();
    const statuses = new Set<number>();
    for (let i = 0; i < 60; i++) statuses.add((await get(url)).statusCode);
    expect(statuses).toEqual(new Set([url.startsWith('/o/') ? 200 : 404]));
    const over = await get(url);
    expect(over.statusCode).toBe(429);
    expect(Number(over.headers['retry-after'])).toBeGreaterThan(0);
    expect((await get(click(0))).statusCode).toBe(302);
    const good = sized({ small: url === '/o/x' ? 80 : 1, full: 80 });
    for (let i = 0; i < good; i++) expect((await get(open)).statusCode).toBe(200);
  },
);

describe('a link', () => {
  it('leads to the target in the message, and following it records a click and no open', async () => {
    const { id, click } = await sent();
    const answer = await get(click(0));
    expect(answer.statusCode).toBe(302);
    expect(answer.headers).toMatchObject({
      location: 'https://shop.example/?a=1&b=2',
      'referrer-policy': 'no-referrer',
    });
    expect(answer.headers['cache-control']).toContain('no-store');
    await recorded(id, 1);
    const { message, entries } = await seen(id);
    expect(entries).toEqual([
      {
        event: 'clicked',
        ip: '127.0.0.1',
        user_agent: 'Mozilla/5.0 (Test)',
        metadata: { url: 'https://shop.example/?a=1&b=2', link: 0 },
      },
    ]);
    expect(message).toMatchObject({ status: 'clicked', opened_at: null, clicked_at: rig.clock.now() });
  });

  it('is read at its position, and found by its number if the HTML was changed', async () => {
    const target = 'https://shop.example/?a=1&b=2';
    const spelling = 'https://shop.example/?a=1&amp;b=2';
    const { placed } = await sent();
    expect((await get(placed(0, spelling))).headers.location).toBe(target);
    // By its number it would be another link, or none.
    expect((await get(placed(7, spelling))).headers.location).toBe(target);
    await rig.raw(`UPDATE contents SET html = '<p>Before it. ' || html`);
    expect((await get(placed(0, spelling))).headers.location).toBe(target);
    expect((await get(placed(7, spelling))).statusCode).toBe(404);
  });

  it('followed by a machine is marked', async () => {
    const { id, click, open } = await sent();
    await get(open, { 'user-agent': 'Twitterbot/1.0' });
    await get(click(0), { 'user-agent': 'Twitterbot/1.0' });
    await recorded(id, 2);
    expect((await seen(id)).entries).toMatchObject([
      { event: 'opened', metadata: { machine: true, client: 'twitter' } },
      { event: 'clicked', metadata: { machine: true, client: 'twitter', link: 0 } },
    ]);
  });

  it('requested by HEAD redirects without a click', async () => {
    const { id, click } = await sent();
    const answer = await get(click(0), {}, 'HEAD');
    expect([answer.statusCode, answer.headers.location]).toEqual([302, 'https://shop.example/?a=1&b=2']);
    await tracking.stop();
    expect((await seen(id)).entries).toEqual([]);
  });

  it('leads only to links of its own message', async () => {
    const { id, click, open } = await sent();
    const [, , token = ''] = click(0).split('/');
    const urls = [
      click(1),
      click(2),
      `/c/${token}/1`,
      `/c/${token}/00`,
      `/c/${token}x/0`,
      `/c/${open.split('/')[2] ?? ''}/0`,
      '/c/x/0',
      `/c/${token}/${encodeURIComponent('https://evil.example')}`,
    ];
    for (const url of urls) {
      const answer = await get(url);
      expect(answer.statusCode, url).toBe(404);
      expect(answer.headers['content-type']).toContain('text/html');
      expect(answer.headers.location).toBeUndefined();
    }
    await tracking.stop();
    expect((await seen(id)).entries).toEqual([]);
  });

  it('of a message whose content was deleted leads nowhere', async () => {
    const { click, placed } = await sent();
    await rig.raw('UPDATE contents SET html = NULL, text = NULL');
    expect((await get(click(0))).statusCode).toBe(404);
    expect((await get(placed(0, 'https://shop.example/?a=1&amp;b=2'))).statusCode).toBe(404);
  });

  it('of an erased person leads nowhere and records nothing', async () => {
    const { id, click, open } = await sent();
    await rig.raw(`UPDATE messages SET to_email = 'erased@erased.invalid' WHERE public_id = '${id}'`);
    expect((await get(click(0))).statusCode).toBe(404);
    expect((await get(open)).statusCode).toBe(200);
    await tracking.stop();
    expect((await seen(id)).entries).toEqual([]);
  });

  it('is recorded durably before the response', async () => {
    const { id, click } = await sent();
    for (let count = 1; count <= 3; count++) {
      expect((await get(click(0))).statusCode).toBe(302);
      expect((await seen(id)).entries).toHaveLength(count);
    }
  });

  it('gets 503 while the store is unavailable, and is recorded later', async () => {
    const { id, click } = await sent();
    canWrite = false;
    const answer = await get(click(0));
    expect([answer.statusCode, answer.headers['retry-after'], answer.headers.location]).toEqual([
      503,
      '5',
      undefined,
    ]);
    expect((await get(click(0), {}, 'HEAD')).statusCode).toBe(302);
    canWrite = true;
    await recorded(id, 1);
    expect((await seen(id)).entries.map(({ event }) => event)).toEqual(['clicked']);
  });

  it('gets 503 if too many clicks wait to be recorded', async () => {
    const messages = await Promise.all(Array.from({ length: 12 }, () => sent()));
    canWrite = false;
    const answers = await Promise.all(
      messages.flatMap(({ click }) => Array.from({ length: 5 }, () => get(click(0)))),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 503));
    canWrite = true;
    await tracking.stop();
    const all = await Promise.all(messages.map(({ id }) => seen(id)));
    expect(all.flatMap(({ entries }) => entries)).toHaveLength(50);
  });

  it('of scheduled mail is not counted as a click yet', async () => {
    const { id, click } = await sent({ send_at: new Date(rig.clock.now() + 3_600_000).toISOString() });
    expect((await get(click(0))).statusCode).toBe(302);
    await tracking.stop();
    expect(await seen(id)).toMatchObject({ entries: [], message: { status: 'queued' } });
  });
});

it('a final status does not change, but the trail records the event', async () => {
  const { id, open } = await sent();
  await rig.raw(`UPDATE messages SET status = 'bounced' WHERE public_id = '${id}'`);
  await get(open);
  await recorded(id, 1);
  expect((await seen(id)).message).toMatchObject({ status: 'bounced', opened_at: rig.clock.now() });
});

it('user agents are stored as one line of limited length', async () => {
  const { id, open } = await sent();
  await get(open, { 'user-agent': `A\tB${'x'.repeat(2_000)}` });
  await get(open, { 'user-agent': '' });
  await recorded(id, 2);
  const [long, none] = (await seen(id)).entries;
  expect(long?.user_agent).toMatch(/^A Bx{497}$/);
  expect(none).toEqual({ event: 'opened', ip: '127.0.0.1' });
});

it('a raw message has working tracking links, and the stored content has none', async () => {
  const { id } = await sent();
  const raw = (await rig.ask('GET', `/v1/messages/${id}/raw`)).text
    .replace(/=\r?\n/g, '')
    .replaceAll('=3D', '=');
  const found = /href="https:\/\/mail\.example\.test(\/c\/[^"]+)"/.exec(raw)?.[1] ?? '';
  const pixel = /<img src="https:\/\/mail\.example\.test(\/o\/[^"]+)"/.exec(raw)?.[1] ?? '';
  expect(raw).toContain('href="mailto:x@shop.example"');
  expect((await get(found)).headers.location).toBe('https://shop.example/?a=1&b=2');
  await get(pixel);
  await recorded(id, 2);
  const { message } = await seen(id);
  expect((await rig.store.messages.content(message)).html).toBe(HTML);
});

it('mail without tracking has no tracking links', async () => {
  const { id } = await sent({ track_opens: false, track_clicks: false });
  const { text } = await rig.ask('GET', `/v1/messages/${id}/raw`);
  expect(text).not.toMatch(/\/[co]\/[0-9a-z]{20}/);
  expect(text).toContain('https://shop.example/');
});
