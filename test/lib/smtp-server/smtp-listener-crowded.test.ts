// Tests that clients get in although idle clients have taken all places.
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { createSignInGuard } from '../../../src/lib/smtp-server/sign-in-guard.js';
import { fixedClock } from '../../support/fixed-clock.js';
import type { RawClient } from '../../support/raw-client.js';
import { startListener, type TestListener, type TestListenerOptions } from './listener.js';
import { waitFor } from '../../support/wait.js';

const GIVES_WAY = '421 4.3.2 Too many sessions; closing this idle session';
const clock = fixedClock();
const rigs: TestListener[] = [];

async function start(options: TestListenerOptions): Promise<TestListener> {
  const rig = await startListener({ clock: clock.now, ...options });
  rigs.push(rig);
  return rig;
}
afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.close();
});

async function greeted(rig: TestListener, from: string): Promise<RawClient> {
  const client = await rig.client({ from });
  expect(await client.reply()).toMatch(/^220 /);
  await client.say('EHLO x');
  return client;
}

describe('if clients sign in', () => {
  const relay = (): Pick<TestListenerOptions, 'signIn' | 'hooks'> => ({
    signIn: {
      guard: createSignInGuard({ terms: { failures: 5, lockoutMs: 60_000 }, clock: clock.now }),
      authInClear: true,
    },
    hooks: { authenticate: ({ user }) => ({ account: user, owner: user }) },
  });
  const signIn = (client: RawClient, user: string): Promise<string> =>
    client.say(`AUTH PLAIN ${Buffer.from(`\0${user}\0key`).toString('base64')}`);

  it('four addresses without an account cannot exclude customers', async () => {
    const sessions = { total: 20, perAddress: 5, perNetwork: 10, unsigned: 10, perAccount: 20 };
    const rig = await start({ ...relay(), admissionLimits: { sessions } });
    const strangers: RawClient[] = [];
    for (let n = 0; n < 20; n += 1) {
      const client = await rig.client({ from: `127.0.${n % 4}.9` });
      await client.reply();
      strangers.push(client);
    }
    expect(rig.admission.counts()).toMatchObject({ sessions: 10, unsigned: 10 });
    const customers: RawClient[] = [];
    for (let n = 0; n < 8; n += 1) {
      const customer = await greeted(rig, `127.0.9.${n + 1}`);
      expect(await signIn(customer, 'ann')).toMatch(/^235 /);
      customers.push(customer);
    }
    for (const customer of customers) expect(await customer.send('c@ours.example', 'x\r\n')).toMatch(/^250 /);
    expect(rig.admission.counts()).toMatchObject({ gaveWay: 1, sessions: 17, unsigned: 9 });
    await waitFor('one stranger was told', () => strangers.some((one) => one.transcript.includes(GIVES_WAY)));
  });

  it.each([
    ['in clear', false],
    ['before a handshake', true],
  ])('a session without sign-in ends after its time: %s', async (_what, implicitTls) => {
    const rig = await start({ ...relay(), implicitTls, limits: { signInMs: 150 } });
    const client = await rig.client();
    const heard = await client.rest();
    if (!implicitTls) expect(heard.at(-1)).toBe('421 4.4.2 Sign-in timeout exceeded');
    await waitFor('it is gone', () => rig.admission.counts().sessions === 0);
    expect(rig.admission.counts().unsigned).toBe(0);
  });

  it('a session with sign-in outlives that time', async () => {
    const rig = await start({ ...relay(), limits: { signInMs: 150 } });
    const customer = await greeted(rig, '127.0.0.1');
    await signIn(customer, 'ann');
    const silent = await rig.client();
    await silent.rest();
    expect(await customer.say('NOOP')).toMatch(/^250 /);
  });

  it('one account gets no more than its share of the slots', async () => {
    const rig = await start({ ...relay(), admissionLimits: { sessions: { total: 6, perAccount: 2 } } });
    const [one, two, three] = [
      await greeted(rig, '127.0.0.1'),
      await greeted(rig, '127.0.0.2'),
      await greeted(rig, '127.0.0.3'),
    ];
    expect(await signIn(one, 'ann')).toMatch(/^235 /);
    expect(await signIn(two, 'ann')).toMatch(/^235 /);
    expect(await signIn(three, 'ann')).toMatch(/^454 4\.7\.0 /);
    expect(await signIn(three, 'bob')).toMatch(/^235 /);
    one.hangUp();
    await waitFor('the place is free', () => rig.admission.counts().sessions === 2);
    expect(await signIn(await greeted(rig, '127.0.0.1'), 'ann')).toMatch(/^235 /);
  });
});

describe('if everyone may deliver', () => {
  it('the session without progress from the most crowded network is ended, and useless commands are not progress', async () => {
    const rig = await start({ admissionLimits: { sessions: { total: 4, perNetwork: 3 } } });
    const sending = await greeted(rig, '127.0.1.1');
    const idle = await greeted(rig, '127.0.1.2');
    const chatting = await greeted(rig, '127.0.1.3');
    await greeted(rig, '127.0.2.1');
    await chatting.say('MAIL FROM:<a@b.example>');
    clock.advance(500);
    await chatting.say('RSET', 'MAIL FROM:<a@b.example>', 'NOOP');
    clock.advance(600);
    expect(await sending.say('MAIL FROM:<a@b.example>', 'RCPT TO:<c@ours.example>')).toMatch(/^250 /);
    expect(await greeted(rig, '127.0.3.1')).toBeDefined();
    const [heard] = await Promise.race([idle.rest(), chatting.rest()]);
    expect(heard).toBe(GIVES_WAY);
    expect(rig.admission.counts().gaveWay).toBe(1);
    expect(await sending.say('DATA')).toMatch(/^354 /);
    expect(await sending.say('x\r\n.')).toMatch(/^250 /);
  });

  it('timeouts are short while slots are scarce', async () => {
    const rig = await start({ admissionLimits: { sessions: { total: 5 } } });
    const idle = [await greeted(rig, '127.0.1.1'), await greeted(rig, '127.0.2.1')];
    const inData = await greeted(rig, '127.0.3.1');
    await inData.say('MAIL FROM:<a@b.example>', 'RCPT TO:<c@ours.example>', 'DATA');
    clock.advance(16_000);
    await greeted(rig, '127.0.4.1');
    expect(rig.admission.counts()).toMatchObject({ gaveWay: 0, sessions: 4 });
    inData.write('x'.repeat(70).concat('\r\n').repeat(40));
    await waitFor('it was read', () => rig.admission.counts().heldOctets > 0);
    await greeted(rig, '127.0.5.1');
    expect(await Promise.all(idle.map((client) => client.rest()))).toEqual([[GIVES_WAY], [GIVES_WAY]]);
    expect(await inData.say('.')).toMatch(/^250 /);
    expect(rig.admission.counts().gaveWay).toBe(2);
  });

  it('a session whose message is being stored is never ended', async () => {
    let keep = (): void => undefined;
    const rig = await start({
      admissionLimits: { sessions: { total: 1 } },
      hooks: {
        data: () =>
          new Promise((resolve) => (keep = () => resolve({ code: 250, enhanced: '2.0.0', text: 'Kept' }))),
      },
    });
    const client = await greeted(rig, '127.0.1.1');
    await client.say('MAIL FROM:<a@b.example>', 'RCPT TO:<c@ours.example>', 'DATA');
    client.write('x\r\n.\r\n');
    await waitFor('it is being kept', () => keep.length === 0 && rig.admission.counts().heldOctets > 0);
    clock.advance(60_000);
    const other = await rig.client({ from: '127.0.2.1' });
    expect(await other.reply()).toMatch(/^421 4\.3\.2 /);
    keep();
    expect(await client.reply()).toMatch(/^250 /);
  });
});

describe('a message in transfer', () => {
  it('below the minimum rate ends its session, and a faster one does not', async () => {
    const rig = await start({ limits: { dataRate: 1_000, dataWindowMs: 200 } });
    const [slow, quick] = [await greeted(rig, '127.0.0.1'), await greeted(rig, '127.0.0.2')];
    for (const client of [slow, quick]) {
      await client.say('MAIL FROM:<a@b.example>', 'RCPT TO:<c@ours.example>', 'DATA');
    }
    const heard = slow.rest();
    let isOver = false;
    void heard.finally(() => (isOver = true));
    while (!isOver) {
      slow.write('x');
      quick.write('x'.repeat(70).concat('\r\n'));
      await pause(5);
    }
    expect(await heard).toEqual(['421 4.4.2 Message data arriving too slowly']);
    expect(await quick.say('.')).toMatch(/^250 /);
    await waitFor('nothing is held', () => rig.admission.counts().heldOctets === 0);
  });
});
