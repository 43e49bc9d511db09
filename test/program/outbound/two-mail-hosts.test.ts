// Tests a domain with two mail hosts: the second gets mail if the first is unreachable, but not mail that the first has deferred,
// refused, or possibly accepted.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { openPeers, type PeersByAddress } from '../../support/peers-by-address.js';
import type { ScriptedPeer } from '../../support/scripted-peer.js';
import { tuned } from '../../support/tuning.js';

let peers: PeersByAddress;
let rig: MailRig;

beforeAll(async () => {
  peers = await openPeers();
  rig = await startMailRig({
    process: 'shared',
    mxPort: peers.port,
    env: {
      ...tuned({ smtpGreetingTimeoutMs: 300, greylistRetryMs: 3_600_000, breakerPausesMs: [3_600_000] }),
      MAILKEEL_RETRY_SCHEDULE: '1h…',
    },
  });
});

afterAll(async () => {
  await rig.close();
  await peers.close();
});

const TO_MAIL = '> 220 peer ESMTP\n< EHLO\n> 250 peer\n< MAIL FROM';
const TO_DATA = `${TO_MAIL}\n> 250 ok\n< RCPT TO\n> 250 ok\n< DATA`;

describe('the second host gets the message in the same attempt if the first', () => {
  it.each<[string, string | null]>([
    ['is down', null],
    ['hangs up at once', 'close'],
    ['breaks the connection', 'reset'],
    ['does not greet', 'stall'],
    ['is not a mail server', '> HTTP/1.1 400 Bad Request'],
    ['takes no mail', '> 554 5.3.2 No mail here\n< QUIT\n> 221 bye\nclose'],
    ['turns our name down', '> 220 hi\n< EHLO\n> 550 5.7.1 not you\n< HELO\n> 550 5.7.1 not you'],
  ])('%s', async (what, script) => {
    const domain = `${what.replaceAll(' ', '-')}.example`;
    const first = script === null ? peers.nobody() : await peers.scripted(script);
    const second = await peers.sink();
    peers.serve(rig.dns, domain, first, second);
    const id = await rig.send(`anna@${domain}`);
    await rig.reached(id, 'delivered');
    const trail = await rig.trail(id);
    expect(events(trail)).toEqual(['queued', 'sending', 'sent', 'delivered']);
    expect(trail.at(-1)?.metadata).toMatchObject({ attempt: 1, remote_host: `mx2.${domain}` });
    const attempts = await insightInto(rig.appliance).attempts(id);
    expect(attempts.map(({ host, outcome }) => [host, outcome])).toEqual([[`mx2.${domain}`, 'delivered']]);
    expect(second.count()).toBe(1);
  });
});

describe('the second host gets no message if the first', () => {
  it.each<[string, string, string, object]>([
    ['is busy', '> 421 4.3.2 Busy', 'deferred', { phase: 'greeting', code: 421 }],
    ['defers the session', '> 450 4.3.2 Later', 'deferred', { phase: 'greeting', code: 450 }],
    ['defers the sender', `${TO_MAIL}\n> 451 4.3.0 Later`, 'deferred', { phase: 'mail', code: 451 }],
    [
      'greylists',
      `${TO_MAIL}\n> 250 ok\n< RCPT TO\n> 451 4.7.1 Greylisted, try later`,
      'deferred',
      { phase: 'rcpt', code: 451, category: 'greylist' },
    ],
    [
      'has no such user',
      `${TO_MAIL}\n> 250 ok\n< RCPT TO\n> 550 5.1.1 No such user`,
      'bounced',
      { phase: 'rcpt', code: 550 },
    ],
    [
      'defers the message',
      `${TO_DATA}\n> 354 go\nbody\n> 451 4.3.0 Later`,
      'deferred',
      { phase: 'dot', code: 451 },
    ],
    [
      'refuses the message',
      `${TO_DATA}\n> 354 go\nbody\n> 554 5.7.1 spam`,
      'bounced',
      { phase: 'dot', code: 554 },
    ],
  ])('%s', async (what, script, event, said) => {
    const domain = `${what.replaceAll(' ', '-')}.example`;
    const second = await peers.sink();
    peers.serve(rig.dns, domain, await peers.scripted(script), second);
    const id = await rig.send(`anna@${domain}`);
    const trail = await rig.logged(id, event);
    expect(trail.find((entry) => entry.event === event)?.metadata).toMatchObject({
      ...said,
      attempt: 1,
      remote_host: `mx1.${domain}`,
    });
    expect(second.connections()).toBe(0);
  });
});

describe('a connection that is lost', () => {
  /** The first host breaks off once, as specified, and then accepts mail. */
  async function breaking(
    domain: string,
    script: string,
  ): Promise<{ first: ScriptedPeer; seconds: () => number }> {
    const first = await peers.scripted([script, `${TO_DATA}\n> 354 go\nbody\n> 250 2.0.0 taken`]);
    const second = await peers.sink();
    peers.serve(rig.dns, domain, first, second);
    return { first, seconds: () => second.connections() };
  }

  it.each(['reset', 'close', '> 999 what'])(
    'after the dot puts the message in doubt without another host in that attempt: %s',
    async (end) => {
      const domain = `dot-${end.replace(/\W/g, '')}.example`;
      const { first, seconds } = await breaking(domain, `${TO_DATA}\n> 354 go\nbody\n${end}`);
      const id = await rig.send(`anna@${domain}`);
      const trail = await rig.logged(id, 'deferred');
      expect(trail.at(-1)?.metadata).toMatchObject({
        ambiguous: true,
        attempt: 1,
        remote_host: `mx1.${domain}`,
      });
      await rig.reached(id, 'delivered');
      const attempts = await insightInto(rig.appliance).attempts(id);
      expect(attempts.map(({ host, outcome }) => [host, outcome])).toEqual([
        [`mx1.${domain}`, 'ambiguous'],
        [`mx1.${domain}`, 'delivered'],
      ]);
      expect(first.connections).toHaveLength(2);
      expect(seconds()).toBe(0);
    },
  );

  it('before the dot defers the message without doubt', async () => {
    await breaking('data.example', `${TO_DATA}\nreset`);
    const id = await rig.send('anna@data.example');
    const trail = await rig.logged(id, 'deferred');
    expect(trail.at(-1)?.metadata).toMatchObject({ category: 'network', code: null, phase: 'data' });
    expect(trail.at(-1)?.metadata['ambiguous']).toBeUndefined();
  });
});

describe('two hosts', () => {
  it('of equal preference share the mail', async () => {
    const [one, other] = [await peers.sink(), await peers.sink()];
    peers.serve(rig.dns, 'even.example', one, other);
    rig.dns.set('even.example', 'MX', [
      { preference: 10, exchange: 'mx1.even.example' },
      { preference: 10, exchange: 'mx2.even.example' },
    ]);
    const ids: string[] = [];
    for (let number = 0; number < 30; number += 1) ids.push(await rig.send(`r${number}@even.example`));
    for (const id of ids) await rig.reached(id, 'delivered');
    expect(one.count() + other.count()).toBe(30);
  });

  it('that are both unreachable defer the message with the last error', async () => {
    peers.serve(rig.dns, 'both.example', peers.nobody(), peers.nobody());
    const id = await rig.send('anna@both.example');
    const trail = await rig.logged(id, 'deferred');
    expect(trail.at(-1)?.metadata).toMatchObject({
      category: 'network',
      phase: 'connect',
      remote_host: 'mx2.both.example',
      reply: expect.stringContaining('ECONNREFUSED') as string,
    });
    await insightInto(rig.appliance).explained(id, 'deferred_connection_refused');
  });
});
