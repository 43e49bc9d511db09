// The program itself on its own data folder, wired by src/app as the server wires it. Nothing listens and nothing runs until a
// test starts it. Requests are injected, and tests insert rows by plans and read them back.
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { Database, type Connection } from '../../src/database/engine/sqlite-driver.js';
import type { DestinationStream } from 'pino';
import { planApiKey } from '../../src/accounts/api-keys/api-key-plan.js';
import { bootstrap, type FirstAccount } from '../../src/accounts/bootstrap.js';
import { environmentRowId, LAST_WORKSPACE_NUMBER, planWorkspace } from '../../src/accounts/workspace-plan.js';
import { BUSY_TIMEOUT_MS } from '../../src/app/installation/open-appliance.js';
import { assemble } from '../../src/app/assemble.js';
import type { KeyPermission, Mode } from '../../src/contract/names.js';
import { type Clock, createLog, newId, systemClock } from '../../src/lib/runtime/index.js';
import type { Keys } from '../../src/lib/secrets/index.js';
import type { DnsResolver } from '../../src/lib/dns/index.js';
import { createFolderFiles } from '../../src/lib/files/index.js';
import { Certificates } from '../../src/operations/certificates/certificates.js';
import { createLiveRules, readOutboundRules } from '../../src/outbound/route/outbound-rules.js';
import { loadConfig } from '../../src/settings/load.js';
import type { Config } from '../../src/settings/settings.js';
import type { Row, Value } from '../../src/database/engine/engine.js';
import { openSqlite } from '../../src/database/engine/sqlite.js';
import type { Scope } from '../../src/database/scope.js';
import { createStore, type Store } from '../../src/app/store.js';
import { startDnsServer } from './dns-server.js';
import { subTenantRow } from './domain-rows.js';
import { layMigratedFile } from './migrated-file.js';
import { temporaryFolder } from './open-engines.js';
import { sharedRenderer } from './shared-renderer.js';
import { layered } from './tuning.js';
import type { Change } from '../../src/database/change.js';
import { subTenants } from '../../src/tenants/tenants.tables.js';
import { insert } from '../../src/database/rows.js';
import { organizations } from '../../src/accounts/accounts.tables.js';

const ENVIRONMENT = {
  MAILKEEL_PUBLIC_URL: 'https://mail.example.test',
  MAILKEEL_HOSTNAME: 'mx.platform.example',
  MAILKEEL_BOUNCE_DOMAIN: 'bounce.example.test',
  MAILKEEL_INBOUND_DOMAIN: 'in.platform.example',
  MAILKEEL_PREFLIGHT: 'false',
  MAILKEEL_METRICS: 'false',
  MAILKEEL_RATE_LIMIT_LIVE: '0',
  MAILKEEL_RATE_LIMIT_TEST: '0',
  MAILKEEL_RATE_LIMIT_AUTH_FAILURES: '0',
  MAILKEEL_RATE_LIMIT_NEW_KEYS: '0',
};

const noAnswer = (): Promise<{ kind: 'failed'; reason: 'unreachable' }> =>
  Promise.resolve({ kind: 'failed', reason: 'unreachable' });
const NO_DNS: DnsResolver = {
  ...{ mx: noAnswer, addresses: noAnswer, txt: noAnswer, ns: noAnswer, cname: noAnswer, ptr: noAnswer },
  stats: () => {
    throw new Error('This resolver counts nothing.');
  },
  close: () => undefined,
};

export const TOKEN_KEY = { id: 1, secret: Buffer.alloc(32, 7) };
export const MASTER_KEY = Buffer.alloc(32, 9);

export interface ProgramOptions {
  /** MAILKEEL_ settings. */
  env?: Record<string, string>;
  /** Values that override those of `env`. */
  settings?: Partial<Config>;
  /** The machine's by default. */
  clock?: Clock;
  keys?: Keys;
  /** By default one without answers, unless `env` names servers. */
  resolver?: DnsResolver;
  logLevel?: string;
  logTo?: DestinationStream;
  /** Writes rows that the program reads when it is created. */
  before?: (store: Store) => Promise<unknown>;
  /**
   * A running program, which gets a new organization instead of a start. It keeps its clock and settings, and `close` leaves it
   * open.
   */
  beside?: TestProgram;
}

export interface ProgramRequest {
  /** A secret, or '' for none. */
  key?: string;
  /** Sent as JSON, or as it is when `headers` name another type. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The client's address. */
  ip?: string;
}

export interface ProgramAnswer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  // the tests read many shapes; each says what it expects
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json: any;
}

interface KeyWish {
  mode?: Mode;
  permission?: KeyPermission;
  subTenantId?: string;
  allowedIps?: string[];
  expiresAt?: number;
}

export type TestProgram = Awaited<ReturnType<typeof startProgram>>;

/** With a first organization and its two keys. */
export function assembleProgram(options: ProgramOptions = {}): Promise<TestProgram> {
  return options.beside ? inNewOrganization(options.beside) : startProgram(options);
}

async function startProgram(options: ProgramOptions) {
  const folder = temporaryFolder();
  const databaseFile = join(folder.path, 'mail.db');
  await layMigratedFile(databaseFile);
  const { clock = systemClock, keys = newKeys() } = options;
  const env = layered(ENVIRONMENT, options.env, { MAILKEEL_DATA_DIR: folder.path });
  const config: Config = { ...loadConfig({ env }).config, ...options.settings };
  const log = createLog(options.logLevel ?? 'silent', options.logTo);
  const woken = { queueIds: [] as number[], events: 0 };

  async function open() {
    const engine = openSqlite({ file: databaseFile, busyTimeoutMs: BUSY_TIMEOUT_MS });
    const store = createStore(engine, { maxGroup: config.groupCommitMaxPlans });
    await options.before?.(store);
    const rules = createLiveRules(readOutboundRules(config));
    const readConfig = (): Config => loadConfig({ env }).config;
    const own = options.resolver ?? (config.dnsServers.length === 0 ? NO_DNS : null);
    const program = await assemble({
      ...{ config, rules, readConfig, store, keys, dataFolder: folder.path, clock, log },
      place: { kind: 'file', file: databaseFile },
      nodeId: 'nod_test',
      node: null,
      ...(own === null ? {} : { resolver: own }),
      certificates: await sharedCertificates(),
      renderer: sharedRenderer(),
    });
    watchWakeUps(program, woken);
    await program.api.app.ready();
    return { store, engine, ...program };
  }

  let running = await open();
  const first = await bootstrap(running.store, { clock });
  if (first.liveKey === null || first.testKey === null) throw new Error('The new database has keys already.');
  let beside: Connection | null = null;

  async function stop(): Promise<void> {
    for (const step of running.closing) await step.close();
  }

  /** Runs a statement behind the store's back. */
  // eslint-disable-next-line @typescript-eslint/require-await -- the driver throws at once; a promise rejects
  async function raw(statement: string, values: readonly Value[] = []): Promise<Row[]> {
    beside ??= new Database(databaseFile);
    const prepared = beside.prepare(statement);
    if (prepared.reader) return prepared.all(values) as Row[];
    prepared.run(values);
    return [];
  }

  /** Closes everything and opens the folder again. */
  async function restart(): Promise<void> {
    await stop();
    running = await open();
  }

  async function close(): Promise<void> {
    await stop();
    beside?.close();
    folder.remove();
  }

  const shared = {
    ...{ config, clock, keys, woken, dataFolder: folder.path, databaseFile },
    /** Its parts, which `restart` replaces. */
    get parts() {
      return running;
    },
    get store() {
      return running.store;
    },
    get app() {
      return running.api.app;
    },
    commit: (...plan: Change[]) => running.store.commit(plan),
    ...{ raw, restart, close },
  };
  return withAccount(shared, { ...first, liveKey: first.liveKey, testKey: first.testKey });
}

export type FullApiRig = Awaited<ReturnType<typeof startFullApi>>;

/** With every route over a DNS server without zones. */
export async function startFullApi({ env = {}, ...options }: Pick<ProgramOptions, 'env' | 'before'> = {}) {
  const dns = await startDnsServer({ zones: {} });
  const program = await assembleProgram({
    env: {
      MAILKEEL_DNS_SERVERS: dns.address,
      MAILKEEL_DNS_TIMEOUT: '200ms',
      MAILKEEL_HOSTNAME: 'mx.example.test',
      MAILKEEL_BOUNCE_DOMAIN: '',
      MAILKEEL_INBOUND_DOMAIN: '',
      MAILKEEL_WEBHOOK_ALLOW_PRIVATE: 'true',
      ...env,
    },
    ...options,
  });
  return {
    ...program,
    app: program.app,
    store: program.store,
    async close() {
      await program.close();
      await dns.close();
    },
  };
}

interface Account extends FirstAccount {
  liveKey: string;
  testKey: string;
}

interface RunningProgram {
  clock: Clock;
  store: Store;
  app: Awaited<ReturnType<typeof assemble>>['api']['app'];
}

/** The program as this account uses it. */
export function withAccount<P extends RunningProgram>(program: P, account: Account) {
  const { workspaceId, liveKey } = account;
  const { clock } = program;

  async function scopeOf(mode: Mode, subTenantId: string | null = null): Promise<Scope> {
    return { ...(await program.store.accounts.environmentOf(workspaceId, mode)), subTenantId };
  }

  /** A request with the live key unless another is given. */
  async function ask(method: string, url: string, request: ProgramRequest = {}): Promise<ProgramAnswer> {
    const key = request.key ?? liveKey;
    const response = await program.app.inject({
      method: method as 'GET',
      url,
      ...(request.ip === undefined ? {} : { remoteAddress: request.ip }),
      headers: { ...(key === '' ? {} : { authorization: `Bearer ${key}` }), ...request.headers },
      ...(request.body === undefined ? {} : { payload: request.body as object }),
    });
    const type = String(response.headers['content-type']);
    const isJson = type.includes('json') && !type.includes('ndjson') && response.body !== '';
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      json: isJson ? (JSON.parse(response.body) as unknown) : null,
    };
  }

  /** Creates a verified sub-tenant of the first workspace, with the domain `<name>.example`; returns its id. */
  async function addTenant(name: string): Promise<string> {
    const row = subTenantRow(workspaceId, clock(), { name, sending_domain: `${name}.example` });
    await program.store.commit([insert(subTenants, { row })]);
    return row.id;
  }

  /** Creates a key without the API; returns its secret. */
  async function addKey({ mode = 'live', permission = 'full', ...wish }: KeyWish = {}): Promise<string> {
    const { environmentId } = await scopeOf(mode);
    const key = { environmentId, mode, name: 'A key', permission, ...wish };
    const { secret, change } = planApiKey(key, clock());
    await program.store.commit([change]);
    return secret;
  }

  // With its getters, because `restart` replaces the parts.
  const own = Object.defineProperties({}, Object.getOwnPropertyDescriptors(program)) as P;
  return Object.assign(own, { ...account, scopeOf, ask, addTenant, addKey });
}

/** A new organization in a program that runs, with a workspace and its two keys. */
async function inNewOrganization(program: TestProgram): Promise<TestProgram> {
  const now = program.clock();
  const organizationId = newId('org', now);
  const environments = await program.store.accounts.environments();
  const number =
    Math.max(
      ...environments
        .map(({ workspaceNumber }) => workspaceNumber)
        .filter((one) => one < LAST_WORKSPACE_NUMBER),
    ) + 1;
  const workspace = { id: newId('ws', now), number, organizationId, name: 'My organization' };
  const keyOf = (mode: Mode) =>
    planApiKey(
      {
        environmentId: environmentRowId(number, mode),
        mode,
        name: `First ${mode} key`,
        permission: mode === 'live' ? 'admin' : 'full',
      },
      now,
    );
  const [live, test] = [keyOf('live'), keyOf('test')];
  const row = {
    ...{ id: organizationId, name: workspace.name, postal_address: null, plan: 'unlimited' },
    ...{ unsubscribe_blocks: 'all' as const, track_opens: 1 as const, track_clicks: 1 as const },
    ...{ created_at: now, updated_at: now },
  };
  await program.store.commit([
    insert(organizations, { row }),
    ...planWorkspace(workspace, now),
    live.change,
    test.change,
  ]);
  program.woken.queueIds.length = 0;
  program.woken.events = 0;
  const account = { organizationId, workspaceId: workspace.id, liveKey: live.secret, testKey: test.secret };
  return Object.assign(withAccount(program, account), { close: () => Promise.resolve() });
}

let certificates: Promise<Certificates> | null = null;

/** One certificate for all programs of a worker, because generating a key takes longer than most tests. */
function sharedCertificates(): Promise<Certificates> {
  certificates ??= Certificates.open({
    config: loadConfig({ env: ENVIRONMENT }).config,
    files: { tls: createFolderFiles(join(temporaryFolder().path, 'tls')), challenges: null },
    clock: systemClock,
    log: createLog('silent'),
  });
  return certificates;
}

/** Counts what the program announces to its own parts. */
function watchWakeUps(
  { outbound, api }: Awaited<ReturnType<typeof assemble>>,
  woken: { queueIds: number[]; events: number },
): void {
  const { webhooks } = api;
  const before = { queue: outbound.notify.bind(outbound), events: webhooks.notify.bind(webhooks) };
  outbound.notify = (queueIds) => {
    woken.queueIds.push(...(queueIds ?? []));
    before.queue(queueIds);
  };
  webhooks.notify = () => {
    woken.events += 1;
    before.events();
  };
}

function newKeys(): Keys {
  const proofKey = (keyId: string) => ({
    ...{ keyId, ...generateKeyPairSync('ed25519') },
    ...{ createdAt: '2026-01-01T00:00:00.000Z', retiredAt: null },
  });
  const active = proofKey('k1');
  return {
    masterKey: MASTER_KEY,
    tokenKeys: { active: TOKEN_KEY, all: [TOKEN_KEY] },
    proofKeys: { active, all: [active], sandbox: { ...proofKey('sandbox'), isSandbox: true } },
    sessionSecret: Buffer.alloc(32, 5),
  };
}
