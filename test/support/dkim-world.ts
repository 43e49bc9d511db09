// Domains whose keys rotate for a long time, by a clock that the test moves: the real store, checks, sweeps and signers, in a
// simulated DNS with customers who publish late and receivers that cache answers.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { signMessage } from '../../src/lib/dkim/index.js';
import { joinMessage } from '../../src/lib/mime/index.js';
import { zoneFacts } from '../../src/domains/zone/zone-facts.rules.js';
import type { DkimMode } from '../../src/domains/keys/dkim-publication.rules.js';
import { newId } from '../../src/lib/runtime/index.js';
import { openKeyGeneration } from '../../src/domains/keys/key-generation.js';
import { SigningKeys } from '../../src/outbound/deliver/signing-keys.js';
import type { Deliverable } from '../../src/messages/deliverables.store.js';
import { createStore, type Store } from '../../src/app/store.js';
import { bootstrap } from '../../src/accounts/bootstrap.js';
import { DomainChecks } from '../../src/domains/domain-checks-sweep.js';
import { KeyRotation } from '../../src/domains/keys/key-rotation-sweep.js';
import { TenantChecks } from '../../src/domains/checks.js';
import { makeDkimKeys } from '../../src/domains/keys/dkim-keys.js';
import { dkimRecords, ownerOfTenant } from '../../src/domains/domain-records.js';
import { Rotations } from '../../src/domains/keys/rotation.js';
import { Zone } from '../../src/domains/zone/zone.js';
import type { LifecycleSettings } from '../../src/domains/keys/dkim-lifecycle.rules.js';
import type { Dice } from './dice.js';
import { verifyDkim } from './dkim-messages.js';
import { fixedClock } from './fixed-clock.js';
import type { EngineKind } from './open-engines.js';
import { createSimulatedCheck, createSimulatedDns, type SimulatedResolver } from './simulated-dns.js';
import { subTenants } from '../../src/tenants/tenants.tables.js';
import { insert } from '../../src/database/rows.js';

export const WORLD_MASTER_KEY = Buffer.alloc(32, 3);
const ZONE = 'send.example';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const FLIGHT_MS = 3 * DAY;

export interface DkimWorldSettings {
  lifecycle: LifecycleSettings;
  /** Age at which a key is replaced. */
  rotationMs: number;
  /** Share of lookups that get no response. */
  failing: number;
}

export interface WorldTenant {
  id: string;
  domain: string;
  /** The chance that the customer updates its DNS on a given day; 0 for never. */
  diligence: number;
}

/** One mail in transit, and the DNS records that it needs. */
interface Flight {
  tenant: string;
  selectors: string[];
  bytes: Buffer;
  receiver: SimulatedResolver;
  sentAt: number;
}

export type DkimWorld = Awaited<ReturnType<typeof startDkimWorld>>;

export async function startDkimWorld(engineKind: EngineKind, dice: Dice, settings: DkimWorldSettings) {
  const opened = await engineKind.openMigrated();
  const { engine } = opened;
  const clock = fixedClock();
  const real = createStore(engine, { maxGroup: 200 });
  let isFull = false;
  const store: Store = {
    ...real,
    commit: (plan) => (isFull ? Promise.reject(new Error('no space left')) : real.commit(plan)),
  };
  const { workspaceId } = await bootstrap(store, { clock: clock.now });
  const facts = zoneFacts(
    {
      ...{
        dnsZone: ZONE,
        dnsNameServers: null,
        dnsAddresses: ['192.0.2.1'],
        dnsTtlMs: 5 * MINUTE,
        dnsDmarc: 'v=DMARC1; p=none',
      },
      ...{ hostname: 'ph.example', publicUrl: 'https://ph.example', bounceDomain: 'ph.example' },
      ...{ inboundDomain: 'ph.example', platformDomain: null, tlsReportAddress: null, spfMechanisms: null },
    },
    [],
  );
  if (!facts) throw new Error('There is no zone.');
  const zone = new Zone({ store, clock: clock.now }, () => facts, null);
  const dns = createSimulatedDns({ zone, apex: ZONE }, clock.now);
  const recordCheck = createSimulatedCheck(dns, () => dice.chance(settings.failing));
  const receivers = Array.from({ length: 3 }, () => dns.resolver());
  const domains = { hostname: 'ph.example', dnsZone: ZONE };
  const terms = {
    lifecycle: settings.lifecycle,
    intervals: { usualMs: HOUR, driftMs: 5 * MINUTE, keyMs: 5 * MINUTE },
    driftGraceMs: 6 * HOUR,
  };
  const version = openKeyGeneration();
  const tenants: WorldTenant[] = [];
  const flights: Flight[] = [];
  const told = { signed: 0, held: 0, arrived: 0, lost: [] as string[], unseen: [] as string[] };
  /** Selectors whose mail may fail on purpose, by tenant. */
  const givenUp = new Set<string>();
  const daysDone = new Map<string, number>();

  /** Everything that a restart recreates. */
  function appliance() {
    const context = {
      ...terms,
      store,
      masterKey: WORLD_MASTER_KEY,
      clock: clock.now,
      recordCheck,
      settings: domains,
      zone: ZONE,
      rotationMs: settings.rotationMs,
      checksPerRun: 100,
      tenants: { stop: () => undefined },
      wakeUps: { queue: () => undefined, events: () => undefined },
      forgetKeys: () => version.bump(),
    };
    const checks = new TenantChecks({ ...context, forgetKeys: () => undefined });
    const rotations = new Rotations(context);
    return {
      checks,
      rotations,
      signing: new SigningKeys(store, WORLD_MASTER_KEY, clock.now, version),
      domainChecks: new DomainChecks(context, checks),
      keyRotation: new KeyRotation(context, rotations, 2),
    };
  }
  let running = appliance();

  async function addTenant(name: string, mode: DkimMode, diligence: number): Promise<WorldTenant> {
    const now = clock.now();
    const id = newId('tnt', now);
    const domain = mode === 'zone' ? `${name}.${ZONE}` : `${name}.example`;
    const keys = await makeDkimKeys({
      ...{ ownerId: id, domain, masterKey: WORLD_MASTER_KEY, now },
      slot: mode === 'txt' ? null : 0,
    });
    const row = {
      ...{ id, workspace_id: workspaceId, name, external_id: null, sending_domain: domain, dkim_mode: mode },
      ...{
        status: 'pending_verification' as const,
        verified_at: null,
        last_checked_at: null,
        dns_results: null,
      },
      ...{ return_path_ok: 0 as const, inbound_ok: 0 as const, tracking_ok: 0 as const, next_check_at: now },
      ...{ created_at: now, updated_at: now, deleted_at: null },
    };
    await store.commit([insert(subTenants, { row }), ...keys.changes]);
    const tenant = { id, domain, diligence };
    tenants.push(tenant);
    return tenant;
  }

  async function liveScope() {
    return { ...(await store.accounts.environmentOf(workspaceId, 'live')), subTenantId: null };
  }

  async function keysOf({ id }: WorldTenant) {
    return store.domains.dkimKeys([id]);
  }

  /** The customer publishes the requested records, and removes obsolete ones. */
  async function publish(tenant: WorldTenant): Promise<void> {
    const found = await store.domainChecks.tenant(tenant.id);
    if (!found || found.row.dkim_mode === 'zone') return;
    const asked = dkimRecords(ownerOfTenant(found.row), await keysOf(tenant), domains);
    for (const name of dns.records.keys()) {
      if (name.endsWith(`.${tenant.domain}`) && !asked.some(({ host }) => host === name))
        dns.records.delete(name);
    }
    for (const { host, type, value } of asked) {
      if (dns.records.get(host)?.value !== value)
        dns.records.set(host, { type, value, ttlMs: dice.pick([HOUR, DAY]) });
    }
  }

  async function customersAct(): Promise<void> {
    for (const tenant of tenants) {
      const day = Math.floor(clock.now() / DAY);
      if (daysDone.get(tenant.id) === day) continue;
      daysDone.set(tenant.id, day);
      if (dice.chance(tenant.diligence)) await publish(tenant);
    }
  }

  /**
   * Sends one mail of a tenant, signed as a delivery does; one receiver verifies it immediately, and another three days later.
   */
  async function send(tenant: WorldTenant): Promise<'signed' | 'held'> {
    const from = `news@${tenant.domain}`;
    const deliverable = {
      message: { from_email: from, sub_tenant_id: tenant.id, forward: null },
      tenant: { sending_domain: tenant.domain },
      workspaceId,
      // the columns that signing reads
    } as unknown as Deliverable;
    const found = await running.signing.signersFor(deliverable);
    if (found.kind === 'unsigned') {
      told.held += 1;
      return 'held';
    }
    const headerLines = [
      `From: <${from}>`,
      'To: <a@there.example>',
      'Subject: News',
      'Message-ID: <1@ph.example>',
    ];
    const body = Buffer.from('What is new.\r\n');
    const signedAt = Math.floor(clock.now() / 1000);
    const fields = signMessage({ headerLines, body, signers: found.signers, signedAt });
    const bytes = joinMessage([...fields, ...headerLines], body);
    const selectors = found.signers.map(({ selector }) => selector);
    told.signed += 1;
    const flight = {
      tenant: tenant.domain,
      selectors,
      bytes,
      receiver: dice.pick(receivers),
      sentAt: clock.now(),
    };
    if (!(await verifies(flight, dice.pick(receivers)))) told.unseen.push(describe(flight));
    flights.push(flight);
    return 'signed';
  }

  function describe({ tenant, selectors, sentAt }: Flight): string {
    return `${tenant} ${selectors.join('+')} of day ${Math.floor(sentAt / DAY)}`;
  }

  async function verifies(
    { tenant, selectors, bytes }: Flight,
    receiver: SimulatedResolver,
  ): Promise<boolean> {
    const keys: Record<string, KeyObject> = {};
    for (const selector of selectors) {
      const key = keyIn(await receiver.txt(`${selector}._domainkey.${tenant}`));
      if (key) keys[selector] = key;
    }
    return Object.keys(keys).length === selectors.length && verifyDkim(bytes, keys).every(Boolean);
  }

  /** Receivers cache the answers for the fixed names from before there was a key, and for the previous key. */
  async function probe(): Promise<void> {
    for (const { domain } of tenants) {
      for (const selector of ['svc1', 'svc2']) {
        for (const receiver of receivers) await receiver.txt(`${selector}._domainkey.${domain}`);
      }
    }
  }

  async function land(): Promise<void> {
    while (flights[0] && flights[0].sentAt + FLIGHT_MS <= clock.now()) {
      const flight = flights.shift();
      if (!flight || flight.selectors.some((selector) => givenUp.has(`${flight.tenant}/${selector}`)))
        continue;
      told.arrived += 1;
      if (!(await verifies(flight, flight.receiver))) told.lost.push(describe(flight));
    }
  }

  return {
    ...{ clock, store, dns, tenants, told, addTenant, keysOf, publish, send, version },
    get rotations() {
      return running.rotations;
    },
    get checks() {
      return running.checks;
    },
    get keyRotation() {
      return running.keyRotation;
    },
    /** Makes all writes fail, as with a full disk. */
    failCommits(fails: boolean): void {
      isFull = fails;
    },
    restart(): void {
      running = appliance();
    },
    async rotate(
      tenant: WorldTenant,
      request: { mode?: 'txt' | 'cname'; emergency?: boolean } = {},
    ): Promise<void> {
      // No two generations of keys are of the same moment.
      clock.advance(1);
      const scope = await liveScope();
      const row = await store.tenants.subTenant(scope, tenant.id);
      if (!row) throw new Error('The sub-tenant is gone.');
      const { mode = null, emergency: isEmergency = false } = request;
      if (isEmergency)
        for (const key of await keysOf(tenant)) givenUp.add(`${tenant.domain}/${key.selector}`);
      await running.rotations.request(scope, row, { mode, isEmergency }, 'api');
    },
    async trailOf(tenant: WorldTenant): Promise<string[]> {
      const trail = await store.events.auditTrailOfSubject(await liveScope(), tenant.id, 1000);
      return trail.map(({ event }) => event).reverse();
    },
    /** Advances time, with mail before and after it. */
    async step(afterMs: number): Promise<void> {
      clock.advance(afterMs);
      await land();
      await customersAct();
      for (const tenant of tenants) await send(tenant);
      await running.domainChecks.run();
      await running.keyRotation.run();
      // Signers may still use their cache.
      clock.advance(10_000);
      for (const tenant of tenants) await send(tenant);
      await probe();
    },
    close: () => opened.close(),
  };
}

/** By the text of the record, because each is read thousands of times. */
const keysRead = new Map<string, KeyObject>();

function keyIn(answer: Awaited<ReturnType<SimulatedResolver['txt']>>): KeyObject | null {
  const text = answer.kind === 'found' && answer.records.length === 1 ? (answer.records[0] ?? '') : '';
  const [, kind, octets] = /k=(\w+); p=([\w+/=]+)$/.exec(text) ?? [];
  if (octets === undefined) return null;
  const known = keysRead.get(text);
  if (known) return known;
  const der = Buffer.from(octets, 'base64');
  const head = Buffer.from(kind === 'ed25519' ? '302a300506032b6570032100' : '', 'hex');
  const key = createPublicKey({ key: Buffer.concat([head, der]), format: 'der', type: 'spki' });
  keysRead.set(text, key);
  return key;
}
