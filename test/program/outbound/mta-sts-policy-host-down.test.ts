// Tests a receiver whose MTA-STS policy cannot be fetched: a cached policy still applies, even after a restart. Without one, the
// mail is sent and the receiver's report says so. A slow policy host delays mail only for a limited time.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/lib/tls-policy/index.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startOutboundRig } from '../../support/outbound-rig.js';
import type { SmtpSink } from '../../support/smtp-sink.js';
import { startTlsWorld, type TlsWorld } from '../../support/tls-world.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

let world: TlsWorld;
let sink: SmtpSink;

beforeAll(async () => {
  world = await startTlsWorld();
  // Only acceptable without a policy.
  sink = await world.sink({ starttls: world.certificate({ names: ['elsewhere.test'] }) });
});

afterAll(() => world.close());

it('without an earlier policy the mail is sent, and the failure is counted', async () => {
  const rig = await startOutboundRig({ ...world.env, ...tuned({ mtaStsWaitMs: 500 }) });
  try {
    await rig.addSenderDomain('sender.test');
    await rig.outbound.start();
    const today = Math.floor(Date.now() / DAY_MS);
    world.mail('gone.test', { 'mx.gone.test': '127.0.0.1' });
    world.announce('gone.test', { status: 404 });
    world.mail('slow.test', { 'mx.slow.test': '127.0.0.1' });
    world.announce('slow.test', 'silence');
    const ids = [await rig.send({ to: 'ann@gone.test' }), await rig.send({ to: 'ann@slow.test' })];
    for (const id of ids) {
      await waitFor('it is delivered', async () => (await rig.status(id)) === 'delivered');
      expect(await rig.trail(id)).toEqual(['queued', 'sending', 'sent', 'delivered']);
      expect(await rig.attempts(id)).toMatchObject([{ tls: { verified: false, policy: 'opportunistic' } }]);
    }
    await rig.outbound.stop();
    const counted = { policyType: 'sts', resultType: 'sts-policy-fetch-error', sessions: 1 };
    expect(await rig.store.tlsReports.resultsOf(today, 'gone.test')).toMatchObject([counted]);
    expect(await rig.store.tlsReports.resultsOf(today, 'slow.test')).toMatchObject([
      { ...counted, detail: 'no policy within 500 ms' },
    ]);
  } finally {
    await rig.close();
  }
});

it('an earlier policy still applies after its host and record are gone, even after a restart', async () => {
  const rig = await startMailRig({ process: 'shared', dns: world.dns, env: world.env });
  try {
    await bindsOn(rig);
  } finally {
    await rig.close();
  }
});

async function bindsOn(rig: MailRig): Promise<void> {
  world.mail('kept.test', { 'mx.kept.test': '127.0.0.1' });
  world.announce('kept.test', { mode: 'enforce', mx: ['mx.kept.test'] });
  const before = sink.count();
  const first = await rig.send('ann@kept.test');
  const trail = await rig.logged(first, 'deferred');
  expect(trail.at(-1)?.metadata).toMatchObject({ category: 'tls', tls_policy: 'sts' });
  await rig.appliance.end();

  world.announce('kept.test', { status: 500 }, '2');
  await rig.appliance.start();
  const fetches = world.fetches.length;
  const second = await rig.send('bob@kept.test');
  const later = await rig.logged(second, 'deferred');
  expect(later.at(-1)?.metadata).toMatchObject({ category: 'tls', tls_policy: 'sts' });
  expect(world.fetches.slice(fetches)).toContain('kept.test');
  await rig.appliance.end();

  world.dns.remove('_mta-sts.kept.test');
  await rig.appliance.start();
  const third = await rig.send('carl@kept.test');
  const last = await rig.logged(third, 'deferred');
  expect(last.at(-1)?.metadata).toMatchObject({ category: 'tls', tls_policy: 'sts' });
  expect(sink.count()).toBe(before);

  const explained = await rig.appliance.api('GET', `/v1/messages/${third}/explain`);
  expect(explained.json).toMatchObject({ code: 'deferred_tls_sts' });
  expect(explained.text).toContain('MTA-STS policy of kept.test');
}
