// Tests fetching and storing MTA-STS policies: DNS of a test server, a scripted policy host, a real store, a fixed clock.
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { createResolver, type DnsResolver } from '../../src/lib/dns/index.js';
import { createPolicyFetch, type FetchedPolicy, type FetchPolicy } from '../../src/lib/http/index.js';
import { createLog } from '../../src/lib/runtime/index.js';
import { createStore, type Store } from '../../src/app/store.js';
import { createStsPolicyStore, type StsPolicyStore } from '../../src/outbound/route/sts-policies.store.js';
import { StsPolicies } from '../../src/outbound/route/sts-policies.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import { fixedClock, type FixedClock } from '../support/fixed-clock.js';
import { startHttpReceiver } from '../support/http-receiver.js';
import { openMigratedFile, temporaryFolder, type OpenEngine } from '../support/open-engines.js';
import { selfSignedCertificate } from '../support/test-certificate.js';
import { sized } from '../support/run-size.js';
import { waitFor } from '../support/wait.js';
import type { Plan } from '../../src/database/change.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DOMAIN = 'shop.example';

const file = (mode: string, mx = 'mail.shop.example', maxAgeS = 604_800): FetchedPolicy => ({
  kind: 'fetched',
  text: `version: STSv1\nmode: ${mode}\nmx: ${mx}\nmax_age: ${maxAgeS}\n`,
});
const BROKEN: FetchedPolicy = {
  kind: 'failed',
  resultType: 'sts-webpki-invalid',
  detail: 'CERT_HAS_EXPIRED',
};
const NONE = { kind: 'none' };
const enforced = (id: string, mx = 'mail.shop.example') => ({
  kind: 'policy',
  policy: {
    domain: DOMAIN,
    id,
    mode: 'enforce',
    mx: [mx],
    lines: ['version: STSv1', 'mode: enforce', `mx: ${mx}`, 'max_age: 604800'],
  },
});

let folder: ReturnType<typeof temporaryFolder>;
let opened: OpenEngine;
let store: Store;
let kept: StsPolicyStore;
let dns: TestDnsServer;
let resolver: DnsResolver;
let clock: FixedClock;
let policies: StsPolicies;
/** Fetched domains, in order. */
let fetches: string[];
/** Active policies that could not be refreshed. */
let stale: [domain: string, resultType: string][];
/** The next behaviour of the policy host, until it is replaced. */
let host: FetchPolicy;
let isDatabaseAway: boolean;

beforeEach(async () => {
  folder = temporaryFolder();
  opened = await openMigratedFile(`${folder.path}/mail.db`);
  store = createStore(opened.engine, { maxGroup: 50 });
  kept = createStsPolicyStore(opened.engine);
  dns = await startDnsServer();
  clock = fixedClock();
  fetches = [];
  stale = [];
  host = () => Promise.resolve(file('enforce'));
  isDatabaseAway = false;
  // The resolver's own cache is off, so that every question of the room arrives at the server.
  resolver = createResolver({
    servers: [dns.address],
    timeoutMs: 3_000,
    tries: 1,
    positiveTtlMs: 0,
    negativeTtlMs: 0,
    clock: clock.now,
  });
  policies = start();
});

afterEach(async () => {
  policies.stop();
  resolver.close();
  await dns.close();
  await store.drain();
  await opened.close();
  folder.remove();
});

/** As after a start of the process: the cache is empty. */
function start(options: { waitMs?: number; fetchPolicy?: FetchPolicy } = {}): StsPolicies {
  const { fetchPolicy, ...rest } = options;
  return new StsPolicies(
    { resolver, clock: clock.now, log: createLog('silent') },
    {
      fetchPolicy: (domain, signal) => {
        fetches.push(domain);
        return (fetchPolicy ?? host)(domain, signal);
      },
      store: kept,
      commit: (plan: Plan) => (isDatabaseAway ? Promise.reject(new Error('locked')) : store.commit(plan)),
      onStale: ({ domain }, { resultType }) => stale.push([domain, resultType]),
      ...rest,
    },
  );
}

const announce = (id: string, domain = DOMAIN): void =>
  dns.set(`_mta-sts.${domain}`, 'TXT', [`v=STSv1; id=${id};`]);
const lookUp = (domain = DOMAIN) => policies.policyFor(domain);
const later = (ms: number) => {
  clock.advance(ms);
  return lookUp();
};

/** A policy host that responds on demand. */
function slowHost(): { answer(policy: FetchedPolicy): void } {
  const waiting: ((policy: FetchedPolicy) => void)[] = [];
  host = () => new Promise((resolve) => waiting.push(resolve));
  return { answer: (policy) => waiting.splice(0).forEach((give) => give(policy)) };
}

describe('a domain', () => {
  it('without a record has no policy, and is checked again after five minutes', async () => {
    expect(await lookUp()).toEqual(NONE);
    announce('1');
    expect(await later(5 * MINUTE - 1)).toEqual(NONE);
    expect(dns.queries).toHaveLength(1);
    expect(await later(1)).toEqual(enforced('1'));
    expect(dns.queries.map(({ name, type }) => `${type} ${name}`)).toEqual([
      'TXT _mta-sts.shop.example',
      'TXT _mta-sts.shop.example',
    ]);
  });

  it('with several records has no policy', async () => {
    dns.set(`_mta-sts.${DOMAIN}`, 'TXT', ['v=STSv1; id=1', 'v=STSv1; id=2']);
    expect(await lookUp()).toEqual(NONE);
    expect(fetches).toEqual([]);
  });

  it('is the same in any spelling, and its subdomains differ', async () => {
    announce('1');
    expect(await lookUp('Shop.EXAMPLE.')).toEqual(enforced('1'));
    await lookUp();
    expect(await lookUp(`sub.${DOMAIN}`)).toEqual(NONE);
    expect(fetches).toEqual([DOMAIN]);
  });

  it('is looked up and fetched once for simultaneous requests', async () => {
    announce('1');
    const answers = await Promise.all(Array.from({ length: 50 }, () => lookUp()));
    expect(new Set(answers.map((answer) => answer.kind))).toEqual(new Set(['policy']));
    expect([dns.queries.length, fetches.length]).toEqual([1, 1]);
  });

  it('may have a testing policy', async () => {
    announce('1');
    host = () => Promise.resolve(file('testing'));
    expect(await lookUp()).toMatchObject({ kind: 'policy', policy: { mode: 'testing' } });
  });
});

describe('a policy', () => {
  beforeEach(async () => {
    announce('1');
    expect(await lookUp()).toEqual(enforced('1'));
  });

  it('is not fetched again while its id is the same', async () => {
    expect(await later(HOUR)).toEqual(enforced('1'));
    expect(await later(HOUR)).toEqual(enforced('1'));
    expect(fetches).toHaveLength(1);
  });

  it('is fetched if its id changes', async () => {
    announce('2');
    host = () => Promise.resolve(file('enforce', 'other.example'));
    expect(await later(5 * MINUTE)).toEqual(enforced('2', 'other.example'));
    expect(await kept.policy(DOMAIN)).toMatchObject({ id: '2', mx: ['other.example'] });
  });

  it('survives a restart', async () => {
    host = () => Promise.resolve(BROKEN);
    policies = start();
    expect(await lookUp()).toEqual(enforced('1'));
    expect(fetches).toHaveLength(1);
  });

  it.each<[string, () => void]>([
    ['its record is gone', () => dns.remove(`_mta-sts.${DOMAIN}`)],
    ['its record is doubled', () => dns.set(`_mta-sts.${DOMAIN}`, 'TXT', ['v=STSv1; id=1', 'v=STSv1; id=2'])],
    ['DNS fails', () => dns.fault(`_mta-sts.${DOMAIN}`, 'servfail')],
    [
      'a new one cannot be fetched',
      () => {
        announce('2');
        host = () => Promise.resolve(BROKEN);
      },
    ],
    [
      'a new one cannot be read',
      () => {
        announce('2');
        host = () => Promise.resolve({ kind: 'fetched', text: 'hello' });
      },
    ],
  ])('applies until it expires although %s', async (_name, happens) => {
    happens();
    expect(await later(HOUR)).toEqual(enforced('1'));
    expect(await later(7 * DAY - HOUR - 1)).toEqual(enforced('1'));
    policies = start();
    expect(await lookUp()).toEqual(enforced('1'));
    expect((await later(5 * MINUTE)).kind).not.toBe('policy');
  });

  it.each<[string, FetchedPolicy]>([
    ['sts-webpki-invalid', BROKEN],
    ['sts-policy-fetch-error', { kind: 'failed', resultType: 'sts-policy-fetch-error', detail: '503' }],
    ['sts-policy-invalid', { kind: 'fetched', text: 'hello' }],
  ])('whose host is broken is reported as %s, by mail and in the daily round', async (type, broken) => {
    announce('2');
    host = () => Promise.resolve(broken);
    expect(await later(HOUR)).toEqual(enforced('1'));
    expect(stale).toEqual([[DOMAIN, type]]);
    await later(DAY);
    await policies.refresh();
    expect(stale.length).toBeGreaterThan(1);
    expect(new Set(stale.map(([, found]) => found))).toEqual(new Set([type]));
  });

  it('that has expired is fetched again under the same id', async () => {
    expect(await later(7 * DAY)).toEqual(enforced('1'));
    expect(fetches).toHaveLength(2);
  });

  it('of mode none removes it, for a day or until the next id', async () => {
    announce('2');
    host = () => Promise.resolve(file('none'));
    expect(await later(5 * MINUTE)).toEqual(NONE);
    expect(await kept.policy(DOMAIN)).toBeNull();
    expect(await later(12 * HOUR)).toEqual(NONE);
    expect(fetches).toHaveLength(2);
    await later(12 * HOUR);
    expect(fetches).toHaveLength(3);
    announce('3');
    host = () => Promise.resolve(file('enforce'));
    expect(await later(5 * MINUTE)).toEqual(enforced('3'));
  });

  it('records its use every few hours', async () => {
    await later(5 * HOUR);
    expect((await kept.policy(DOMAIN))?.checkedAt).toBe(clock.now() - 5 * HOUR);
    await later(HOUR);
    expect((await kept.policy(DOMAIN))?.checkedAt).toBe(clock.now());
  });
});

test('a policy with a short lifetime applies at least until its record is checked again', async () => {
  announce('1');
  host = () => Promise.resolve(file('enforce', 'mail.shop.example', 0));
  expect(await lookUp()).toMatchObject({ kind: 'policy' });
  expect(await later(5 * MINUTE - 1)).toMatchObject({ kind: 'policy' });
  expect(fetches).toHaveLength(1);
  host = () => Promise.resolve(BROKEN);
  expect(await later(1)).toMatchObject({ kind: 'failed' });
});

describe('without a valid policy', () => {
  it.each<[string, FetchedPolicy, object]>([
    ['a failed fetch', BROKEN, { resultType: 'sts-webpki-invalid', detail: 'CERT_HAS_EXPIRED' }],
    [
      'a broken file',
      { kind: 'fetched', text: 'version: STSv1\nmode: enforce\nmax_age: 1' },
      { resultType: 'sts-policy-invalid', detail: 'there is no mx line' },
    ],
  ])('%s is reported, retried after five minutes, and recovers', async (_name, answer, told) => {
    announce('1');
    host = () => Promise.resolve(answer);
    expect(await lookUp()).toEqual({ kind: 'failed', ...told });
    await later(5 * MINUTE - 1);
    expect(fetches).toHaveLength(1);
    host = () => Promise.resolve(file('enforce'));
    // In the background: this message is still sent without a policy.
    expect(await later(1)).toEqual({ kind: 'failed', ...told });
    await waitFor('the policy is there', async () => (await lookUp()).kind === 'policy');
    expect(fetches).toHaveLength(2);
  });

  it('a new id does not wait because of an earlier failure', async () => {
    announce('1');
    host = () => Promise.resolve(BROKEN);
    await lookUp();
    announce('2');
    host = () => Promise.resolve(file('enforce'));
    expect(await later(5 * MINUTE)).toEqual(enforced('2'));
  });

  it('a DNS failure counts as no record, and is retried after a minute', async () => {
    announce('1');
    dns.fault(`_mta-sts.${DOMAIN}`, 'servfail');
    expect(await lookUp()).toEqual(NONE);
    dns.fault(`_mta-sts.${DOMAIN}`, null);
    expect(await later(MINUTE - 1)).toEqual(NONE);
    expect(await later(1)).toEqual(enforced('1'));
  });
});

describe('a slow policy host', () => {
  beforeEach(() => {
    announce('1');
    policies = start({ waitMs: 250 });
  });

  it('delays only the first mail for a limited time, and is used when it responds', async () => {
    const slow = slowHost();
    const detail = 'no policy within 250 ms';
    const told = { kind: 'failed', resultType: 'sts-policy-fetch-error', detail };
    expect(await lookUp()).toEqual(told);
    expect(await lookUp()).toEqual(told);
    slow.answer(file('enforce'));
    await waitFor('the policy is there', async () => (await lookUp()).kind === 'policy');
    expect(fetches).toHaveLength(1);
    expect(await kept.policy(DOMAIN)).not.toBeNull();
  });

  it('keeps a current policy that it does not renew', async () => {
    await waitFor('the policy is there', async () => (await lookUp()).kind === 'policy');
    announce('2');
    const slow = slowHost();
    expect(await later(5 * MINUTE)).toEqual(enforced('1'));
    slow.answer(file('enforce', 'other.example'));
    await waitFor('the new policy is there', async () => {
      const answer = await lookUp();
      return answer.kind === 'policy' && answer.policy.id === '2';
    });
  });

  it('is not the slow DNS of a domain without a policy', async () => {
    dns.fault(`_mta-sts.${DOMAIN}`, { delayMs: 700 });
    expect(await lookUp()).toEqual(NONE);
    await waitFor('DNS has answered', async () => (await lookUp()).kind === 'policy');
  });

  it('shares at most 64 slots with all others', async () => {
    const slow = slowHost();
    const domains = Array.from({ length: 80 }, (_, i) => `d${i}.example`);
    for (const domain of domains) announce('1', domain);
    await Promise.all(domains.map((domain) => lookUp(domain)));
    await waitFor('every record is read', () => dns.queries.length === 80 && fetches.length >= 64);
    expect(fetches).toHaveLength(64);
    slow.answer(BROKEN);
    await waitFor('the others have had their turn', () => fetches.length === 80);
    slow.answer(BROKEN);
  });

  it('is abandoned at the end, without a report about it', async () => {
    policies = start();
    host = (_domain, signal) =>
      new Promise((resolve) => signal?.addEventListener('abort', () => resolve(BROKEN)));
    const asked = lookUp();
    await waitFor('the host is asked', () => fetches.length === 1);
    policies.stop();
    await expect(asked).rejects.toThrow();
  });
});

describe('the refresh', () => {
  beforeEach(async () => {
    announce('1');
    await lookUp();
  });

  it('fetches policies that are a day old', async () => {
    clock.advance(DAY - 1);
    await policies.refresh();
    expect(fetches).toHaveLength(1);
    clock.advance(1);
    await policies.refresh();
    expect(fetches).toHaveLength(2);
    expect((await kept.policy(DOMAIN))?.expiresAt).toBe(clock.now() + 7 * DAY);
    await policies.refresh();
    expect(fetches).toHaveLength(2);
  });

  it('uses a change without a new id', async () => {
    host = () => Promise.resolve(file('enforce', 'other.example'));
    clock.advance(DAY);
    await policies.refresh();
    expect(await lookUp()).toEqual(enforced('1', 'other.example'));
  });

  it('continues with the stored state after a restart', async () => {
    policies = start();
    clock.advance(DAY);
    await policies.refresh();
    expect(fetches).toHaveLength(2);
  });

  it('keeps the current policy if it fails, and retries in the next run', async () => {
    host = () => Promise.resolve(BROKEN);
    clock.advance(DAY);
    await policies.refresh();
    expect(await lookUp()).toEqual(enforced('1'));
    await policies.refresh();
    expect(fetches).toHaveLength(2);
    clock.advance(HOUR);
    host = () => Promise.resolve(file('enforce'));
    await policies.refresh();
    expect(fetches).toHaveLength(3);
    expect((await kept.policy(DOMAIN))?.fetchedAt).toBe(clock.now());
  });

  it('continues without DNS, but not if DNS says that the record is gone', async () => {
    clock.advance(DAY);
    dns.fault(`_mta-sts.${DOMAIN}`, 'servfail');
    await policies.refresh();
    expect(fetches).toHaveLength(2);
    dns.fault(`_mta-sts.${DOMAIN}`, null);
    dns.remove(`_mta-sts.${DOMAIN}`);
    clock.advance(DAY);
    await policies.refresh();
    expect(fetches).toHaveLength(2);
  });

  it('skips policies without mail for a month, and does not count as use', async () => {
    for (let day = 1; day <= 40; day++) {
      clock.advance(DAY);
      await policies.refresh();
    }
    expect(fetches).toHaveLength(1 + 30);
    expect(await kept.policy(DOMAIN)).toBeNull();
  });

  it('deletes policies that expired more than a day ago', async () => {
    dns.remove(`_mta-sts.${DOMAIN}`);
    clock.advance(8 * DAY);
    await policies.refresh();
    expect(await opened.raw('SELECT domain FROM mta_sts_policies')).toHaveLength(1);
    clock.advance(1);
    await policies.refresh();
    expect(await opened.raw('SELECT domain FROM mta_sts_policies')).toEqual([]);
  });

  it('reaches every one of many policies, a few at a time', async () => {
    // Reads 200 at the same time.
    const domains = Array.from({ length: sized({ small: 210, full: 450 }) }, (_, i) => `d${i}.example`);
    for (const domain of domains) announce('1', domain);
    await Promise.all(domains.map((domain) => lookUp(domain)));
    fetches = [];
    let open = 0;
    let most = 0;
    host = async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open--;
      return file('enforce');
    };
    clock.advance(DAY);
    await policies.refresh();
    expect(fetches.sort()).toEqual([...domains, DOMAIN].sort());
    expect(most).toBeLessThanOrEqual(8);
  });
});

test('a database outage does not delay mail', async () => {
  announce('1');
  isDatabaseAway = true;
  expect(await lookUp()).toEqual(enforced('1'));
  expect(await kept.policy(DOMAIN)).toBeNull();
});

test('fetches a policy by TXT record, HTTPS, certificate and file', async () => {
  const tls = selfSignedCertificate(`mta-sts.${DOMAIN}`);
  const server = await startHttpReceiver({ tls });
  dns.set(`mta-sts.${DOMAIN}`, 'A', ['127.0.0.1']);
  const body = 'version: STSv1\r\nmode: enforce\r\nmx: mail.shop.example\r\nmax_age: 604800\r\n';
  server.setDefault({ headers: { 'content-type': 'text/plain' }, body });
  announce('1');
  const answers = async (extraCa: string[]) => {
    policies = start({
      fetchPolicy: createPolicyFetch({
        allowPrivate: true,
        port: server.port,
        extraCa,
        resolve: async (name) => {
          const found = await resolver.addresses(name, [4]);
          return found.kind === 'found' ? found.records.map((address) => ({ address, family: 4 })) : [];
        },
      }),
    });
    return lookUp();
  };
  expect(await answers([])).toMatchObject({ kind: 'failed', resultType: 'sts-webpki-invalid' });
  expect(await answers([tls.cert])).toEqual(enforced('1'));
  await server.close();
});
