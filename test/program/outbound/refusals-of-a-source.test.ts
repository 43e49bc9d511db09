// Tests a peer that refuses one of two sources: the message is immediately sent from the other. Greylisting is retried from the
// same source, and the third deferral with the same text no longer counts as greylisting.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { openPeers, type PeersByAddress } from '../../support/peers-by-address.js';
import { tuned } from '../../support/tuning.js';

const A = '127.0.0.2';
const B = '127.0.0.3';
const SOURCES = {
  sources: [
    { name: 'a', address4: A, ehlo: 'a.mta.example' },
    { name: 'b', address4: B, ehlo: 'b.mta.example' },
  ],
  // Practically everything by a.
  pools: {
    default: [
      { source: 'a', weight: 1000 },
      { source: 'b', weight: 1 },
    ],
  },
};

let peers: PeersByAddress;
let rig: MailRig;
/** The source addresses from which a test's recipients were named. */
let senders: string[] = [];

async function start(schedule: string): Promise<void> {
  await rig.appliance.end();
  await rig.appliance.start({ MAILKEEL_RETRY_SCHEDULE: schedule });
}

beforeAll(async () => {
  peers = await openPeers();
  rig = await startMailRig({
    process: 'shared',
    mxPort: peers.port,
    env: {
      MAILKEEL_OUTBOUND: JSON.stringify(SOURCES),
      // No message waits for the schedule.
      MAILKEEL_RETRY_SCHEDULE: '1h…',
      ...tuned({ blockedRetryMs: 7_200_000, greylistRetryMs: 20, breakerPausesMs: [3_600_000] }),
    },
  });
});

afterEach(() => {
  senders = [];
});

afterAll(async () => {
  await rig.close();
  await peers.close();
});

let last = 0;

/** A domain whose server replies to RCPT depending on the client's address. */
async function domainOf(replyTo: (from: string, tries: number) => string | null): Promise<string> {
  const domain = `d${(last += 1)}.example`;
  const sink = await peers.sink({
    onRcpt(_, { from }) {
      senders.push(from);
      return replyTo(from, senders.length);
    },
  });
  peers.serve(rig.dns, domain, sink);
  return domain;
}

it.each([
  '550 5.7.25 Client host rejected: cannot find your reverse hostname, [%]',
  '450 4.7.25 Client host rejected: cannot find your reverse hostname, [%]',
  '550 5.7.1 Access denied by local policy for %',
  '554 5.7.1 <unknown[%]>: Client host rejected: Access denied',
  '451 4.7.1 Deferred: the reputation of your IP is poor',
  '554 5.7.1 Service unavailable; Client host [%] blocked using zen.spamhaus.org',
  '550 5.7.1 HELO name is not acceptable',
])('%s: the message is sent by the other source, and so is the next one', async (reply) => {
  const domain = await domainOf((from) => (from === A ? reply.replace('%', from) : null));
  const id = await rig.send(`anna@${domain}`);
  await rig.reached(id, 'delivered');
  expect(senders).toEqual([A, B]);
  const deferred = (await rig.trail(id)).find(({ event }) => event === 'deferred');
  expect(deferred?.metadata).toMatchObject({ source: 'a', next_attempt_at: deferred?.timestamp });
  await rig.reached(await rig.send(`bert@${domain}`), 'delivered');
  expect(senders).toEqual([A, B, B]);
});

it.each(['521 5.3.2 Service currently unavailable', '554 5.7.1 No SMTP service for you'])(
  '%s as a greeting: the message is sent by the other source',
  async (greeting) => {
    const domain = `d${(last += 1)}.example`;
    const sink = await peers.sink({ onConnect: (_, from) => (from === A ? greeting : null) });
    peers.serve(rig.dns, domain, sink);
    await rig.reached(await rig.send(`anna@${domain}`), 'delivered');
    expect(sink.messages.map(({ from }) => from)).toEqual([B]);
  },
);

it('bounces if every source was permanently refused', async () => {
  const domain = await domainOf(() => '550 5.7.25 Client host rejected: cannot find your reverse hostname');
  const message = await rig.reached(await rig.send(`anna@${domain}`), 'bounced');
  expect(message['error']).toMatchObject({ type: 'soft', code: 550 });
  expect(senders).toEqual([A, B]);
});

it('bounces immediately if the refusal concerns the address', async () => {
  const domain = await domainOf(() => '550 5.1.1 User unknown');
  await rig.reached(await rig.send(`anna@${domain}`), 'bounced');
  expect(senders).toEqual([A]);
});

it('keeps the source for three deferrals without a reason, then uses the other one', async () => {
  await start('20ms…');
  const domain = await domainOf((from, tries) => (from === A ? `450 4.2.0 Try later, id=${tries}` : null));
  await rig.reached(await rig.send(`anna@${domain}`), 'delivered');
  expect(senders).toEqual([A, A, A, B]);
});

it.each(['451 4.7.1 Greylisting in action, please come back later', '452 4.2.2 Mailbox full'])(
  'keeps the source for %s',
  async (reply) => {
    const domain = await domainOf((_, tries) => (tries <= 5 ? reply : null));
    await rig.reached(await rig.send(`anna@${domain}`), 'delivered');
    expect(senders).toEqual([A, A, A, A, A, A]);
  },
);

it('keeps the source while the deferrals differ', async () => {
  const words = ['Try later', 'Not now', 'Busy', 'Wait', 'Later'];
  const domain = await domainOf((_, tries) => (tries <= 5 ? `450 4.2.0 ${words[tries - 1] ?? ''}` : null));
  await rig.reached(await rig.send(`anna@${domain}`), 'delivered');
  expect(senders).toEqual([A, A, A, A, A, A]);
});
