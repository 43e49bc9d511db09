// Calls every operation of the OpenAPI document as all callers without access. Other customers' objects are refused byte for byte
// like missing ones, nothing of them appears anywhere, and nothing changes. Operations are found in the document and objects in
// its lists, so new routes are covered automatically.
import { Database, type Connection } from '../../src/database/engine/sqlite-driver.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyPermission, Mode, Role } from '../../src/contract/names.js';
import { newId } from '../../src/lib/runtime/index.js';
import type { Scope } from '../../src/database/scope.js';
import { planApiKey } from '../../src/accounts/api-keys/api-key-plan.js';
import { environmentRowId, planWorkspace } from '../../src/accounts/workspace-plan.js';
import { Passwords } from '../../src/accounts/people/passwords.js';
import { planPerson } from '../../src/accounts/people/person.js';
import { apiOperations, type Operation } from '../support/api-operations.js';
import { harvest, pathOf, valuesOf, type Place } from '../support/api-places.js';
import { startFullApi, type FullApiRig } from '../support/program.js';
import { comparable, leaksOf, unknownLike } from '../support/isolation-answers.js';
import {
  createAttacks,
  sampled,
  targetsOf,
  type Attacker,
  type Attacks,
} from '../support/isolation-attacks.js';
import {
  bearer,
  createAsk,
  fill,
  idsIn,
  type Ask,
  type Asked,
  type Caller,
  type World,
} from '../support/isolation-world.js';
import { isFullSize, sized } from '../support/run-size.js';
import { overrides } from '../../src/outbound/outbound.tables.js';
import { insert, update } from '../../src/database/rows.js';
import { subTenants } from '../../src/tenants/tenants.tables.js';
import { organizations } from '../../src/accounts/accounts.tables.js';

const PASSWORD = 'a long enough sentence';
/** Operations that a `send` key may call: mail, and its related objects. */
const OF_SENDING =
  /^\/v1\/(me|messages|approvals|threads|drafts|inboxes|subscribe|templates\/(\{id\}\/)?render|queue\/destinations\/\{domain\}\/retry)\b/;
/** Operations for admins rather than members. */
const OF_ADMINS = /^\/v1\/(members|invitations|api-keys|webhook-endpoints|workspaces|organization)\b/;
/** Operations for the operator only; test/outbound calls them as others. */
const OF_OPERATOR = /^\/v1\/(sources|routes|route-shares)\b/;
/** Operations that only read, although by POST. An export writes what is read to a file. */
const READS_BY_POST = ['templates.render', 'templates.renderContent', 'lists.preview', 'exports.create'];

const operations = apiOperations();
let rig: FullApiRig;
let ask: Ask;
let attacks: Attacks;
/** The victims: the workspace's own objects, and those of one of its sub-tenants. */
let own: World;
/** Its templates and saved blocks, which its sub-tenants may read and send. */
let templates: World;
let tenant: World;
/** The attackers: another sub-tenant, another workspace (the operator's), another organization. */
let sibling: World;
let neighbour: World;
let outsider: World;
/** Objects that all workspaces of an organization see. */
let shared: World;
/** Names that only the organization's own people know. */
let names: World;
let secret: string;
let database: Connection;
let readers: TableReader[];
let rowsBefore: Map<string, Map<string, string>>;

const passwords = new Passwords();

beforeAll(async () => {
  rig = await startFullApi({
    before: addOverride,
    env: { MAILKEEL_RATE_LIMIT_AUTH_FAILURES: '0' },
  });
  ask = createAsk(rig);
  attacks = createAttacks(ask, operations);
  const operator = bearer('operator', rig.liveKey);
  await ask(operator, {
    method: 'PATCH',
    url: '/v1/organization',
    body: { postal_address: '1 High Street' },
  });
  const second = await ask(operator, {
    method: 'POST',
    url: '/v1/workspaces',
    body: { name: 'Second', api_keys: true },
  });
  const made = second.json as { id: string; api_keys: { mode: Mode; secret: string }[] };
  secret = made.api_keys.find(({ mode }) => mode === 'live')?.secret ?? '';
  const scope = { ...(await rig.store.accounts.environmentOf(made.id, 'live')), subTenantId: null };
  const owner = bearer('owner', secret);
  own = await fill(rig, ask, { word: 'marzipan', templateWord: 'almond', caller: owner, scope });
  const isShared = (id: string) => /^(tpl|sbk)_/.test(id);
  const kept = [...own.ids].filter((id) => !isShared(id));
  templates = { ...own, word: 'almond', ids: new Set([...own.ids].filter(isShared)) };
  own = { ...own, ids: new Set(kept) };
  tenant = await fillTenant('nougat', scope);
  shared = await fillOrganization(operator, scope);
  const known = [scope.organizationId, scope.workspaceId, rig.workspaceId];
  names = { ...shared, ids: new Set(known) };
  for (const id of known) shared.ids.delete(id);
  database = new Database(rig.databaseFile, { readonly: true });
  readers = openReaders(database);
  rowsBefore = new Map(readers.map((reader) => [reader.table, rowsIn(reader)]));
  sibling = await fillTenant('quince', scope);
  const first = { ...(await rig.store.accounts.environmentOf(rig.workspaceId, 'live')), subTenantId: null };
  neighbour = await fill(rig, ask, { word: 'rhubarb', caller: operator, scope: first });
  const other = await newOrganization();
  outsider = await fill(rig, ask, { word: 'saffron', ...other });
}, 120_000);

afterAll(async () => {
  database.close();
  await rig.close();
});

/** A limit set by a mail host, for the whole server. */
async function addOverride(store: FullApiRig['store']): Promise<void> {
  const now = Date.now();
  const row = {
    ...{
      id: newId('ovr', now),
      path: 'p',
      provider: null,
      site: 'mx.example',
      source: 's',
      kind: 'rate' as const,
    },
    ...{ value: '1', sub_tenant_key: '', rule: 'r', reason: 'because', reply: '450', created_at: now },
    expires_at: now + 86_400_000,
  };
  await store.commit([insert(overrides, { row })]);
}

const NOBODY: Caller = { name: 'nobody', headers: {} };

async function fillTenant(word: string, scope: Scope): Promise<World> {
  const body = { name: word, external_id: word, sending_domain: `mail.${word}.example` };
  const made = await ask(bearer('owner', secret), { method: 'POST', url: '/v1/sub-tenants', body });
  const { id } = made.json as { id: string };
  const set = { status: 'verified' as const, verified_at: rig.clock() };
  await rig.store.commit([update(subTenants, { set, where: { id } })]);
  const caller = bearer(`owner for ${word}`, secret, { 'x-sub-tenant-id': id });
  const world = await fill(rig, ask, { word, caller, scope: { ...scope, subTenantId: id } });
  world.ids.add(id);
  return world;
}

/** An organization's objects outside its workspaces. */
async function fillOrganization(caller: Caller, scope: Scope): Promise<World> {
  const word = 'currant';
  const body = { email: `guest@${word}.example`, role: 'viewer' };
  const { person, csrf } = await signedIn(word, scope.organizationId, 'admin');
  const admin = { ...person, headers: { ...person.headers, 'x-csrf-token': csrf } };
  const { status, text } = await ask(admin, { method: 'POST', url: '/v1/invitations', body });
  if (status >= 300) throw new Error(`invitation: ${text}`);
  const { text: session } = await ask(person, { method: 'GET', url: '/v1/auth/session' });
  const ids = new Set([
    ...idsIn(text),
    ...idsIn(session),
    scope.organizationId,
    scope.workspaceId,
    rig.workspaceId,
  ]);
  return { word, caller, scope, made: [], ids };
}

async function newOrganization(): Promise<Pick<World, 'caller' | 'scope'>> {
  const now = rig.clock();
  const organizationId = newId('org', now);
  const workspace = { id: newId('ws', now), number: 77, organizationId, name: 'saffron' };
  await rig.store.commit([
    insert(organizations, {
      row: {
        ...{ id: organizationId, name: 'saffron', postal_address: '2 Low Street', plan: 'unlimited' },
        ...{ unsubscribe_blocks: 'all', track_opens: 1, track_clicks: 1, created_at: now, updated_at: now },
      },
    }),
    ...planWorkspace(workspace, now),
  ]);
  const scope: Scope = {
    ...{ organizationId, workspaceId: workspace.id, workspaceNumber: workspace.number, mode: 'live' },
    ...{ environmentId: environmentRowId(workspace.number, 'live'), subTenantId: null },
  };
  return { scope, caller: bearer('outsider', await newKey(scope, {})) };
}

interface KeyWish {
  mode?: Mode;
  permission?: KeyPermission;
  subTenantId?: string | null;
  allowedIps?: string[];
  expiresAt?: number;
}

/** Creates a key without the API; returns its secret. */
async function newKey(
  scope: Scope,
  { mode = 'live', permission = 'full', ...wish }: KeyWish,
): Promise<string> {
  const environmentId = environmentRowId(scope.workspaceNumber, mode);
  const { secret: made, change } = planApiKey(
    {
      ...{ environmentId, mode, name: 'Asking', permission },
      ...(wish.subTenantId ? { subTenantId: wish.subTenantId } : {}),
      ...(wish.allowedIps ? { allowedIps: wish.allowedIps } : {}),
      ...(wish.expiresAt === undefined ? {} : { expiresAt: wish.expiresAt }),
    },
    rig.clock(),
  );
  await rig.store.commit([change]);
  return made;
}

/** A signed-in person, with the token that changes need. */
async function signedIn(
  name: string,
  organizationId: string,
  role: Role,
): Promise<{ person: Caller; csrf: string }> {
  const email = `${name}@people.example`;
  const passwordHash = await passwords.hash(PASSWORD);
  await rig.store.commit(
    planPerson({ email, name: null, passwordHash, organizationId, role }, rig.clock()).plan,
  );
  const body = { email, password: PASSWORD };
  const answer = await ask(NOBODY, { method: 'POST', url: '/v1/auth/sign-in', body });
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  const { csrf_token: csrf } = answer.json as { csrf_token: string };
  return { person: { name, headers: { cookie } }, csrf };
}

interface TableReader {
  table: string;
  /** The columns of its primary key. */
  key: string[];
  rows: () => Record<string, unknown>[];
}

/** One per table, on a separate connection. */
function openReaders(of: Connection): TableReader[] {
  const tables = tablesOf(of).filter((table) => !/^sqlite_|search/.test(table));
  return tables.map((table) => {
    const columns = of.pragma(`table_info(${table})`) as { name: string; pk: number }[];
    const statement = of.prepare(`SELECT * FROM ${table}`);
    return {
      table,
      key: columns.filter(({ pk }) => pk > 0).map(({ name }) => name),
      rows: () => statement.all() as Record<string, unknown>[],
    };
  });
}

/** The rows of a table by their place. */
function rowsIn({ table, key, rows }: TableReader): Map<string, string> {
  return new Map(
    rows().map((row) => [
      JSON.stringify(key.map((name) => row[name])),
      JSON.stringify(withoutUse(table, row)),
    ]),
  );
}

/** Removes columns that only record a request. */
function withoutUse(table: string, row: Record<string, unknown>): Record<string, unknown> {
  const isUsed = 'last_used_at' in row || 'api_version' in row;
  const rest = isUsed ? { ...row, last_used_at: null, api_version: null } : row;
  // Reading a segment counts it.
  if (table === 'contact_lists' && row['filter'] !== null) return { ...rest, contacts: 0, counted_at: 0 };
  // Sending counts the messages of the sender's own key.
  if (table === 'api_key_days') return { ...rest, messages: 0 };
  // The chain of the workspace and its sums advance with a sub-tenant's own actions.
  if (['chains', 'usage', 'contact_counts', 'audience_versions'].includes(table)) return {};
  return rest;
}

/** Returns the victims' rows that have changed, each once. */
function changedRows(): string[] {
  const changed: string[] = [];
  for (const reader of readers) {
    const { table } = reader;
    const rows = rowsBefore.get(table);
    if (rows === undefined || rows.size === 0) continue;
    const now = rowsIn(reader);
    for (const [key, row] of rows) {
      const after = now.get(key);
      if (after === row) continue;
      const how = after === undefined ? 'is gone' : `${row.slice(0, 300)} -> ${after.slice(0, 300)}`;
      changed.push(`${table} ${key}: ${how}`);
      if (after === undefined) rows.delete(key);
      else rows.set(key, after);
    }
  }
  return changed;
}

async function attack(attacker: Attacker, places: readonly Place[]): Promise<string[]> {
  const targets = targetsOf(attacker.victims, places);
  expect(targets.length).toBeGreaterThan(20);
  return [...(await attacks.attack(attacker, targets)), ...changedRows()];
}

let places: Place[];
beforeAll(async () => {
  const { person } = await signedIn('harvester', own.scope.organizationId, 'owner');
  const headers = { ...person.headers, 'x-workspace-id': own.scope.workspaceId };
  // An owner sees the objects that a key sees, and the people.
  places = await harvest(ask, operations, { ...person, headers });
}, 60_000);

describe('objects of others', () => {
  it('are reached by their owner in every operation with a path', () => {
    const uncovered = operations
      // A waiting program belongs to no one until a person with its code authorizes it.
      .filter(({ isPublic, path }) => !isPublic && path.includes('{') && !path.includes('{user_code}'))
      .filter(({ path }) => !OF_OPERATOR.test(path))
      .filter((operation) => valuesOf(operation, places).length === 0)
      .map(({ method, path }) => `${method} ${path}`);
    expect(uncovered).toEqual([]);
  });

  const attackers: [string, () => Attacker | Promise<Attacker>][] = [
    [
      "another workspace's key",
      () => ({ caller: neighbour.caller, victims: [own, templates, tenant], world: neighbour }),
    ],
    [
      "another workspace's test key",
      () => ({
        caller: bearer('neighbour in test', rig.testKey),
        victims: [own, templates, tenant],
        world: null,
      }),
    ],
    [
      "another organization's key",
      () => ({ caller: outsider.caller, victims: [own, templates, tenant, shared, names], world: outsider }),
    ],
    [
      "another organization's owner",
      async () => {
        const { person, csrf } = await signedIn('outsider', outsider.scope.organizationId, 'owner');
        const headers = { ...person.headers, 'x-csrf-token': csrf };
        return {
          caller: { ...person, headers },
          victims: [own, templates, tenant, shared, names],
          world: outsider,
        };
      },
    ],
    [
      "another tenant's pinned key",
      async () => {
        const pinned = await newKey(own.scope, { subTenantId: sibling.scope.subTenantId });
        return { caller: bearer('pinned', pinned), victims: [tenant, shared], world: sibling };
      },
    ],
    [
      "a tenant's pinned key, as to the workspace's own",
      async () => {
        const pinned = await newKey(own.scope, { subTenantId: sibling.scope.subTenantId });
        return { caller: bearer('pinned', pinned), victims: [own], world: sibling };
      },
    ],
  ];

  // Each of the others is of the same class as one of these: another workspace, another organization.
  const OF_FULL_SIZE = ["another workspace's test key", "another organization's key"];
  it.each(attackers.filter(([who]) => isFullSize || !OF_FULL_SIZE.includes(who)))(
    'are refused to %s like missing ones',
    async (_, make) => {
      const wrong = await attack(await make(), places);
      expect(wrong).toEqual([]);
    },
    300_000,
  );

  it("are hidden from a person who names another's workspace", async () => {
    const { person } = await signedIn('visitor', outsider.scope.organizationId, 'owner');
    const read = (workspaceId: string) =>
      ask(person, { method: 'GET', url: '/v1/messages', headers: { 'x-workspace-id': workspaceId } });
    const { workspaceId } = own.scope;
    const unknown = unknownLike(workspaceId);
    const answer = await read(workspaceId);
    expect(answer.status).toBe(404);
    expect(comparable(answer, [workspaceId])).toBe(comparable(await read(unknown), [unknown]));
  });
});

/** All ids that belong to an environment. */
function idsOfEnvironment(environmentId: number): Set<string> {
  const ids = tablesOf(database).flatMap((table) => {
    const columns = columnsOf(database, table);
    const id = ['public_id', 'id'].find((name) => columns.includes(name));
    // Live keys are shown so that they can be revoked, and live templates are used in test.
    const isShown = table === 'api_keys' || table === 'templates';
    if (id === undefined || !columns.includes('environment_id') || isShown) return [];
    const statement = database.prepare(`SELECT ${id} FROM ${table} WHERE environment_id = ?`);
    return statement.pluck().all(environmentId).map(String);
  });
  return new Set(ids);
}

function tablesOf(of: Connection): string[] {
  const named = of.prepare("SELECT name FROM sqlite_master WHERE type = 'table'");
  return named.pluck().all() as string[];
}

function columnsOf(of: Connection, table: string): string[] {
  return (of.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
}

/** Calls all operations on these objects, and lists that may show them. Returns the problems. */
async function attackObjects(caller: Caller, world: World, from: readonly Place[]): Promise<string[]> {
  const attacker = { caller, victims: [world], world: null };
  const targets = from.filter(({ item }) => world.ids.has(String(item['id'])));
  expect(new Set(targets.map(({ path }) => path)).size).toBeGreaterThan(9);
  return [
    ...(await attacks.attackPlaces(attacker, targets)),
    ...(await attacks.attackLists(attacker, targets)),
    ...changedRows(),
  ];
}

/** Rows of the environment, and shared rows as far as they affect live mail. */
function liveRows(): Record<string, unknown[]> {
  const { environmentId, workspaceId, organizationId } = own.scope;
  const of = (table: string): [string, unknown[]] | null => {
    const columns = columnsOf(database, table);
    const rows = (condition: string, value: string | number): [string, unknown[]] => {
      const found = database.prepare(`SELECT * FROM ${table} WHERE ${condition}`).all(value);
      return [table, (found as Record<string, unknown>[]).map((row) => withoutUse(table, row))];
    };
    if (columns.includes('environment_id')) return rows('environment_id = ?', environmentId);
    if (table === 'organizations') return rows('id = ?', organizationId);
    if (table === 'workspaces' || table === 'members') return rows('organization_id = ?', organizationId);
    if (!columns.includes('verified_at')) return null;
    return rows('verified_at IS NOT NULL AND workspace_id = ?', workspaceId);
  };
  const all = tablesOf(database).flatMap((table) => {
    const rows = of(table);
    return rows === null ? [] : [rows];
  });
  return Object.fromEntries(all);
}

describe('the environments of a workspace', () => {
  it('live objects are refused to a test key like missing ones', async () => {
    const live: World = { ...own, word: 'nobodysword', ids: idsOfEnvironment(own.scope.environmentId) };
    const test = bearer('test', await newKey(own.scope, { mode: 'test' }));
    expect(await attackObjects(test, live, places)).toEqual([]);
  }, 120_000);

  it('test objects are refused to a live key like missing ones', async () => {
    const environment = await rig.store.accounts.environmentOf(own.scope.workspaceId, 'test');
    const caller = bearer('test', await newKey(own.scope, { mode: 'test' }));
    const world = await fill(rig, ask, {
      ...{ word: 'pistachio', caller },
      scope: { ...environment, subTenantId: null },
    });
    const test: World = { ...world, word: 'nobodysword', ids: idsOfEnvironment(environment.environmentId) };
    for (const id of world.ids) if (id.startsWith('tpl_')) test.ids.add(id);
    const live = bearer('live', await newKey(own.scope, {}));
    const wrong = await attackObjects(
      live,
      test,
      await harvest(ask, operations, caller, sized({ small: 2, full: 6 })),
    );
    // Erasing a person from live erases the test rows as well, and both share the audit log.
    const isMeant = (text: string) => /\/contacts\/[^/]+%40[^/]+\/erase|GET \/v1\/audit-log /.test(text);
    expect(wrong.filter((text) => !isMeant(text))).toEqual([]);
  }, 120_000);

  it.each(['full', 'send'] as const)(
    'nothing in live is changed by a %s test key',
    async (permission) => {
      const caller = bearer('test', await newKey(own.scope, { mode: 'test', permission }));
      const before = liveRows();
      expect(Object.keys(before).length).toBeGreaterThan(15);
      const done: string[] = [];
      for (const operation of operations.filter(({ isPublic, method }) => !isPublic && method !== 'GET')) {
        const values = operation.path.includes('{') ? valuesOf(operation, places) : [[]];
        for (const one of sampled(values)) {
          const { status } = await attacks.asked(caller, operation, pathOf(operation, one));
          if (status < 300) done.push(operation.id);
        }
      }
      if (permission === 'full') expect(new Set(done).size).toBeGreaterThan(12);
      const after = liveRows();
      for (const [table, rows] of Object.entries(before)) expect(after[table], table).toEqual(rows);
      // Called here, so that test's own changes do not count as others' changes.
      changedRows();
    },
    120_000,
  );
});

describe('missing permission', () => {
  /** One request of every operation that needs authentication, at a place of the victims' if it has one. */
  async function askAll(
    caller: Caller,
    isMeant: (operation: Operation) => boolean,
  ): Promise<{ operation: Operation; answer: Asked }[]> {
    const answers: { operation: Operation; answer: Asked }[] = [];
    for (const operation of operations.filter((one) => !one.isPublic && isMeant(one))) {
      const [values = []] = valuesOf(operation, places);
      answers.push({ operation, answer: await attacks.asked(caller, operation, pathOf(operation, values)) });
    }
    return answers;
  }

  const changes = ({ method }: Operation): boolean => method !== 'GET';

  const keys: [string, () => Promise<Caller>, number, string][] = [
    ['without a key', () => Promise.resolve(NOBODY), 401, 'unauthorized'],
    [
      'with a key that is none',
      () => Promise.resolve(bearer('guess', `${secret.slice(0, -4)}aaaa`)),
      401,
      'unauthorized',
    ],
    [
      'with a revoked key',
      async () => {
        const made = await ask(own.caller, { method: 'POST', url: '/v1/api-keys', body: { name: 'gone' } });
        const { id, secret: revoked } = made.json as { id: string; secret: string };
        await ask(own.caller, { method: 'DELETE', url: `/v1/api-keys/${id}` });
        return bearer('revoked', revoked);
      },
      401,
      'unauthorized',
    ],
    [
      'with an expired key',
      async () => bearer('expired', await newKey(own.scope, { expiresAt: rig.clock() - 1 })),
      401,
      'unauthorized',
    ],
    [
      'with a key from another address',
      async () => ({
        ...bearer('elsewhere', await newKey(own.scope, { allowedIps: ['192.0.2.0/24'] })),
        from: '198.51.100.7',
      }),
      403,
      'address_not_allowed',
    ],
    [
      'with a session without its token',
      async () => (await signedIn('forged', own.scope.organizationId, 'owner')).person,
      403,
      'csrf_token_invalid',
    ],
  ];

  it.each(keys)('%s is refused everything', async (name, make, status, code) => {
    const caller = await make();
    const isMeant = name.includes('session') ? changes : () => true;
    const wrong = (await askAll(caller, isMeant)).flatMap(({ operation, answer }) => {
      const { error } = (answer.json ?? {}) as { error?: { code: string } };
      const leaks = leaksOf(answer, [own, templates, tenant, shared], '');
      return answer.status === status && error?.code === code && leaks.length === 0
        ? []
        : [`${operation.id} answers ${answer.status} ${answer.text.slice(0, 200)} ${leaks.join(' ')}`];
    });
    expect([...wrong, ...changedRows()]).toEqual([]);
  });

  /** A member of the victims' workspace. */
  async function memberAs(role: Role): Promise<Caller> {
    const { person, csrf } = await signedIn(role, own.scope.organizationId, role);
    const { workspaceId } = own.scope;
    return { ...person, headers: { ...person.headers, 'x-csrf-token': csrf, 'x-workspace-id': workspaceId } };
  }

  const limited: [string, () => Promise<Caller>, (operation: Operation) => boolean, number][] = [
    [
      'change anything with a read key',
      async () => bearer('read', await newKey(own.scope, { permission: 'read' })),
      (operation) => changes(operation) && !READS_BY_POST.includes(operation.id),
      50,
    ],
    [
      'reach anything but mail with a send key',
      async () => bearer('send', await newKey(own.scope, { permission: 'send' })),
      ({ path }) => !OF_SENDING.test(path),
      50,
    ],
    [
      'change anything as a viewer',
      () => memberAs('viewer'),
      // Operations on the person's own account are permitted.
      (operation) =>
        changes(operation) &&
        !operation.path.startsWith('/v1/auth/') &&
        !READS_BY_POST.includes(operation.id),
      50,
    ],
    [
      'change people, keys, webhook endpoints or settings as a member',
      () => memberAs('member'),
      (operation) => changes(operation) && OF_ADMINS.test(operation.path),
      15,
    ],
  ];

  it.each(limited)('%s is refused', async (_, make, isMeant, atLeast) => {
    const answers = await askAll(await make(), isMeant);
    expect(answers.length).toBeGreaterThan(atLeast);
    const wrong = answers.flatMap(({ operation, answer }) =>
      answer.status === 403 ? [] : [`${operation.id} answers ${answer.status} ${answer.text.slice(0, 200)}`],
    );
    expect([...wrong, ...changedRows()]).toEqual([]);
  });
});
