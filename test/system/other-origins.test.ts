// Tests browsers on other sites' pages: a static form of another site signs a person up, and an EventSource follows the test
// environment of a second workspace.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { ensureChromium, startChromium, type Browser } from '../support/chromium.js';
import { waitFor } from '../support/wait.js';

const skipReason = ensureChromium();
if (skipReason !== null) console.warn(`skipped: a browser on other sites: ${skipReason}`);

const SITE = 'http://site.example.test';
const OWNER = { email: 'olga@example.com', password: 'the lamp is on the left side' };

describe.skipIf(skipReason !== null)('a browser', () => {
  let appliance: Appliance;
  let site: Server;
  let browser: Browser;
  let page = '';

  beforeAll(async () => {
    appliance = await createAppliance({
      process: 'shared',
      env: { MAILKEEL_OWNER_EMAIL: OWNER.email, MAILKEEL_OWNER_PASSWORD: OWNER.password },
    });
    await appliance.start();
    site = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const { port } = site.address() as AddressInfo;
    browser = await startChromium({ hosts: [new URL(SITE).hostname], port });
  });
  afterAll(async () => {
    await browser.close();
    await new Promise((resolve) => site.close(resolve));
    await appliance.close();
  });

  it('signs up by a static form of another site, and is redirected back', async () => {
    const key = appliance.keys.live_key;
    const made = await appliance.api('POST', '/v1/lists', {
      key,
      body: { name: 'News', form_origins: [SITE] },
    });
    const { id } = made.json as { id: string };
    const keyed = await appliance.api('POST', `/v1/lists/${id}/publishable-key`, { key });
    const { publishable_key: listKey } = keyed.json as { publishable_key: string };
    const form = (redirect: string) => `<!doctype html><title>Shop</title>
      <form method="post" action="${appliance.url}/v1/subscribe">
        <input name="email"><input name="name"><input type="hidden" name="list_key" value="${listKey}">
        <input type="hidden" name="metadata[source]" value="footer">${redirect}<button>Sign up</button></form>`;

    page = form('');
    await browser.open(`${SITE}/`);
    const thanks = await browser.press('Sign up', { email: 'ann@example.com', name: 'Ann' });
    expect([thanks.status, thanks.title, thanks.complaints]).toEqual([200, 'News', []]);

    page = form(`<input type="hidden" name="redirect_url" value="${SITE}/thanks">`);
    await browser.open(`${SITE}/`);
    await browser.press('Sign up', { email: 'bob@example.com' });
    expect(await browser.evaluate('location.href')).toBe(`${SITE}/thanks`);

    const told = await browser.evaluate(
      `fetch('${appliance.url}/v1/subscribe', { method: 'POST',
        body: new URLSearchParams({ list_key: '${listKey}', email: 'eve@example.com' }) }).then((it) => it.json())`,
    );
    expect(told).toEqual({ object: 'sign_up', list_id: id, status: 'accepted' });
    const closed = await browser.evaluate(
      `fetch('${appliance.url}/v1/lists', { headers: { authorization: 'Bearer ${key}' } }).then(() => 'read', () => 'kept')`,
    );
    expect(closed).toBe('kept');

    const members = await appliance.api('GET', `/v1/lists/${id}/contacts`, { key });
    const people = (members.json as { data: { email: string; name: string | null; metadata: unknown }[] })
      .data;
    expect(people.map(({ email, name, metadata }) => [email, name, metadata])).toEqual([
      ['eve@example.com', null, {}],
      ['bob@example.com', null, { source: 'footer' }],
      ['ann@example.com', 'Ann', { source: 'footer' }],
    ]);
  });

  it('follows the test environment of a second workspace with an EventSource', async () => {
    await browser.open(`${appliance.url}/reset-password`);
    const ask = (method: string, path: string, body: object, headers = '{}') =>
      browser.evaluate(
        `fetch('${path}', { method: '${method}', body: ${JSON.stringify(JSON.stringify(body))},
          headers: { 'content-type': 'application/json', 'x-csrf-token': globalThis.csrf ?? '', ...${headers} } })
          .then((it) => it.json())`,
      );
    const session = (await ask('POST', '/v1/auth/sign-in', OWNER)) as { csrf_token: string };
    expect(session).toMatchObject({ csrf_token: expect.any(String) as string });
    await browser.evaluate(`globalThis.csrf = '${session.csrf_token}'`);
    const { id } = (await ask('POST', '/v1/workspaces', { name: 'Second' })) as { id: string };
    const opened = await browser.evaluate(
      `globalThis.seen = []; globalThis.source = new EventSource('/v1/events/stream?workspace_id=${id}&environment=test');
       source.addEventListener('message.delivered', (event) => seen.push(JSON.parse(event.data)));
       new Promise((resolve) => { source.onopen = () => resolve('open'); source.onerror = () => resolve('refused'); })`,
    );
    expect([id, opened]).toEqual([expect.stringMatching(/^ws_/), 'open']);
    const message = { from: 'me@example.com', to: 'you@example.com', subject: 'Hello', text: 'It works.' };
    const there = JSON.stringify({ 'x-workspace-id': id, 'x-environment': 'test' });
    const sent = (await ask('POST', '/v1/messages', message, there)) as { id: string };
    await waitFor('the event is told', async () => (await browser.evaluate('seen.length')) === 1);
    expect(await browser.evaluate('seen[0].data.id')).toBe(sent.id);
    expect(await browser.evaluate('seen[0].sandbox')).toBe(true);
    await browser.evaluate('source.close()');
  });
});
