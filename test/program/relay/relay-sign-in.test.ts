// Tests who may submit: an API key as the password, under TLS, from the addresses and for the time that the key allows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lines } from '../../support/raw-mail.js';
import { signIn } from '../../support/relay-client.js';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { waitFor } from '../../support/wait.js';

const FAILURES = 8;
let relay: SinkRig;
beforeAll(async () => {
  relay = await startMailRigWithSink({
    process: 'shared',
    env: { MAILKEEL_RELAY_AUTH_FAILURES: String(FAILURES), MAILKEEL_RELAY_LOCKOUT: '1h' },
  });
});
afterAll(() => relay.close());

const mailTo = (to: string): string => lines('From: orders@shop.example', `To: ${to}`, '', 'Hi');

/** A success resets the count of failures. */
async function answerTo(key: string): Promise<string> {
  const client = await relay.relayClient();
  const reply = await signIn(client, key);
  client.hangUp();
  expect(await signedIn(relay.key)).toBe(true);
  return reply;
}

async function signedIn(key: string): Promise<boolean> {
  const client = await relay.relayClient();
  const reply = await signIn(client, key);
  client.hangUp();
  return reply.startsWith('235 2.7.0');
}

describe.each([
  ['after STARTTLS', false],
  ['on the port with TLS', true],
])('%s', (_where, tls) => {
  it.each(['PLAIN', 'LOGIN'] as const)('AUTH %s opens the relay, and the mail is sent', async (method) => {
    const to = `${method}-${String(tls)}@receiver.example`.toLowerCase();
    const { reply, ids } = await relay.submit({ to, raw: mailTo(to), tls, method });
    expect(reply).toMatch(/^250 2\.0\.0 Queued as msg_[0-9a-z]{26}$/);
    await relay.arrived(to);
    const trail = await relay.trail(ids[0] ?? '');
    expect(trail[0]).toMatchObject({ event: 'queued', actor: 'api_key' });
  });
});

it('accepts the AUTH variants of clients, and several mails in one session', async () => {
  const b64 = (text: string): string => Buffer.from(text).toString('base64');
  const ways: readonly (readonly string[])[] = [
    ['AUTH PLAIN', b64(`\0any\0${relay.key}`)],
    [`auth plain ${b64(`any\0any\0${relay.key}`)}`],
    [`AUTH LOGIN ${b64('any')}`, b64(relay.key)],
    [`AUTH PLAIN ${b64(`\0\0${relay.key}`)}`],
    [`AUTH PLAIN ${b64(`\0${relay.key}\0${relay.key}`)}`],
  ];
  for (const [i, way] of ways.entries()) {
    const client = await relay.relayClient();
    expect(await client.say(...way), way[0]).toMatch(/^235 2\.7\.0 /);
    // All at once, as a client with PIPELINING does.
    for (const mail of ['first', 'second']) {
      const to = `${mail}${i}@receiver.example`;
      client.write(`RSET\r\nMAIL FROM:<robot@shop.example>\r\nRCPT TO:<${to}>\r\nDATA\r\n`);
      for (const code of ['250', '250', '250', '354']) expect((await client.reply()).slice(0, 3)).toBe(code);
      client.write(`${mailTo(to)}.\r\n`);
      expect(await client.reply()).toMatch(/^250 2\.0\.0 Queued/);
    }
    expect(await client.say('QUIT')).toMatch(/^221 /);
    await relay.arrived(`second${i}@receiver.example`);
  }
  const client = await relay.relayClient();
  expect(await client.say('AUTH CRAM-MD5')).toMatch(/^504 /);
  expect(await client.say('AUTH PLAIN', '*')).toMatch(/^501 /);
  expect(await client.say('AUTH PLAIN !!!')).toMatch(/^50[01] /);
  expect(await signIn(client, relay.key)).toMatch(/^235 /);
  client.hangUp();
});

it('neither offers nor accepts AUTH before TLS', async () => {
  const client = await relay.relayClient({ isClear: true });
  expect(client.transcript).not.toContain('AUTH');
  expect(client.transcript).toContain('STARTTLS');
  expect(await client.say(`AUTH PLAIN ${Buffer.from(`\0x\0${relay.key}`).toString('base64')}`)).toMatch(
    /^538 5\.7\.11 /,
  );
  expect(await client.say('MAIL FROM:<robot@shop.example>')).toMatch(/^530 5\.7\.0 /);
  client.hangUp();
  const secured = await relay.relayClient();
  expect(secured.transcript).toMatch(/^250-AUTH PLAIN LOGIN\r$/m);
  expect(await secured.say('MAIL FROM:<robot@shop.example>')).toMatch(/^530 5\.7\.0 /);
  secured.hangUp();
});

it('refuses invalid keys, and keys that are revoked, cannot send, or come from another address', async () => {
  const past = new Date(Date.now() + 1_500).toISOString();
  const expiring = await relay.makeKey({ permission: 'send', expires_at: past });
  const revoked = await relay.makeKey({ permission: 'send' });
  expect(await signedIn(revoked.secret)).toBe(true);
  await relay.appliance.api('DELETE', `/v1/api-keys/${revoked.id}`);
  const reading = await relay.makeKey({ permission: 'read' });
  const elsewhere = await relay.makeKey({ permission: 'send', allowed_ips: ['192.0.2.0/24', '::1'] });
  const here = await relay.makeKey({ permission: 'full', allowed_ips: ['127.0.0.0/8'] });

  expect(await answerTo('svc_live_wrong')).toBe('535 5.7.8 Authentication credentials invalid');
  expect(await answerTo('')).toMatch(/^535 /);
  expect(await answerTo(revoked.secret)).toMatch(/^535 5\.7\.8 /);
  expect(await answerTo(reading.secret)).toMatch(/^535 5\.7\.1 The API key does not have permission to send/);
  expect(await answerTo(elsewhere.secret)).toMatch(
    /^535 5\.7\.1 The API key can't be used from this IP address/,
  );
  expect(await signedIn(here.secret)).toBe(true);
  const ended = () => relay.appliance.api('GET', '/v1/messages', { key: expiring.secret });
  await waitFor('the key to end', ended, ({ status }) => status === 401);
  expect(await answerTo(expiring.secret)).toMatch(/^535 5\.7\.8 /);
});

it('ends a session whose key is revoked', async () => {
  const { id, secret } = await relay.makeKey({ permission: 'send', sub_tenant_id: relay.tenantId });
  const client = await relay.relayClient();
  expect(await signIn(client, secret)).toMatch(/^235/);
  await relay.appliance.api('DELETE', `/v1/api-keys/${id}`);
  const replies = [
    await client.say('MAIL FROM:<robot@shop.example>'),
    await client.say('RCPT TO:<late@receiver.example>'),
    await client.say('DATA'),
  ];
  client.write(`${mailTo('late@receiver.example')}.\r\n`);
  replies.push(await client.reply());
  client.hangUp();
  expect(replies.some((reply) => /^(?:535|530|550|421) /.test(reply))).toBe(true);
});

it('blocks an address after too many failures, even with a valid key', async () => {
  const replies: string[] = [];
  for (let failures = 0; failures < FAILURES;) {
    const client = await relay.relayClient();
    for (let i = 0; i < 2 && failures < FAILURES; i++, failures++) {
      replies.push(await signIn(client, `svc_live_guess${failures}`));
    }
    client.hangUp();
  }
  expect(replies.every((reply) => reply.startsWith('535 '))).toBe(true);
  const client = await relay.relayClient();
  expect(await signIn(client, relay.key)).toBe('421 4.7.0 Too many failed sign-ins; try again later');
  client.hangUp();
  expect(relay.appliance.output()).toContain('locked out');
});

it('accepts keys without TLS if the operator allows it', async () => {
  await relay.appliance.end();
  await relay.appliance.start({ MAILKEEL_RELAY_ALLOW_INSECURE_AUTH: 'true' });
  const client = await relay.relayClient({ isClear: true });
  expect(client.transcript).toMatch(/^250-AUTH PLAIN LOGIN\r$/m);
  expect(await signIn(client, relay.key)).toMatch(/^235 /);
  client.hangUp();
});
