// A receiver that tries its MTA-STS policy out (mode testing): the mail goes as without one, and what would have failed is counted
// for the receiver's daily report.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DAY_MS } from '../../src/mail/tls-report.js';
import { startOutboundRig, type OutboundRig } from '../support/outbound-rig.js';
import { startTlsWorld, type TlsWorld } from '../support/tls-world.js';
import { waitUntil } from '../support/wait-until.js';

let world: TlsWorld;
let rig: OutboundRig;

beforeEach(async () => {
  world = await startTlsWorld();
  world.mail('there.test', { 'mx.there.test': '127.0.0.1' });
});

afterEach(async () => {
  await rig.close();
  await world.close();
});

/** What is in the store once the message has arrived and the counts are written, which they are at the end. */
async function countsAfterDelivery(): Promise<Record<string, unknown>[]> {
  rig = await startOutboundRig({ ...world.env });
  await rig.addSenderDomain('sender.test');
  await rig.outbound.start();
  const from = Math.floor(Date.now() / DAY_MS);
  const id = await rig.send({ to: 'ann@there.test' });
  await waitUntil('it is delivered', async () => (await rig.status(id)) === 'delivered');
  expect(await rig.trail(id)).toEqual(['queued', 'sending', 'sent', 'delivered']);
  await rig.outbound.stop();
  const days = [from, Math.floor(Date.now() / DAY_MS)];
  const counts = await Promise.all(
    [...new Set(days)].map((day) => rig.store.tlsReports.resultsOf(day, 'there.test')),
  );
  return counts.flat().map((count) => ({ ...count }));
}

const TESTING = {
  policyType: 'sts',
  policy: {
    strings: ['version: STSv1', 'mode: testing', 'mx: mx.there.test', 'max_age: 86400'],
    mx: ['mx.there.test'],
  },
  sessions: 1,
};

it('good TLS counts as a success', async () => {
  world.announce('there.test', { mode: 'testing', mx: ['mx.there.test'] });
  await world.sink({ starttls: world.certificate({ names: ['mx.there.test'] }) });
  expect(await countsAfterDelivery()).toEqual([expect.objectContaining({ ...TESTING, resultType: 'success' })]);
});

it.each([
  ['a wrong name', { names: ['elsewhere.test'] }, 'certificate-host-mismatch'],
  ['an expired certificate', { names: ['mx.there.test'], from: -9, to: -8 }, 'certificate-expired'],
])('%s is counted and stops nothing', async (_, wish, resultType) => {
  world.announce('there.test', { mode: 'testing', mx: ['mx.there.test'] });
  const sink = await world.sink({ starttls: world.certificate(wish) });
  expect(await countsAfterDelivery()).toEqual([
    expect.objectContaining({
      ...TESTING,
      resultType,
      mxHost: 'mx.there.test',
      receivingIp: '127.0.0.1',
      sendingIp: '127.0.0.1',
    }),
  ]);
  expect(sink.messages[0]?.tls).toBe('TLSv1.3');
});

it('a host without STARTTLS is counted and gets its mail in clear', async () => {
  world.announce('there.test', { mode: 'testing', mx: ['mx.there.test'] });
  const sink = await world.sink();
  expect(await countsAfterDelivery()).toEqual([
    expect.objectContaining({ ...TESTING, resultType: 'starttls-not-supported' }),
  ]);
  expect(sink.messages[0]?.tls).toBeNull();
});

it('a host that the policy leaves out is counted and gets its mail', async () => {
  world.announce('there.test', { mode: 'testing', mx: ['mail.there.test'] });
  await world.sink({ starttls: world.certificate({ names: ['mx.there.test'] }) });
  expect(await countsAfterDelivery()).toEqual([
    expect.objectContaining({ policyType: 'sts', resultType: 'validation-failure', mxHost: 'mx.there.test' }),
  ]);
});

it('without any policy the sessions are counted as of no policy', async () => {
  await world.sink({ starttls: world.certificate({ names: ['mx.there.test'] }) });
  expect(await countsAfterDelivery()).toEqual([
    expect.objectContaining({ policyType: 'no-policy-found', policy: null, resultType: 'success', sessions: 1 }),
  ]);
});

it('sessions that domains share are counted for the domain that they were opened for', async () => {
  world.mail('first.test', { 'mx.hoster.test': '127.0.0.1' });
  world.mail('there.test', { 'mx.hoster.test': '127.0.0.1' });
  await world.sink({ starttls: world.certificate({ names: ['mx.hoster.test'] }) });
  rig = await startOutboundRig({ ...world.env, POSTHORN_IDLE_CONNECTION: '1ms' });
  await rig.addSenderDomain('sender.test');
  await rig.outbound.start();
  const from = Math.floor(Date.now() / DAY_MS);
  for (const to of ['ann@first.test', 'ann@there.test']) {
    const id = await rig.send({ to });
    await waitUntil('it is delivered', async () => (await rig.status(id)) === 'delivered');
  }
  await rig.outbound.stop();
  for (const domain of ['first.test', 'there.test']) {
    expect(await rig.store.tlsReports.resultsOf(from, domain)).toMatchObject([{ sessions: 1 }]);
  }
});
