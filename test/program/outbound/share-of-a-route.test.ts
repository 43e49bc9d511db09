// Tests a route with a share: a part of the mail is sent directly, the rest through the old vendor, with one trail for each
// message.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.js';
import { insightInto } from '../../support/insight.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

const MESSAGES = 1_000;

let direct: SmtpSink;
let vendor: SmtpSink;
let dataDir: string;
let rig: MailRig;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mailkeel-share-'));
  direct = await startSmtpSink({ keep: true });
  vendor = await startSmtpSink({ keep: true });
});
afterEach(async () => {
  await rig.close();
  await direct.close();
  await vendor.close();
  await rm(dataDir, { recursive: true, force: true });
});

function outboundWith(share: number, vendorPort = vendor.port): Record<string, string> {
  const outbound = {
    sources: [{ name: 'a', address4: '127.0.0.2', ehlo: 'a.mta.example' }],
    smarthosts: [{ name: 'vendor', url: `smtp://vendor.example:${vendorPort}` }],
    routes: [{ name: 'leaving', via: ['pool:default', 'smarthost:vendor'], share }],
  };
  return { MAILKEEL_OUTBOUND: JSON.stringify(outbound), ...tuned({ breakerPausesMs: [300] }) };
}

async function start(share: number, vendorPort = vendor.port): Promise<void> {
  rig = await startMailRig({
    process: 'shared',
    mxPort: direct.port,
    dataDir,
    env: outboundWith(share, vendorPort),
  });
  rig.dns.set('vendor.example', 'A', ['127.0.0.1']);
}

/** Sends to `user0` and further ones; returns the ids in this order. */
async function sendTo(count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const some = Array.from({ length: Math.min(50, count - ids.length) }, (_, n) => `user${ids.length + n}`);
    ids.push(...(await Promise.all(some.map((mailbox) => rig.send(mailbox)))));
  }
  return ids;
}

const recipients = ({ messages }: SmtpSink): string[] => messages.map(({ rcptTo }) => rcptTo[0] ?? '');

it('divides 1,000 messages as asked, with one trail each that names the side and why', async () => {
  await start(20);
  const ids = await sendTo(MESSAGES);
  await waitFor('all mail has left', () => direct.count() + vendor.count() === MESSAGES, Boolean, 60_000);
  expect(Math.abs(direct.count() - 200)).toBeLessThanOrEqual(30);
  expect(new Set([...recipients(direct), ...recipients(vendor)]).size).toBe(MESSAGES);

  const sides = new Set<string>();
  for (const id of ids.slice(0, 30)) {
    await rig.logged(id, 'sent');
    const sent = (await rig.trail(id)).filter(({ event }) => event === 'sent');
    expect(sent).toHaveLength(1);
    const share = sent[0]?.metadata['route_share'] as { side: string };
    expect(share).toEqual({ route: 'leaving', percent: 20, side: share.side, reason: 'position' });
    const [attempt] = await insightInto(rig.appliance).attempts(id);
    expect(attempt).toMatchObject({
      via: share.side === 'direct' ? 'mta' : 'smarthost',
      route_share: share,
    });
    sides.add(share.side);
  }
  expect([...sides].sort()).toEqual(['direct', 'smarthost']);
});

it('keeps each recipient on a side, also after a restart', async () => {
  await start(30);
  await sendTo(60);
  await waitFor('the first mail has left', () => direct.count() + vendor.count() === 60);
  const before = recipients(direct).sort();
  await rig.appliance.end();
  await rig.appliance.start(outboundWith(30));
  await sendTo(60);
  await waitFor('the second mail has left', () => direct.count() + vendor.count() === 120);
  expect(recipients(direct).sort()).toEqual([...before, ...before].sort());
});

it.each([
  ['is away', false],
  ['refuses every session', true],
])('delivers directly while the smarthost %s, and the rest waits for it', async (_what, isThere) => {
  const port = await freePort();
  let isRefusing = true;
  const listen = () =>
    startSmtpSink({ keep: true, port, onConnect: () => (isRefusing ? '421 4.3.2 come back later' : null) });
  let late = isThere ? await listen() : null;
  await start(50, port);
  const ids = await sendTo(40);
  await waitFor('the direct mail has left', () => direct.count() > 10);
  const waiting = await waitFor(
    'the rest waits in a queue of its own',
    async () => {
      const found = await insightInto(rig.appliance).destination('receiver.example');
      return found?.depth === ids.length - direct.count() ? found : null;
    },
    (found) => found !== null,
  );
  expect(waiting?.depth).toBeGreaterThan(5);
  isRefusing = false;
  late ??= await listen();
  const { count, close } = late;
  await waitFor('the rest has left', () => direct.count() + count() === ids.length, Boolean, 30_000);
  await close();
});
