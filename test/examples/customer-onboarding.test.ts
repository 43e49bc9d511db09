// Tests examples/customer-onboarding: it sets up a customer, and queries the customer's real DNS, mail server and webhook
// receiver.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { webhooks } from '../../clients/sdk/src/index.js';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import { buildExample, startExample, type RunningExample } from '../support/examples.js';
import { startHttpReceiver, type HttpReceiver } from '../support/http-receiver.js';
import { publish, QUICK, receives, type DnsRecord } from '../support/mail-rig.js';
import { firstOf } from '../support/run-size.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait.js';

let appliance: Appliance;
let dns: TestDnsServer;
let sink: SmtpSink;
let receiver: HttpReceiver;
let script: string;
beforeAll(async () => {
  [dns, receiver, sink, script] = await Promise.all([
    startDnsServer(),
    startHttpReceiver(),
    startSmtpSink({ keep: true }),
    buildExample('customer-onboarding/onboard.ts'),
  ]);
  receives(dns, 'receiver.example');
  appliance = await createAppliance({
    process: 'shared',
    env: { ...QUICK, MAILKEEL_DNS_SERVERS: dns.address, MAILKEEL_MX_PORT: String(sink.port) },
  });
  await appliance.start();
});
afterAll(async () => {
  await appliance.close();
  await Promise.all([dns.close(), receiver.close(), sink.close()]);
});

const COMPLETE = {
  '--id': '4711',
  '--name': 'Acme Ltd',
  '--domain': 'acme.example',
  '--to': 'owner@receiver.example',
};

/** With these options; undefined removes one. */
function onboard(more: Record<string, string | undefined> = {}): RunningExample {
  const options: Record<string, string | undefined> = {
    ...COMPLETE,
    '--webhook': `${receiver.url}/hooks`,
    '--every': '0.1',
    ...more,
  };
  const args = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [name, value]));
  const env = { MAILKEEL_URL: appliance.url, MAILKEEL_API_KEY: appliance.keys.live_key };
  return startExample(script, args, env);
}

const secretsIn = (text: string): string[] =>
  [...text.matchAll(/^(?:Key|Webhook secret) of the customer: (\S+)$/gm)].map(([, secret = '']) => secret);

it('sets a customer up from the sub-tenant to the first message', async () => {
  const running = onboard({ '--wait': '30' });
  await waitFor(
    'a check',
    () => running.written.stdout,
    (text) => text.includes('acme.example is not verified yet'),
  );
  // The customer now publishes the displayed records.
  const { json } = await appliance.api('GET', '/v1/sub-tenants/external:4711');
  const records = json.dns_records as (DnsRecord & { required: boolean })[];
  for (const { host, value } of records) {
    expect(running.written.stdout).toContain(host);
    expect(running.written.stdout).toContain(value);
  }
  publish(dns, records);

  const { code, stdout, stderr } = await running.finished;
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('acme.example is verified.');
  const id = /First message: (msg_\w+)/.exec(stdout)?.[1] ?? '';
  const mails = await waitFor(
    'the first message',
    () => sink.messages,
    (found) => found.length > 0,
  );
  expect(mails[0]?.rcptTo).toEqual(['owner@receiver.example']);
  expect(mails[0]?.raw.toString()).toMatch(/^DKIM-Signature: [^]*?d=acme\.example/m);

  const [key = '', secret = ''] = secretsIn(stdout);
  // The key sends for this customer and reads no other's.
  const draft = { to: 'owner@receiver.example', subject: 'By the customer', text: 'Hi.' };
  const own = await appliance.api('POST', '/v1/messages', {
    key,
    body: { ...draft, from: 'hello@acme.example' },
  });
  expect(own.status).toBe(202);
  expect(own.json).toMatchObject({ sub_tenant_id: json.id });
  const foreign = await appliance.api('POST', '/v1/messages', {
    key,
    body: { ...draft, from: 'hello@other.example' },
  });
  expect(foreign.status).toBe(422);
  expect((await appliance.api('GET', '/v1/sub-tenants', { key })).status).toBe(403);

  // Its receiver gets its events, signed with its secret.
  const requests = await waitFor(
    'a webhook about the first message',
    () => receiver.requests.filter(({ rawBody }) => rawBody.includes(id)),
    (found) => found.length > 0,
  );
  for (const { rawBody, headers } of requests) {
    await expect(webhooks.verify(rawBody, headers, secret)).resolves.toMatchObject({ data: { id } });
  }
});

it('creates nothing twice when it is repeated', async () => {
  const first = await onboard().finished;
  const again = await onboard().finished;
  expect([first.code, again.code]).toEqual([0, 0]);
  expect(secretsIn(again.stdout)).toEqual(secretsIn(first.stdout));
  const message = /First message: (\S+)/;
  expect(message.exec(again.stdout)?.[1]).toBe(message.exec(first.stdout)?.[1]);
  for (const [path, count] of [
    ['/v1/sub-tenants', 1],
    ['/v1/api-keys?limit=100', 1],
    ['/v1/webhook-endpoints', 1],
  ] as const) {
    const { json } = await appliance.api('GET', path);
    const theirs = (json.data as { sub_tenant_id?: string | null }[]).filter(
      ({ sub_tenant_id }) => sub_tenant_id !== null,
    );
    expect(theirs, path).toHaveLength(count);
  }
});

it('reports missing records', async () => {
  const { code, stderr } = await onboard({ '--id': '4712', '--domain': 'late.example', '--wait': '0.3' })
    .finished;
  expect(code).toBe(3);
  expect(stderr).toBe('late.example is not verified. Publish the records, and run this again.\n');
});

const refusals = [
  ['an option is missing', { '--domain': undefined }, 2, /^Usage: /],
  ['the domain is none', { '--id': '4713', '--domain': 'acme' }, 1, /^[^\n]*sending_domain[^\n]*\n$/],
  ['there is no such option', { '--domian': 'acme.example' }, 2, /--domian[^]*Usage: /],
  ['a time is none', { '--every': 'often' }, 2, /^Usage: /],
  ['another customer has the domain', { '--id': '4714' }, 1, /^[^\n]*domain_taken[^\n]*\n$/],
] as const;
it.each(firstOf(1, refusals))('stops with an explanation if %s', async (_when, options, code, said) => {
  const finished = await onboard(options).finished;
  expect(finished.stderr).toMatch(said);
  expect(finished.code).toBe(code);
});
