// Tests peers that reply with something other than SMTP, or with too much: Mailkeel keeps only what fits, nothing breaks, and the
// mail waits.
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
    env: { MAILKEEL_RETRY_SCHEDULE: '1h…', ...tuned({ breakerPausesMs: [3_600_000] }) },
  });
});

afterAll(async () => {
  await rig.close();
  await peers.close();
});

const TO_RCPT = '> 220 peer ESMTP\n< EHLO\n> 250 peer\n< MAIL FROM\n> 250 ok\n< RCPT TO';
let last = 0;

async function sendTo(script: string) {
  const domain = `g${(last += 1)}.example`;
  const peer = await peers.scripted(script);
  peers.serve(rig.dns, domain, peer);
  return { id: await rig.send(`anna@${domain}`), peer, domain };
}

it.each([
  ['a web server', '> HTTP/1.1 400 Bad Request', 'not an SMTP reply: HTTP/1.1 400 Bad Request'],
  ['an SSH server', '> SSH-2.0-OpenSSH_9.9', 'not an SMTP reply: SSH-2.0-OpenSSH_9.9'],
  ['an empty line', '>', 'not an SMTP reply: '],
  ['a code of five digits', '> 22000 hello', 'not an SMTP reply: 22000 hello'],
  ['control characters', '> \u0007\u001b[31m220\u0000 hi', 'not an SMTP reply: [31m220 hi'],
  ['a line without an end', `raw 220 ${'x'.repeat(9_000)}`, 'reply line is too long'],
  ['lines without an end', '> 220-hello\n'.repeat(400), 'reply has too many lines'],
])('%s in place of a greeting defers the message with its text', async (_, script, words) => {
  const { id, peer, domain } = await sendTo(script);
  const trail = await rig.logged(id, 'deferred');
  expect(trail.at(-1)?.metadata).toMatchObject({
    category: 'network',
    code: null,
    remote_host: `mx1.${domain}`,
    reply: words,
  });
  await peer.first().closed;
  expect(peer.first().received).not.toContain('MAIL');
  const found = await insightInto(rig.appliance).explain(id);
  expect(found.code).toMatch(/^deferred_/);
  expect(found.summary).not.toContain('\u0007');
});

const TO_DOT = `${TO_RCPT}\n> 250 ok\n< DATA\n> 354 go\nbody`;

it.each([
  [
    'in the greeting',
    '> 220-mx ESMTP\n> 521 5.7.1 Service unavailable; client [192.0.2.1] blocked using list.example',
    'deferred',
    { phase: 'greeting', code: 521, category: 'spam_block', reply: /blocked using list\.example/ },
  ],
  [
    'at RCPT',
    `${TO_RCPT}\n> 550-5.1.1 The mailbox you tried to reach\n> 554 5.1.1 does not exist`,
    'bounced',
    { phase: 'rcpt', code: 554, category: 'invalid_recipient', reply: /tried to reach does not exist/ },
  ],
  [
    'after the dot',
    `${TO_DOT}\n> 550-5.7.1 Message rejected\n> 554 5.7.1 as spam`,
    'bounced',
    { phase: 'dot', code: 554, category: 'spam_content', reply: /Message rejected as spam/ },
  ],
  [
    'after the dot, for now',
    `${TO_DOT}\n> 451-4.7.1 Try later\n> 450 4.7.1 greylisted`,
    'deferred',
    { phase: 'dot', code: 450, category: 'greylist', reply: /Try later greylisted/ },
  ],
] as const)('a reply %s whose lines have different codes is understood', async (_, script, event, seen) => {
  const { id } = await sendTo(script);
  const trail = await rig.logged(id, event);
  const entry = trail.find((one) => one.event === event);
  const { reply, ...facts } = seen;
  expect(entry?.metadata).toMatchObject({ ...facts, reply: expect.stringMatching(reply) as string });
  expect(entry?.metadata['ambiguous']).toBeUndefined();
});

it('a line without a code in the greeting does not prevent delivery', async () => {
  const { id } = await sendTo(
    `> 220-mx ESMTP\n> Unsolicited mail is refused here\n${TO_DOT.replace('peer ESMTP', 'ready')}\n> 250 ok`,
  );
  await rig.reached(id, 'delivered');
});

it.each([
  ['a line', `> 550 5.7.1 ${'no '.repeat(2_000)}`],
  ['many lines', '> 550-5.7.1 no\n'.repeat(300)],
])('a refusal of %s too long defers the message', async (_, reply) => {
  const { id } = await sendTo(`${TO_RCPT}\n${reply}`);
  const trail = await rig.logged(id, 'deferred');
  expect(trail.at(-1)?.metadata).toMatchObject({ phase: 'rcpt', category: 'network', code: null });
  expect(String(trail.at(-1)?.metadata['reply'])).toMatch(/^reply (line is too long|has too many lines)$/);
});

it('a long refusal within the limits is used and truncated', async () => {
  const { id } = await sendTo(
    `${TO_RCPT}\n${'> 550-5.1.1 no such user, and more words about it\n'.repeat(100)}> 550 5.1.1 end`,
  );
  const trail = await rig.logged(id, 'bounced');
  expect(trail.find(({ event }) => event === 'bounced')?.metadata).toMatchObject({
    category: 'invalid_recipient',
    enhanced_code: '5.1.1',
  });
  const [attempt] = await insightInto(rig.appliance).attempts(id);
  expect(attempt?.reply.length).toBeLessThanOrEqual(1_024);
  expect(attempt?.conversation.transaction.join('\n').length).toBeLessThanOrEqual(16_384);
});

it('an unexpected reply is not taken for that to the next command', async () => {
  // If the second 250 counted as the reply to RCPT, it would hide the refusal.
  const { id, peer } = await sendTo(
    '> 220 peer ESMTP\n< EHLO\n> 250 peer\n< MAIL FROM\n> 250 ok\n> 250 ok\n< RCPT TO\n> 550 5.1.1 no',
  );
  const trail = await rig.logged(id, 'deferred');
  expect(trail.at(-1)?.metadata).toMatchObject({ phase: 'rcpt', code: null, reply: 'peer said 250 unasked' });
  await peer.first().closed;
  expect(peer.first().received).not.toContain('DATA');
});
