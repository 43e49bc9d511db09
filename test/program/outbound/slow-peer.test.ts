// Tests a peer that drips its replies byte by byte: each phase has its own time limit, which dripping does not extend.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { openPeers, type PeersByAddress } from '../../support/peers-by-address.js';
import { tuned } from '../../support/tuning.js';

let peers: PeersByAddress;
let rig: MailRig;

beforeAll(async () => {
  peers = await openPeers();
  rig = await startMailRig({
    process: 'shared',
    mxPort: peers.port,
    env: {
      ...tuned({
        smtpGreetingTimeoutMs: 300,
        smtpEhloTimeoutMs: 310,
        smtpCommandTimeoutMs: 320,
        smtpDataTimeoutMs: 330,
        breakerPausesMs: [3_600_000],
      }),
      MAILKEEL_SMTP_DOT_TIMEOUT: '340ms',
      MAILKEEL_RETRY_SCHEDULE: '1h…',
      MAILKEEL_AMBIGUOUS_HOLD: '1h',
    },
  });
});

afterAll(async () => {
  await rig.close();
  await peers.close();
});

/** Half a minute of one octet after another, of a reply that would be fine. */
const drip = (code: number): string => `raw ${code}-\n${'wait 25\nraw .\n'.repeat(1_200)}`;

const TO_EHLO = '> 220 peer ESMTP\n< EHLO';
const TO_MAIL = `${TO_EHLO}\n> 250 peer\n< MAIL FROM`;
const TO_RCPT = `${TO_MAIL}\n> 250 ok\n< RCPT TO`;
const TO_DATA = `${TO_RCPT}\n> 250 ok\n< DATA`;

it.each([
  ['greeting', drip(220), 300, 'deferred_no_greeting'],
  ['ehlo', `${TO_EHLO}\n${drip(250)}`, 310, 'deferred_reply_timeout'],
  ['mail', `${TO_MAIL}\n${drip(250)}`, 320, 'deferred_reply_timeout'],
  ['rcpt', `${TO_RCPT}\n${drip(250)}`, 320, 'deferred_reply_timeout'],
  ['data', `${TO_DATA}\n${drip(354)}`, 330, 'deferred_reply_timeout'],
])('at %s the message is deferred when the phase times out', async (phase, script, ms, explained) => {
  const domain = `${phase}.example`;
  const peer = await peers.scripted(script);
  peers.serve(rig.dns, domain, peer);
  const id = await rig.send(`anna@${domain}`);
  const trail = await rig.logged(id, 'deferred');
  expect(trail.at(-1)?.metadata).toMatchObject({
    phase,
    category: 'network',
    code: null,
    reply: `no reply within ${ms} ms`,
    remote_host: `mx1.${domain}`,
  });
  const [attempt] = await insightInto(rig.appliance).attempts(id);
  expect(attempt?.conversation.transaction.at(-1)).toBe(`* no reply within ${ms} ms`);
  await insightInto(rig.appliance).explained(id, explained);
  await peer.first().closed;
  expect(peer.first().received).not.toContain('\r\n.\r\n');
});

it('after the dot it is in doubt, held, and shown as such', async () => {
  const peer = await peers.scripted(`${TO_DATA}\n> 354 go\nbody\n${drip(250)}`);
  peers.serve(rig.dns, 'dot.example', peer);
  const id = await rig.send('anna@dot.example');
  const trail = await rig.logged(id, 'deferred');
  expect(trail.at(-1)?.metadata).toMatchObject({
    ambiguous: true,
    category: 'ambiguous',
    reply: 'no reply within 340 ms',
  });
  const found = await insightInto(rig.appliance).explained(id, 'deferred_ambiguous');
  expect(found.advice.map(({ code }) => code)).toContain('resend_deliberately');
});

it('a slow reply within the time delivers', async () => {
  const slow = (start: string, rest: string): string =>
    [`raw ${start}`, ...Array.from(rest, (octet) => `wait 5\nraw ${octet}`), '>'].join('\n');
  const peer = await peers.scripted(
    [
      slow('220 p', 'eer'),
      '< EHLO',
      slow('250 p', 'eer'),
      '< MAIL FROM',
      slow('250 o', 'k'),
      '< RCPT TO',
      slow('250 o', 'k'),
      '< DATA',
      slow('354 g', 'o'),
      'body',
      slow('250 2.0.0 t', 'aken'),
    ].join('\n'),
  );
  peers.serve(rig.dns, 'intime.example', peer);
  const id = await rig.send('anna@intime.example');
  await rig.reached(id, 'delivered');
  const [attempt] = await insightInto(rig.appliance).attempts(id);
  expect(attempt?.reply).toBe('2.0.0 taken');
});
