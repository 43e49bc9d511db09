// Tests opens and clicks of real mail: what a recipient's program fetches and follows, under the tenant's own click domain.
import { request } from 'node:http';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';

const HTML =
  '<html><body><p>Hällo <a href="https://shop.example/a?x=1&amp;y=2">there</a>, <a href=\'mailto:a@shop.example\'>write</a>' +
  ' or <a data-track="false" href="https://shop.example/plain">look</a>.</p></body></html>';

let sink: SmtpSink;
let rig: MailRig;
beforeAll(async () => {
  sink = await startSmtpSink({ keep: true });
  rig = await startMailRig({
    process: 'shared',
    mxPort: sink.port,
    env: { MAILKEEL_PUBLIC_URL: 'http://mail.platform.example' },
  });
});
afterAll(async () => {
  await rig.close();
  await sink.close();
});

/** Sends and receives a mail; returns its id and its HTML. */
async function received(name: string, more: Record<string, unknown> = {}) {
  const id = await rig.send(name, { html: HTML, ...more });
  const address = `${name}@receiver.example`;
  const mail = await waitFor(
    `the mail for ${name}`,
    () => Promise.resolve(sink.messages.find(({ rcptTo }) => rcptTo[0] === address)),
    (found) => found !== undefined,
  );
  await rig.reached(id, 'delivered');
  const { html, text } = await simpleParser(mail?.raw ?? '');
  return { id, html: String(html), text: String(text) };
}

/** Fetches like a browser on the recipient's side, for which all names resolve to the server. */
function fetched(url: string, userAgent = 'Mozilla/5.0 (Test)', method = 'GET') {
  const { host, pathname } = new URL(url);
  return new Promise<{ status: number; location: string | undefined; type: string | undefined }>(
    (resolve, reject) => {
      const asked = request(
        {
          host: '127.0.0.1',
          port: rig.appliance.port,
          path: pathname,
          method,
          headers: { host, 'user-agent': userAgent },
        },
        (response) => {
          response.resume();
          const { statusCode = 0, headers } = response;
          resolve({ status: statusCode, location: headers.location, type: headers['content-type'] });
        },
      );
      asked.on('error', reject).end();
    },
  );
}

const linksIn = (html: string): string[] =>
  [...html.matchAll(/(?:href|src)=["'](https?:[^"']+)/g)].map(([, url = '']) => url);

it("links and pixel use the tenant's click domain, lead to their targets, and are recorded", async () => {
  const { id, html, text } = await received('ann');
  const [click = '', plain, pixel = ''] = linksIn(html);
  expect(click).toMatch(/^http:\/\/click\.shop\.example\/c\/[0-9a-z]{43}\/0(?:-[0-9a-z]+){3}$/);
  expect(plain).toBe('https://shop.example/plain');
  expect(pixel).toMatch(/^http:\/\/click\.shop\.example\/o\/[0-9a-z]{43}$/);
  expect(html).toContain("href='mailto:a@shop.example'");
  expect(text).not.toContain('click.shop.example');

  expect(await fetched(pixel)).toMatchObject({ status: 200, type: 'image/gif' });
  await rig.reached(id, 'opened');
  expect(await fetched(click, 'Twitterbot/1.0')).toMatchObject({
    status: 302,
    location: 'https://shop.example/a?x=1&y=2',
  });
  expect((await fetched(click, 'Mozilla/5.0 (Test)', 'HEAD')).status).toBe(302);
  const message = await rig.reached(id, 'clicked');
  expect(message).toMatchObject({
    opened_at: expect.any(String) as string,
    clicked_at: expect.any(String) as string,
  });
  const trail = await rig.trail(id);
  expect(events(trail).slice(-3)).toEqual(['delivered', 'opened', 'clicked']);
  expect(trail.at(-2)).toMatchObject({
    actor: 'recipient',
    ip: '127.0.0.1',
    user_agent: 'Mozilla/5.0 (Test)',
  });
  expect(trail.at(-1)).toMatchObject({
    actor: 'recipient',
    metadata: { url: 'https://shop.example/a?x=1&y=2', link: 0, machine: true, client: 'twitter' },
  });
});

it('an open just before the shutdown is in the trail afterwards', async () => {
  const { id, html } = await received('bea');
  const pixel = linksIn(html).at(-1) ?? '';
  await fetched(pixel);
  await rig.appliance.end();
  await rig.appliance.start();
  expect(events(await rig.trail(id)).at(-1)).toBe('opened');
});

it('sandbox mail is tracked as well', async () => {
  const key = rig.appliance.keys.test_key;
  const { json } = await rig.appliance.api('POST', '/v1/messages', {
    key,
    body: { from: 'a@shop.example', to: 'delivered@example.com', subject: 'x', html: HTML },
  });
  const { id } = json as { id: string };
  const raw = await rig.appliance.api('GET', `/v1/messages/${id}/raw`, { key });
  const [click = ''] = linksIn(String((await simpleParser(raw.text)).html));
  expect(await fetched(click)).toMatchObject({ status: 302 });
  await waitFor(
    'the click in the trail',
    () => rig.appliance.api('GET', `/v1/messages/${id}`, { key }),
    (answer) => (answer.json as { clicked_at: string | null }).clicked_at !== null,
  );
});

it('an organization excludes a message type', async () => {
  const body = { untracked_types: ['transactional'] };
  expect((await rig.appliance.api('PATCH', '/v1/organization', { body })).json).toMatchObject(body);
  expect(linksIn((await received('cid')).html)).toEqual([
    'https://shop.example/a?x=1&amp;y=2',
    'https://shop.example/plain',
  ]);
  expect(linksIn((await received('dan', { track_clicks: true })).html)[0]).toContain('/c/');
});

it('leaves links of other services unchanged, and hidden content out of the text', async () => {
  const preview =
    '<div style="display:none;max-height:0" data-skip-in-text="true">Preview\u200c\u00a0\u200c</div>';
  const marked = '<a clicktracking=off href="https://shop.example/reset?t=1">Reset</a>';
  const removed =
    '<a data-pm-no-track href="https://shop.example/pm"><img src="cid:x" alt="Shop"></a><p hidden>no</p>';
  const { html, text } = await received('marks', {
    html: preview + marked + removed,
    text: '',
    track_clicks: true,
  });
  expect(html).toContain(marked);
  expect(html).toContain('<a href="https://shop.example/pm">');
  expect(text.trim()).toBe('Reset [https://shop.example/reset?t=1] Shop [https://shop.example/pm]');
});
