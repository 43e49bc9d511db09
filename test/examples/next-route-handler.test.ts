// Tests examples/next-route-handler: calls its handler as Next.js does.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Appliance } from '../support/appliance.js';
import { buildExample } from '../support/examples.js';
import { startMailRig, type MailRig } from '../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait.js';

let sink: SmtpSink;
let rig: MailRig;
let appliance: Appliance;
let POST: (request: Request) => Promise<Response>;
beforeAll(async () => {
  sink = await startSmtpSink({ keep: true });
  rig = await startMailRig({ process: 'shared', mxPort: sink.port });
  ({ appliance } = rig);
  vi.stubEnv('MAILKEEL_URL', appliance.url);
  vi.stubEnv('MAILKEEL_API_KEY', appliance.keys.test_key);
  vi.stubEnv('CONTACT_FROM', 'Website <website@customer.example>');
  vi.stubEnv('CONTACT_TO', 'team@customer.example');
  const built = await buildExample('next-route-handler/app/api/contact/route.tsx');
  ({ POST } = (await import(built)) as { POST: typeof POST });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rig.close();
  await sink.close();
});

const form = (more: object = {}) => ({
  form_id: randomUUID(),
  name: 'Ann Smith',
  email: 'ann@example.com',
  message: 'Is <b>this</b> safe?\nYes.',
  ...more,
});

function post(body: unknown): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return POST(new Request('https://customer.example/api/contact', { method: 'POST', body: text }));
}

const key = () => ({ key: appliance.keys.test_key });
const count = async (): Promise<number> =>
  ((await appliance.api('GET', '/v1/messages?limit=100', key())).json as { data: unknown[] }).data.length;

it('mails the form to the team, with a link to the visitor, escaped', async () => {
  const response = await post(form());
  expect(response.status).toBe(202);
  const { id } = (await response.json()) as { id: string };
  const { json: message } = await appliance.api('GET', `/v1/messages/${id}`, key());
  expect(message).toMatchObject({
    to: 'team@customer.example',
    subject: 'Contact form: Ann Smith',
    tags: ['contact-form'],
  });
  const { json: content } = await appliance.api('GET', `/v1/messages/${id}/content`, key());
  expect(content.html).toContain('<a href="mailto:ann@example.com">');
  expect(content.html).toContain('Is &lt;b&gt;this&lt;/b&gt; safe?\nYes.');
});

it('works with a live key and the default settings', async () => {
  const live = { MAILKEEL_API_KEY: appliance.keys.live_key, CONTACT_FROM: 'Website <website@shop.example>' };
  const before = {
    MAILKEEL_API_KEY: appliance.keys.test_key,
    CONTACT_FROM: 'Website <website@customer.example>',
  };
  for (const [name, value] of Object.entries({ ...live, CONTACT_TO: 'team@receiver.example' })) {
    vi.stubEnv(name, value);
  }
  try {
    expect((await post(form())).status).toBe(202);
    const found = await waitFor(
      'the mail to arrive',
      () => sink.messages[0],
      (one) => one !== undefined,
    );
    expect(found?.raw.toString()).toContain('mailto:ann@example.com');
  } finally {
    for (const [name, value] of Object.entries({ ...before, CONTACT_TO: 'team@customer.example' })) {
      vi.stubEnv(name, value);
    }
  }
});

it('sends a form once for repeated requests', async () => {
  const before = await count();
  const one = form();
  const answers = await Promise.all([post(one), post(one), post(one)]);
  const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as { id: string }).id));
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(new Set(ids).size).toBe(1);
  expect((await post({ ...one, message: 'Something else' })).status).toBe(409);
  expect(await count()).toBe(before + 1);
});

it.each([
  ['no JSON', 'form_id=1', 422],
  ['nothing', '', 422],
  ['a list', '[]', 422],
  ['no message', form({ message: '  ' }), 422],
  ['a name of two lines', form({ name: 'Ann\r\nBcc: all@example.com' }), 422],
  ['an address that is none', form({ email: 'ann@' }), 422],
  ['too much', form({ message: 'x'.repeat(30_000) }), 413],
])('refuses %s, and sends nothing', async (_what, body, status) => {
  const before = await count();
  const response = await post(body);
  expect([response.status, await response.json()]).toEqual([
    status,
    { message: expect.any(String) as string },
  ]);
  expect(await count()).toBe(before);
});

it('asks to retry while the server is unavailable', async () => {
  vi.stubEnv('MAILKEEL_URL', 'http://127.0.0.1:9');
  try {
    expect((await post(form())).status).toBe(503);
  } finally {
    vi.stubEnv('MAILKEEL_URL', appliance.url);
  }
});
