// Tests a peer that refuses at each step of the session and of the transaction: the outcome of the message, its explanation, and
// the quoted reply.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { openPeers, type PeersByAddress } from '../../support/peers-by-address.js';
import { tuned } from '../../support/tuning.js';

let peers: PeersByAddress;
let rig: MailRig;

beforeAll(async () => {
  peers = await openPeers();
  // Nothing is retried while a test inspects it.
  rig = await startMailRig({
    process: 'shared',
    mxPort: peers.port,
    env: {
      ...tuned({ expiryGraceMs: 300, breakerPausesMs: [3_600_000], greylistRetryMs: 3_600_000 }),
      MAILKEEL_RETRY_SCHEDULE: '1h…',
    },
  });
});

afterAll(async () => {
  await rig.close();
  await peers.close();
});

const TURN: Record<string, string> = {
  greeting: '> %',
  ehlo: '> 220 peer ESMTP\n< EHLO\n> %\n< HELO\n> %',
  mail: '> 220 peer ESMTP\n< EHLO\n> 250 peer\n< MAIL FROM\n> %',
  rcpt: '> 220 peer ESMTP\n< EHLO\n> 250 peer\n< MAIL FROM\n> 250 ok\n< RCPT TO\n> %',
  data: '> 220 peer ESMTP\n< EHLO\n> 250 peer\n< MAIL FROM\n> 250 ok\n< RCPT TO\n> 250 ok\n< DATA\n> %',
  dot: '> 220 peer ESMTP\n< EHLO\n> 250 peer\n< MAIL FROM\n> 250 ok\n< RCPT TO\n> 250 ok\n< DATA\n> 354 go\nbody\n> %',
};

interface Seen {
  category: string;
  explained: string;
  advice?: string;
}

let last = 0;

/** Sends one message to a peer that replies `reply` in `phase`; returns its trail entry, its attempt, and its explanation. */
async function refusedWith(phase: string, reply: string, event: 'deferred' | 'bounced') {
  const domain = `r${(last += 1)}.example`;
  const peer = await peers.scripted((TURN[phase] ?? '').replaceAll('%', reply));
  peers.serve(rig.dns, domain, peer);
  const id = await rig.send(`anna@${domain}`);
  const trail = await rig.logged(id, event);
  const insight = insightInto(rig.appliance);
  const [attempt] = await insight.attempts(id);
  expect(peer.connections.flatMap(({ surprises }) => surprises)).toEqual([]);
  return {
    id,
    email: `anna@${domain}`,
    message: await rig.message(id),
    entry: trail.find((found) => found.event === event)?.metadata ?? {},
    attempt,
    explained: await insight.explain(id),
    domain,
  };
}

function expectWords(
  found: Awaited<ReturnType<typeof refusedWith>>,
  phase: string,
  reply: string,
  { category, explained, advice }: Seen,
) {
  const [, code = '', enhanced = null, text = ''] =
    /^(\d{3}) (?:([245]\.\d{1,3}\.\d{1,3}) )?(.*)$/.exec(reply) ?? [];
  const { entry, attempt } = found;
  const words = { phase, category, code: Number(code), enhanced_code: enhanced };
  expect(entry).toMatchObject({ ...words, remote_host: `mx1.${found.domain}`, attempt: 1 });
  expect(String(entry['reply'])).toContain(text);
  expect(attempt).toMatchObject({ ...words, host: `mx1.${found.domain}`, tls: null });
  const said = [...(attempt?.conversation.opening ?? []), ...(attempt?.conversation.transaction ?? [])];
  expect(said).toContain(`< ${reply}`);
  expect(found.explained.code).toBe(explained);
  if (advice !== undefined) expect(found.explained.advice.map(({ code: name }) => name)).toContain(advice);
}

const isSuppressed = async (email: string): Promise<boolean> => {
  const path = `/v1/suppressions/check?email=${encodeURIComponent(email)}`;
  const headers = { 'x-sub-tenant-id': rig.tenantId };
  const { json } = await rig.appliance.api('GET', path, { headers });
  return (json as { suppressed: boolean }).suppressed;
};

describe("a permanently refused message bounces with the peer's reply", () => {
  it.each<[string, string, Seen & { type: 'hard' | 'soft'; suppressed: boolean }]>([
    [
      'mail',
      '550 5.7.1 We take nothing from this sender',
      { category: 'policy', explained: 'bounced_policy', type: 'soft', suppressed: false },
    ],
    [
      'mail',
      '550 5.1.8 Sender domain has no mail host',
      {
        category: 'policy',
        explained: 'bounced_sender_refused',
        advice: 'verify_sender',
        type: 'soft',
        suppressed: false,
      },
    ],
    [
      'mail',
      '552 5.3.4 Message too big for system',
      {
        category: 'too_large',
        explained: 'bounced_too_large',
        advice: 'shrink',
        type: 'soft',
        suppressed: false,
      },
    ],
    [
      'rcpt',
      '550 5.1.1 No such user here',
      {
        category: 'invalid_recipient',
        explained: 'bounced_no_such_mailbox',
        advice: 'check_address',
        type: 'hard',
        suppressed: true,
      },
    ],
    [
      'rcpt',
      '550 5.2.1 The account is disabled',
      { category: 'inactive_mailbox', explained: 'bounced_mailbox_disabled', type: 'hard', suppressed: true },
    ],
    [
      'rcpt',
      '550 rejected',
      {
        category: 'unknown',
        explained: 'bounced_unknown',
        type: 'soft',
        suppressed: false,
      },
    ],
    [
      'rcpt',
      '554 5.7.1 Relay access denied',
      { category: 'policy', explained: 'bounced_relaying_denied', type: 'soft', suppressed: false },
    ],
    [
      'data',
      '554 5.7.0 Not today, not from you',
      { category: 'policy', explained: 'bounced_policy', type: 'soft', suppressed: false },
    ],
    [
      'dot',
      '554 5.7.1 Message identified as spam',
      {
        category: 'spam_content',
        explained: 'bounced_content_refused',
        advice: 'change_content',
        type: 'soft',
        suppressed: false,
      },
    ],
    [
      'dot',
      '550 5.7.26 Unauthenticated mail is not accepted, DMARC',
      {
        category: 'auth_failed',
        explained: 'bounced_dmarc_failed',
        advice: 'publish_dkim',
        type: 'soft',
        suppressed: false,
      },
    ],
    [
      'dot',
      '550 5.1.1 No such user after all',
      {
        category: 'invalid_recipient',
        explained: 'bounced_no_such_mailbox',
        type: 'hard',
        suppressed: true,
      },
    ],
  ])('at %s: %s', async (phase, reply, { type, suppressed, ...seen }) => {
    const found = await refusedWith(phase, reply, 'bounced');
    expectWords(found, phase, reply, seen);
    expect(found.message['status']).toBe('bounced');
    expect(found.message['error']).toMatchObject({
      type,
      category: seen.category,
      code: Number(reply.slice(0, 3)),
    });
    expect(await isSuppressed(found.email)).toBe(suppressed);
    expect(found.attempt?.outcome).toBe('bounced');
  });
});

describe("a temporarily refused message or session waits with the peer's reply", () => {
  it.each<[string, string, Seen]>([
    [
      'greeting',
      '554 5.3.2 No mail service here today',
      { category: 'network', explained: 'deferred_session_refused' },
    ],
    ['greeting', '554 We do not like you', { category: 'unknown', explained: 'deferred_session_refused' }],
    [
      'greeting',
      '421 4.3.2 Closing for maintenance',
      { category: 'network', explained: 'deferred_host_trouble' },
    ],
    ['greeting', '450 4.7.1 Later', { category: 'policy', explained: 'deferred_policy' }],
    ['ehlo', '550 5.7.1 Access denied for your name', { category: 'policy', explained: 'deferred_policy' }],
    [
      'ehlo',
      '504 5.5.2 Need a fully qualified name',
      { category: 'protocol', explained: 'deferred_protocol' },
    ],
    ['ehlo', '421 4.7.0 Not now', { category: 'policy', explained: 'deferred_policy' }],
    ['mail', '451 4.3.0 Internal server error', { category: 'network', explained: 'deferred_host_trouble' }],
    ['mail', '421 4.4.2 Timeout, bye', { category: 'network', explained: 'deferred_host_trouble' }],
    [
      'rcpt',
      '450 4.2.1 The mailbox is busy',
      { category: 'inactive_mailbox', explained: 'deferred_mailbox_disabled' },
    ],
    [
      'rcpt',
      '452 4.2.2 Mailbox full',
      { category: 'quota', explained: 'deferred_mailbox_full', advice: 'other_channel' },
    ],
    ['rcpt', '550 5.2.2 Mailbox over quota', { category: 'quota', explained: 'deferred_mailbox_full' }],
    ['data', '451 4.3.1 Not enough disk space', { category: 'quota', explained: 'deferred_server_full' }],
    [
      'dot',
      '451 4.7.1 Message is being scanned, try again',
      { category: 'policy', explained: 'deferred_policy' },
    ],
    ['dot', '421 4.3.0 Shutting down', { category: 'network', explained: 'deferred_host_trouble' }],
  ])('at %s: %s', async (phase, reply, seen) => {
    const found = await refusedWith(phase, reply, 'deferred');
    expectWords(found, phase, reply, seen);
    expect(['sent', 'sending']).toContain(found.message['status']);
    expect(found.explained.advice.map(({ code }) => code)).toContain('wait');
    expect(found.attempt?.outcome).toBe('deferred');
    expect(Date.parse(found.attempt?.next_attempt_at ?? '')).toBeGreaterThan(Date.now());
  });

  it('and bounces with the same reply when it expires', async () => {
    const peer = await peers.scripted('> 554 5.3.2 No mail service here today\n< QUIT');
    peers.serve(rig.dns, 'closed.example', peer);
    const expires_at = new Date(Date.now() + 1_500).toISOString();
    const id = await rig.send('anna@closed.example', { expires_at });
    const message = await rig.reached(id, 'bounced');
    expect(message['error']).toMatchObject({ type: 'soft', category: 'expired', code: 554 });
    expect((message['error'] as { message: string }).message).toContain('No mail service here today');
    const { code } = await insightInto(rig.appliance).explain(id);
    expect(code).toBe('expired_session_refused');
    expect(await isSuppressed('anna@closed.example')).toBe(false);
  });
});
