// Tests a peer that permanently refuses Mailkeel's address because of a blocklist: the message waits and is sent from another
// address. After a few attempts it bounces, and the recipient is not suppressed.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { openPeers, type PeersByAddress } from '../../support/peers-by-address.js';
import { isFullSize } from '../../support/run-size.js';
import type { SmtpSink } from '../../support/smtp-sink.js';
import { tuned } from '../../support/tuning.js';

const ON_LIST = '554 5.7.1 Service unavailable; Client host [%] blocked using zen.spamhaus.org';
const SOURCES = {
  sources: [
    { name: 'a', address4: '127.0.0.2', ehlo: 'a.mta.example' },
    { name: 'b', address4: '127.0.0.3', ehlo: 'b.mta.example' },
  ],
  // Practically everything by a.
  pools: {
    default: [
      { source: 'a', weight: 1000 },
      { source: 'b', weight: 1 },
    ],
  },
};
/** As if two hours passed each time. */
const RULES_OFF = { automation_off: ['address-on-block-list', 'address-on-public-block-list'] };

let peers: PeersByAddress;
let strict: SmtpSink;
let other: SmtpSink;
let rig: MailRig;
let blocked: string[];
/** The phase in which the peer refuses. */
let phase: 'rcpt' | 'dot';
let senders: string[];

beforeEach(async () => {
  peers = await openPeers();
  blocked = ['127.0.0.2'];
  phase = 'rcpt';
  senders = [];
  const verdict = (from: string): string | null => {
    senders.push(from);
    return blocked.includes(from) ? ON_LIST.replace('%', from) : null;
  };
  strict = await peers.sink({
    onRcpt: (_, { from }) => (phase === 'rcpt' ? verdict(from) : null),
    onData: ({ from }) => (phase === 'dot' ? verdict(from) : null),
  });
  other = await peers.sink();
});

afterEach(async () => {
  await rig.close();
  await peers.close();
});

async function start(env: Record<string, string> = {}): Promise<void> {
  rig = await startMailRig({
    process: 'shared',
    mxPort: peers.port,
    env: { MAILKEEL_OUTBOUND: JSON.stringify(SOURCES), ...tuned({ blockedRetryMs: 200 }), ...env },
  });
  peers.serve(rig.dns, 'strict.example', strict);
  peers.serve(rig.dns, 'other.example', other);
}

const refusals = async (id: string) =>
  (await rig.trail(id)).flatMap(({ event, metadata }) => (event === 'deferred' ? [metadata] : []));

it('the message is sent from the other address, and the blocked one is not used for that destination for two hours', async () => {
  await start();
  const id = await rig.send('anna@strict.example');
  await rig.reached(id, 'delivered');
  expect(await refusals(id)).toEqual([
    expect.objectContaining({
      category: 'spam_block',
      code: 554,
      enhanced_code: '5.7.1',
      phase: 'rcpt',
      source: 'a',
    }),
  ]);
  expect(senders).toEqual(['127.0.0.2', '127.0.0.3']);
  const [override] = await insightInto(rig.appliance).overrides();
  expect(override).toMatchObject({
    kind: 'suspend',
    path: 'a > mx1.strict.example',
    rule: 'address-on-block-list',
    reply: expect.stringContaining('zen.spamhaus.org') as string,
  });
  for (const name of ['bert', 'carl', 'dora'])
    await rig.reached(await rig.send(`${name}@strict.example`), 'delivered');
  expect(senders.slice(2)).toEqual(['127.0.0.3', '127.0.0.3', '127.0.0.3']);
  await rig.reached(await rig.send('anna@other.example'), 'delivered');
  expect(other.messages.map(({ from }) => from)).toEqual(['127.0.0.2']);
});

it.runIf(isFullSize).each(['rcpt', 'dot'] as const)(
  'retries from the other address even if no rule suspended the path: at %s',
  async (when) => {
    phase = when;
    await start({ MAILKEEL_SHAPING: JSON.stringify(RULES_OFF), ...tuned({ blockedRetryMs: 600 }) });
    const id = await rig.send('anna@strict.example');
    await rig.reached(id, 'delivered');
    expect(senders).toEqual(['127.0.0.2', '127.0.0.3']);
    expect(await insightInto(rig.appliance).overrides()).toEqual([]);
  },
);

it.runIf(isFullSize)(
  'with both addresses blocked it is retried three times in turn, then bounces without suppression',
  async () => {
    blocked = ['127.0.0.2', '127.0.0.3'];
    await start({ MAILKEEL_SHAPING: JSON.stringify(RULES_OFF) });
    const id = await rig.send('anna@strict.example');
    const message = await rig.reached(id, 'bounced');
    expect(message['error']).toMatchObject({
      type: 'soft',
      category: 'spam_block',
      code: 554,
      enhanced_code: '5.7.1',
    });
    expect(events(await rig.trail(id))).toEqual([
      'queued',
      'sending',
      'sent',
      'deferred',
      'deferred',
      'deferred',
      'bounced',
    ]);
    expect(senders).toEqual(['127.0.0.2', '127.0.0.3', '127.0.0.2', '127.0.0.3']);
    const found = await insightInto(rig.appliance).explain(id);
    expect(found.code).toBe('bounced_blocklisted');
    expect(found.advice.map(({ code }) => code)).toContain('delist');
    const { json } = await rig.appliance.api('GET', '/v1/suppressions');
    expect((json as { data: unknown[] }).data).toEqual([]);
  },
);

it.runIf(isFullSize)('a refusal of the session has the same effect as one of a message', async () => {
  await start({ MAILKEEL_SHAPING: JSON.stringify(RULES_OFF) });
  const gate = await peers.scripted(`> ${ON_LIST.replace('%', '127.0.0.2')}\n< QUIT\n> 221 bye\nclose`);
  peers.serve(rig.dns, 'gate.example', gate);
  const id = await rig.send('anna@gate.example');
  const message = await rig.reached(id, 'bounced');
  expect(message['error']).toMatchObject({ type: 'soft', category: 'spam_block', code: 554 });
  expect((await refusals(id)).map(({ source }) => source)).toEqual(['a', 'b', 'a']);
});
