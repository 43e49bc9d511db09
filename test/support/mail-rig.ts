// The program with the surroundings that a sender needs: a DNS server with the zones of sender and recipients, and a verified
// sub-tenant created through the API.
import { copyFileSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAppliance, type Answer, type Appliance } from './appliance.js';
import { startDnsServer, type TestDnsServer } from './dns-server.js';
import { mailInto } from './incoming-mail.js';
import { newslettersOf, PUBLIC_URL, readyForCampaigns } from './newsletters.js';
import type { PostgresServer } from './postgres-server.js';
import { relayOf } from './relay-client.js';
import { startSmtpSink, type SinkMessage, type SmtpSink, type SmtpSinkOptions } from './smtp-sink.js';
import { waitFor } from './wait.js';
import { layered, tuned } from './tuning.js';

/** A shared name, so that most scenarios have one sender domain and one destination. */
const SENDER_DOMAIN = 'shop.example';
const RECIPIENT_DOMAIN = 'receiver.example';

export interface DnsRecord {
  type: 'TXT' | 'MX' | 'CNAME';
  host: string;
  value: string;
  priority?: number;
}

export interface AuditTrailEntry {
  event: string;
  actor: string;
  timestamp: string;
  metadata: Record<string, unknown>;
  provider?: string;
  provider_message_id?: string;
}

/** Fast, and open to loopback; a scenario's own settings override it. */
export const QUICK = {
  MAILKEEL_ALLOW_PRIVATE_MX: 'true',
  MAILKEEL_WEBHOOK_ALLOW_PRIVATE: 'true',
  MAILKEEL_RETRY_SCHEDULE: '200ms,200ms,200ms…',
  ...tuned({ holdMs: 300, greylistRetryMs: 200, breakerPausesMs: [200] }),
  MAILKEEL_AMBIGUOUS_HOLD: '400ms',
  MAILKEEL_DNS_CACHE: '100ms',
  MAILKEEL_DNS_NEGATIVE_CACHE: '100ms',
  MAILKEEL_RATE_LIMIT_LIVE: '0',
  MAILKEEL_RATE_LIMIT_TEST: '0',
  MAILKEEL_LOG_LEVEL: 'warn',
};

export type MailRig = Awaited<ReturnType<typeof startMailRig>>;

export interface MailRigOptions {
  /** Port of all recipients' mail servers; without it nothing is delivered directly. */
  mxPort?: number;
  env?: Record<string, string>;
  dataDir?: string;
  /** The process of the program; `own` by default. */
  process?: 'own' | 'shared';
  /** The package whose server runs, as for the appliance. */
  root?: string;
  /** A DNS server that the caller starts and closes. */
  dns?: TestDnsServer;
  /** Another host: the command that runs the server there, and a function that maps a port of its loopback to a local one. */
  host?: { within: readonly string[]; reach: (port: number) => Promise<void> };
}

/** A record as the API returns it. */
export type ReturnedRecord = Omit<DnsRecord, 'value'> & { value: string | null };

/** Publishes records as a customer does, except those without a value. */
export function publish(dns: TestDnsServer, records: readonly ReturnedRecord[]): void {
  const sets = new Map<string, DnsRecord[]>();
  for (const { value, ...rest } of records) {
    if (value === null) continue;
    const record = { ...rest, value };
    const key = `${record.type} ${record.host}`;
    sets.set(key, [...(sets.get(key) ?? []), record]);
  }
  for (const set of sets.values()) {
    const [{ type, host } = { type: 'TXT' as const, host: '' }] = set;
    if (type === 'MX') {
      dns.set(
        host,
        'MX',
        set.map(({ priority = 10, value }) => ({ preference: priority, exchange: value })),
      );
    } else {
      dns.set(
        host,
        type,
        set.map(({ value }) => value),
      );
    }
  }
}

/** Adds a domain whose mail goes to 127.0.0.1. */
export function receives(dns: TestDnsServer, domain: string): void {
  dns.set(domain, 'MX', [{ preference: 10, exchange: `mx.${domain}` }]);
  dns.set(`mx.${domain}`, 'A', ['127.0.0.1']);
}

/** A running server, a verified sub-tenant for shop.example, and MX records for receiver.example. */
export async function startMailRig(options: MailRigOptions = {}) {
  const dns = options.dns ?? (await startDnsServer());
  receives(dns, RECIPIENT_DOMAIN);
  const appliance = await createAppliance({
    env: layered(
      QUICK,
      {
        MAILKEEL_DNS_SERVERS: dns.address,
        ...(options.mxPort === undefined ? {} : { MAILKEEL_MX_PORT: String(options.mxPort) }),
      },
      options.env,
    ),
    ...(options.dataDir === undefined ? {} : { dataDir: options.dataDir }),
    process: options.process ?? 'own',
    ...(options.host === undefined ? {} : { within: options.host.within }),
    ...(options.root === undefined ? {} : { root: options.root }),
  });
  try {
    await options.host?.reach(appliance.port);
    await appliance.start();
    const tenantId = await addTenant(appliance, dns, SENDER_DOMAIN);
    return {
      dns,
      appliance,
      tenantId,
      ...mailThrough(appliance, tenantId),
      ...mailInto(appliance, tenantId),
      close: () => closeAll(appliance, options.dns === undefined ? dns : null),
    };
  } catch (error) {
    await closeAll(appliance, options.dns === undefined ? dns : null);
    throw error;
  }
}

export interface SinkRigOptions extends Omit<MailRigOptions, 'mxPort'> {
  sink?: Partial<SmtpSinkOptions>;
  /** Settings that depend on the sink's port. */
  envOf?: (sink: SmtpSink) => Record<string, string>;
  /** With a default sender, a postal address and public addresses in mails. */
  campaigns?: boolean;
}

export interface Delivered {
  id: string;
  mail: SinkMessage;
}

export type SinkRig = Awaited<ReturnType<typeof startMailRigWithSink>>;

/** The mail rig with a sink that keeps the recipients' mail, a key for the relay, and lists and campaigns. */
export async function startMailRigWithSink(options: SinkRigOptions = {}) {
  const { sink: sinkOptions, envOf, campaigns = false, ...others } = options;
  const sink = await startSmtpSink({ keep: true, ...sinkOptions });
  const publicUrl = campaigns ? { MAILKEEL_PUBLIC_URL: PUBLIC_URL } : {};
  const env = { ...publicUrl, ...options.env, ...envOf?.(sink) };
  const rig = await startMailRig({ ...others, mxPort: sink.port, env });

  async function close(): Promise<void> {
    await rig.close();
    await sink.close();
  }
  try {
    if (campaigns) await readyForCampaigns(rig.appliance, rig.tenantId);
    const delivered = mailAt(sink, rig);
    return {
      ...{ ...rig, sink, ...delivered, close },
      ...(await relayOf(rig)),
      ...newslettersOf(rig, delivered.arrived),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export interface NodeRigOptions {
  server: PostgresServer;
  mxPort: number;
  /** A port of loopback that leads to the server, used instead of its own. */
  through?: number;
  /** Of all nodes. */
  env?: Record<string, string>;
  /** Of the first node; `own` if it is killed. */
  process?: 'own' | 'shared';
}

/** A node as GET /v1/nodes shows it. */
export interface ShownNode {
  id: string;
  status: string;
  is_this: boolean;
  path_leases: number;
  rooms: string[];
  roles: string[];
}

export type NodeRig = Awaited<ReturnType<typeof startNodeRig>>;

/**
 * Several nodes of one installation on one PostgreSQL database, each with its own folder and ports. They share only the master
 * key. The first has a verified sub-tenant.
 */
export async function startNodeRig(options: NodeRigOptions) {
  const { server, mxPort, through, env = {} } = options;
  const made = await server.makeDatabase();
  const database =
    through === undefined ? made : { ...made, url: made.url.replace(/:\d+\//, `:${through}/`) };
  const shared = { MAILKEEL_DATABASE_URL: database.url, ...env };
  const rig: MailRig = await startMailRig({ mxPort, env: shared, process: options.process ?? 'shared' });
  const first = rig.appliance;
  const nodes: Appliance[] = [first];
  const folders: string[] = [];

  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'mailkeel-node-'));
    folders.push(folder);
    return folder;
  }

  /** Another node, in the test process unless it has its own; not started. */
  async function newNode(
    own: Record<string, string> = {},
    process: 'own' | 'shared' = 'shared',
    within: readonly string[] = [],
  ): Promise<Appliance> {
    const masterKey = join(newFolder(), 'master.key');
    copyFileSync(join(first.dataDir, 'keys', 'master.json'), masterKey);
    const common = { ...first.env };
    delete common['MAILKEEL_DATA_DIR'];
    delete common['MAILKEEL_HTTP_PORT'];
    const node = await createAppliance({
      dataDir: newFolder(),
      env: layered(common, { MAILKEEL_MASTER_KEY_FILE: masterKey }, own),
      keys: first.keys,
      ...{ process, within },
    });
    nodes.push(node);
    return node;
  }

  /** Read from a running node. */
  async function shown(by: Appliance = first): Promise<ShownNode[]> {
    const { json } = await by.api('GET', '/v1/nodes');
    return (json as { data: ShownNode[] }).data;
  }

  return {
    ...rig,
    database,
    first,
    newNode,
    shown,
    /** Waits until this many nodes share the leases of one source, each has some, and none is pending. */
    settled: (count: number, by: Appliance = first): Promise<ShownNode[]> =>
      waitFor(
        `${count} nodes to share the leases`,
        () => shown(by),
        (found) =>
          found.length === count &&
          found.every(({ path_leases: leases }) => leases > 0) &&
          found.reduce((sum, { path_leases: leases }) => sum + leases, 0) === 64,
        60_000,
      ),
    /** Through one of the nodes. */
    submit: (node: Appliance, to: string, more: Record<string, unknown> = {}): Promise<Answer> =>
      node.api('POST', '/v1/messages', { body: rig.draft(to, more) }),
    async close(): Promise<void> {
      for (const node of nodes.slice(1)) await node.close();
      await rig.close();
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Mail that the sink has got. A recipient without @ is the mailbox of this name. */
function mailAt(sink: SmtpSink, { send, reached }: Pick<MailRig, 'send' | 'reached'>) {
  const mailsTo = (to: string): SinkMessage[] =>
    sink.messages.filter(({ rcptTo: [first] }) =>
      to.includes('@') ? first === to : first?.startsWith(`${to}@`),
    );
  const mailTo = (to: string): SinkMessage | undefined => mailsTo(to).at(-1);

  /** Waits for the newest message for a recipient, or the one with this number. */
  async function arrived(to: string, number?: number): Promise<SinkMessage> {
    const find = () => mailsTo(to).at(number === undefined ? -1 : number - 1);
    const mail = await waitFor(`mail for ${to}`, find);
    if (mail === undefined) throw new Error(`no mail for ${to}`);
    return mail;
  }

  /** Sent, and in the sink. */
  async function deliver(
    to: string,
    more: Record<string, unknown> = {},
    status = 'delivered',
  ): Promise<Delivered> {
    const before = mailsTo(to).length;
    const id = await send(to, more);
    await reached(id, status);
    const mail = mailsTo(to)[before];
    if (mail === undefined) throw new Error(`the sink has no new mail for ${to}`);
    return { id, mail };
  }

  return { mailTo, arrived, deliver };
}

async function closeAll(appliance: Appliance, dns: TestDnsServer | null): Promise<void> {
  await appliance.close();
  await dns?.close();
}

/** Creates, publishes and verifies a sub-tenant; returns its id. */
export async function addTenant(appliance: Appliance, dns: TestDnsServer, domain: string): Promise<string> {
  const made = await appliance.api('POST', '/v1/sub-tenants', {
    body: { name: domain, sending_domain: domain },
  });
  if (made.status !== 201) throw new Error(`no sub-tenant: ${made.status} ${made.text}`);
  const { id, dns_records: records } = made.json as { id: string; dns_records: DnsRecord[] };
  publish(dns, records);
  const verified = await appliance.api('POST', `/v1/sub-tenants/${id}/verify`);
  const { status } = verified.json as { status: string };
  if (status !== 'verified') throw new Error(`not verified: ${verified.status} ${verified.text}`);
  return id;
}

/** Publishes the keys of the platform's domain, and waits until the server has found them. */
export async function publishPlatformKeys(
  { appliance: { query }, dns }: Pick<MailRig, 'appliance' | 'dns'>,
  domain: string,
): Promise<void> {
  const keys = await query('SELECT selector, record_value FROM dkim_keys WHERE domain = ?', domain);
  for (const { selector, record_value: value } of keys) {
    dns.set(`${String(selector)}._domainkey.${domain}`, 'TXT', [String(value)]);
  }
  await waitFor(
    'the keys of the platform to be active',
    () => query(`SELECT selector FROM dkim_keys WHERE domain = ? AND state <> 'active'`, domain),
    (pending) => pending.length === 0,
    60_000,
  );
}

/** Mail of this sub-tenant, which sends as shop.example. */
export function mailThrough(appliance: Appliance, tenantId: string) {
  /** The body of POST /v1/messages, from shop.example to the mailbox of this name or to an address. */
  function draft(to: string, more: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      sub_tenant_id: tenantId,
      from: { email: `orders@${SENDER_DOMAIN}`, name: 'The Shop' },
      to: to.includes('@') ? to : `${to}@${RECIPIENT_DOMAIN}`,
      subject: 'Your order',
      text: 'It is on its way.\n',
      ...more,
    };
  }

  /** Sends a message; returns its id. */
  async function send(to: string, more: Record<string, unknown> = {}): Promise<string> {
    const answer = await appliance.api('POST', '/v1/messages', { body: draft(to, more) });
    if (answer.status !== 202) throw new Error(`not accepted: ${answer.status} ${answer.text}`);
    return (answer.json as { id: string }).id;
  }

  async function message(id: string): Promise<Record<string, unknown>> {
    return (await appliance.api('GET', `/v1/messages/${id}`)).json as Record<string, unknown>;
  }

  async function trail(id: string): Promise<AuditTrailEntry[]> {
    const { json } = await appliance.api('GET', `/v1/messages/${id}/audit`);
    return (json as { trail: AuditTrailEntry[] }).trail;
  }

  /** Waits until the message has this status. */
  function reached(id: string, status: string, deadlineMs?: number): Promise<Record<string, unknown>> {
    const ask = () => message(id);
    return waitFor(`${id} to be ${status}`, ask, (found) => found['status'] === status, deadlineMs);
  }

  /** Waits until the trail has an entry of this name (or `count` of them). */
  function logged(id: string, event: string, count = 1, deadlineMs?: number): Promise<AuditTrailEntry[]> {
    const isEnough = (entries: AuditTrailEntry[]) =>
      entries.filter((entry) => entry.event === event).length >= count;
    return waitFor(`${count} ${event} in the trail of ${id}`, () => trail(id), isEnough, deadlineMs);
  }

  return { draft, send, message, trail, reached, logged };
}

export const events = (trail: readonly AuditTrailEntry[]): string[] => trail.map(({ event }) => event);
