// Tests a receiver with an MTA-STS policy in mode testing: the mail is sent as without a policy, and failures that enforcement
// would cause are counted for the receiver's daily report. Mail without any policy is counted as well.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/lib/tls-policy/index.js';
import type { CertificateWish } from '../../support/certificate-chain.js';
import { startOutboundRig, type OutboundRig } from '../../support/outbound-rig.js';
import { startTlsWorld, type TlsWorld } from '../../support/tls-world.js';
import { waitFor } from '../../support/wait.js';

interface Receiver {
  what: string;
  domain: string;
  address: string;
  /** Hosts of the policy; undefined for no policy. */
  allows?: string;
  /** Undefined for no STARTTLS. */
  certificate?: CertificateWish;
  counted: string;
}

const RECEIVERS: Receiver[] = [
  {
    what: 'good TLS',
    domain: 'good.test',
    address: '127.0.4.1',
    allows: 'mx.good.test',
    certificate: { names: ['mx.good.test'] },
    counted: 'success',
  },
  {
    what: 'a wrong name',
    domain: 'name.test',
    address: '127.0.4.2',
    allows: 'mx.name.test',
    certificate: { names: ['elsewhere.test'] },
    counted: 'certificate-host-mismatch',
  },
  {
    what: 'an expired certificate',
    domain: 'expired.test',
    address: '127.0.4.3',
    allows: 'mx.expired.test',
    certificate: { names: ['mx.expired.test'], from: -9, to: -8 },
    counted: 'certificate-expired',
  },
  {
    what: 'a host without STARTTLS',
    domain: 'clear.test',
    address: '127.0.4.4',
    allows: 'mx.clear.test',
    counted: 'starttls-not-supported',
  },
  {
    what: 'a host that the policy leaves out',
    domain: 'left.test',
    address: '127.0.4.5',
    allows: 'mail.left.test',
    certificate: { names: ['mx.left.test'] },
    counted: 'validation-failure',
  },
  {
    what: 'good TLS without a policy',
    domain: 'none.test',
    address: '127.0.4.6',
    certificate: { names: ['mx.none.test'] },
    counted: 'success',
  },
];

let world: TlsWorld;
let rig: OutboundRig;
let today: number;
const ids = new Map<string, number>();

async function deliver(domain: string): Promise<number> {
  const id = await rig.send({ to: `ann@${domain}` });
  await waitFor(`mail for ${domain} is delivered`, async () => (await rig.status(id)) === 'delivered');
  return id;
}

beforeAll(async () => {
  world = await startTlsWorld();
  rig = await startOutboundRig({ ...world.env });
  await rig.addSenderDomain('sender.test');
  await rig.outbound.start();
  today = Math.floor(Date.now() / DAY_MS);
  for (const { domain, address, allows, certificate } of RECEIVERS) {
    world.mail(domain, { [`mx.${domain}`]: address });
    if (allows !== undefined) world.announce(domain, { mode: 'testing', mx: [allows] });
    await world.sink({
      host: address,
      ...(certificate ? { starttls: world.certificate(certificate) } : {}),
    });
    ids.set(domain, await deliver(domain));
  }
  // Two domains of one hosting provider, in one session or in two.
  world.mail('first.test', { 'mx.hoster.test': '127.0.4.7' });
  world.mail('second.test', { 'mx.hoster.test': '127.0.4.7' });
  await world.sink({ host: '127.0.4.7', starttls: world.certificate({ names: ['mx.hoster.test'] }) });
  await deliver('first.test');
  await deliver('second.test');
  // Writes the last counts.
  await rig.outbound.stop();
});

afterAll(async () => {
  await rig.close();
  await world.close();
});

/** Counts of this day, and of the next one if it has begun. */
async function counts(domain: string): Promise<object[]> {
  const { tlsReports } = rig.store;
  return [...(await tlsReports.resultsOf(today, domain)), ...(await tlsReports.resultsOf(today + 1, domain))];
}

it.each(RECEIVERS)(
  '$what is counted and does not stop delivery',
  async ({ domain, allows, certificate, counted }) => {
    const id = ids.get(domain) ?? 0;
    expect(await rig.trail(id)).toEqual(['queued', 'sending', 'sent', 'delivered']);
    expect(await rig.attempts(id)).toMatchObject([
      { tls: certificate ? { version: 'TLSv1.3' } : null, tls_policy: 'opportunistic' },
    ]);
    const policy =
      allows === undefined
        ? null
        : {
            strings: ['version: STSv1', 'mode: testing', `mx: ${allows}`, 'max_age: 86400'],
            mx: [allows],
          };
    const peer = counted === 'success' ? {} : { mxHost: `mx.${domain}`, sendingIp: '127.0.0.1' };
    expect(await counts(domain)).toMatchObject([
      {
        policyType: policy ? 'sts' : 'no-policy-found',
        policy,
        resultType: counted,
        sessions: 1,
        ...peer,
      },
    ]);
  },
);

it('a session that two domains share is counted once', async () => {
  expect(await counts('first.test')).toMatchObject([{ resultType: 'success', sessions: 1 }]);
  expect(await counts('second.test')).toEqual([]);
});
