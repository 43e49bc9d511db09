// Tests a customer's DKIM record that disappears and returns, with a real name server behind a real resolver: mail continues
// during the grace period, is held, and continues again. Nobody is penalized for a name server that is down.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { ensureDelegatedDns, startDelegatedDns, type DelegatedDns } from '../support/delegated-dns.js';
import { startHttpReceiver, type HttpReceiver } from '../support/http-receiver.js';
import { insightInto } from '../support/insight.js';
import { events, mailThrough, QUICK, type DnsRecord } from '../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait.js';

const skipReason = ensureDelegatedDns();
if (skipReason !== null) console.warn(`skipped: drift: ${skipReason}`);

/** Checked with each tick of a minute. */
const ROUND_MS = 90_000;
const GRACE_MS = 4_000;
/** Shorter than the mail is held. */
const LIFETIME_MS = 15_000;
const EVENTS = ['tenant.dns_drifted', 'tenant.dns_suspended', 'tenant.dns_recovered'];

interface Tenant {
  status: string;
  dns: { drifting: boolean; failing_since: string | null };
  dns_records: (DnsRecord & { required: boolean; purpose: string })[];
}

describe.skipIf(skipReason !== null)('a DKIM record that disappears and returns', () => {
  const opened: (() => Promise<void>)[] = [];
  let dns: DelegatedDns;
  let sink: SmtpSink;
  let receiver: HttpReceiver;
  let appliance: Appliance;
  let tenantId: string;
  let records: Tenant['dns_records'];
  let mail: ReturnType<typeof mailThrough>;
  let later: string;
  /** The recipients' server defers all mail. */
  let isBusy = false;

  beforeAll(async () => {
    dns = await startDelegatedDns();
    opened.push(() => dns.close());
    receiver = await startHttpReceiver();
    opened.push(() => receiver.close());
    sink = await startSmtpSink({ keep: true, onRcpt: () => (isBusy ? '451 4.3.2 Later' : null) });
    opened.push(() => sink.close());
    appliance = await createAppliance({
      process: 'shared',
      env: {
        ...QUICK,
        ...dns.env,
        MAILKEEL_MX_PORT: String(sink.port),
        MAILKEEL_DNS_CHECK_INTERVAL: '1s',
        MAILKEEL_DNS_DRIFT_CHECK_INTERVAL: '1s',
        MAILKEEL_DNS_DRIFT_GRACE: `${GRACE_MS}ms`,
        MAILKEEL_QUEUE_LIFETIME: `${LIFETIME_MS}ms`,
        MAILKEEL_DKIM_ROTATION: '0s',
      },
    });
    opened.push(() => appliance.close());
    await appliance.start();
    await appliance.api('POST', '/v1/webhook-endpoints', {
      body: { url: `${receiver.url}/hook`, events: EVENTS },
    });
    const made = await appliance.api('POST', '/v1/sub-tenants', {
      body: { name: 'Shop', sending_domain: 'shop.example', dkim: 'txt' },
    });
    tenantId = (made.json as { id: string }).id;
    records = (made.json as Tenant).dns_records;
    mail = mailThrough(appliance, tenantId);
    await dns.customer.publish(records);
    await look(({ status }) => status === 'verified');
  });
  afterAll(async () => {
    for (const close of opened.reverse()) await close();
  });

  const tenant = async (): Promise<Tenant> =>
    (await appliance.api('GET', `/v1/sub-tenants/${tenantId}`)).json as Tenant;
  const until = (what: string, holds: (found: Tenant) => boolean, ms?: number): Promise<Tenant> =>
    waitFor(what, tenant, holds, ms);

  /** Requests checks until the result matches. */
  function look(holds: (found: Tenant) => boolean): Promise<Tenant> {
    const verify = async (): Promise<Tenant> =>
      (await appliance.api('POST', `/v1/sub-tenants/${tenantId}/verify`)).json as Tenant;
    return waitFor('a check to see it', verify, holds, 30_000);
  }

  const withoutDkim = (): DnsRecord[] => records.filter(({ purpose }) => purpose !== 'dkim');
  async function told(): Promise<string[]> {
    const { json } = await appliance.api('GET', `/v1/sub-tenants/${tenantId}/audit`);
    const { trail } = json as { trail: { event: string }[] };
    return trail.map(({ event }) => event).filter((event) => event.startsWith('tenant_dns'));
  }
  const hooked = (): string[] =>
    receiver.requests.map(({ rawBody }) => (JSON.parse(rawBody.toString()) as { event: string }).event);

  it(
    'is noticed by the sweep, and mail continues',
    async () => {
      await dns.customer.publish(withoutDkim());
      const found = await until('the drift', (seen) => seen.dns.drifting, ROUND_MS);
      expect(found.status).toBe('verified');
      const [request] = await receiver.waitFor(1, 15_000);
      expect(JSON.parse(request?.rawBody.toString() ?? '')).toMatchObject({ event: 'tenant.dns_drifted' });
      await mail.reached(await mail.send('meanwhile'), 'delivered');
    },
    ROUND_MS + 60_000,
  );

  it('suspends after the grace period, but only on DNS answers', async () => {
    isBusy = true;
    later = await mail.send('later');
    await mail.logged(later, 'deferred');
    await dns.customer.halt();
    const { dns: drift } = await tenant();
    const since = Date.parse(drift.failing_since ?? '');
    await waitFor('the grace to be over', Date.now, (now) => now > since + GRACE_MS);
    await look(() => true);
    await look(() => true);
    expect(await tenant()).toMatchObject({ status: 'verified', dns: { drifting: true } });
    expect(await told()).toEqual(['tenant_dns_drifted']);
    await dns.customer.start();
    await look(({ status }) => status === 'suspended');
  });

  it('refuses live mail, holds waiting mail beyond its lifetime, and does not affect the sandbox', async () => {
    isBusy = false;
    const refused = await appliance.api('POST', '/v1/messages', { body: mail.draft('refused') });
    expect(refused).toMatchObject({ status: 403, json: { error: { code: 'tenant_suspended' } } });
    const { test_key: key } = appliance.keys;
    const played = await appliance.api('POST', '/v1/messages', { key, body: mail.draft('played') });
    expect(played.status).toBe(202);
    await insightInto(appliance).explained(later, 'tenant_suspended');
    const { created_at: at } = (await mail.message(later)) as { created_at: string };
    const over = Date.parse(at) + 1.3 * LIFETIME_MS;
    await waitFor('its lifetime to be over', Date.now, (now) => now > over, 2 * LIFETIME_MS);
    expect(events(await mail.trail(later)).at(-1)).toBe('deferred');
    expect(sink.messages.map(({ rcptTo }) => rcptTo)).toEqual([['meanwhile@receiver.example']]);
  });

  it('is not recovered without DNS answers', async () => {
    await dns.customer.publish(records);
    await dns.customer.halt();
    await look(() => true);
    expect(await tenant()).toMatchObject({ status: 'suspended' });
    await dns.customer.start();
  });

  it(
    'recovers by the sweep, and held mail is sent immediately',
    async () => {
      await until('the recovery', ({ status }) => status === 'verified', ROUND_MS);
      await mail.reached(later, 'delivered');
      await mail.reached(await mail.send('again'), 'delivered');
      expect(await tenant()).toMatchObject({ dns: { drifting: false, failing_since: null } });
      expect(await told()).toEqual(['tenant_dns_drifted', 'tenant_dns_suspended', 'tenant_dns_recovered']);
      await receiver.waitFor(3, 15_000);
      expect(hooked()).toEqual(EVENTS);
    },
    ROUND_MS + 60_000,
  );
});
