// Tests guessing API keys by AUTH: the session ends, then the address is locked out for a while. Other addresses are not.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { waitFor } from '../../support/wait.js';

const FAILURES = 6;

let rig: MailRig;

beforeAll(async () => {
  rig = await startMailRig({
    process: 'shared',
    env: { MAILKEEL_RELAY_AUTH_FAILURES: String(FAILURES), MAILKEEL_RELAY_LOCKOUT: '3s' },
  });
});

afterAll(() => rig.close());

const plain = (key: string) => `AUTH PLAIN ${Buffer.from(`\0key\0${key}`).toString('base64')}`;

async function signIn(from: string, key: string): Promise<string> {
  const client = await rig.client(from, 'Relay, TLS');
  const reply = await client.say(plain(key));
  client.hangUp();
  return reply;
}

it('ends the session after three failures, and blocks the address after six for a while', async () => {
  const right = rig.appliance.keys.live_key;
  const client = await rig.client('127.0.0.66', 'Relay, TLS');
  for (const guess of ['a', 'b']) expect(await client.say(plain(guess))).toMatch(/^535 5\.7\.8 /);
  expect(await client.say(plain('c'))).toMatch(/^421 4\.7\.0 /);
  expect(await client.rest()).toEqual([]);
  for (const guess of ['d', 'e', 'f']) expect(await signIn('127.0.0.66', guess)).toMatch(/^535 5\.7\.8 /);
  expect(await signIn('127.0.0.66', right)).toMatch(/^421 4\.7\.0 /);

  expect(await signIn('127.0.0.67', right)).toMatch(/^235 /);
  await waitFor(
    'the lock-out to end',
    () => signIn('127.0.0.66', right),
    (reply) => reply.startsWith('235 '),
  );
});
