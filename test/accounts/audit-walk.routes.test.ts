// Calls every operation of the OpenAPI document that changes something. Each successful call has exactly one audit log entry with
// its actor and target, each refused call has none, and no entry has a secret or text that a person wrote.
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { generateSync } from 'otplib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '../../src/lib/runtime/index.js';
import { Passwords } from '../../src/accounts/people/passwords.js';
import { planPerson } from '../../src/accounts/people/person.js';
import { apiOperations, jsonBodyOf, type Operation } from '../support/api-operations.js';
import { harvest, listsFor, pathOf, valuesOf } from '../support/api-places.js';
import { waitingDevice } from '../support/example-world.js';
import { MASTER_KEY, startFullApi, type FullApiRig } from '../support/program.js';
import { EGRESS_WITH_SHARE } from '../support/share-route.js';
import {
  bearer,
  createAsk,
  fill,
  idsIn,
  type Ask,
  type Asked,
  type Caller,
  type Request,
} from '../support/isolation-world.js';
import { overrides } from '../../src/outbound/outbound.tables.js';
import { insert, update } from '../../src/database/rows.js';
import { PLATFORM_OWNER } from '../../src/domains/domains.store.js';
import { ensurePlatformKey } from '../../src/domains/platform.js';
import { dkimKeys, senders } from '../../src/domains/domains.tables.js';

const WORD = 'marzipan';
const EMAIL = `olga@${WORD}.example`;
const PLATFORM_DOMAIN = 'platform.example';
const PASSWORD = 'a long enough sentence';
const NEXT = 'an even longer sentence';
/** Fields whose texts the audit log records, and which have the word in this test. */
const TOLD = ['name', 'slug', 'domain', 'sending_domain'];
/** Operations that the message's own trail records, that only read, or that end the person's session. */
const NO_ENTRY = [
  ...[
    'messages.create',
    'messages.createBatch',
    'messages.createRaw',
    'messages.resend',
    'threads.reply',
    'templates.render',
    'templates.renderContent',
    'lists.preview',
    'imports.preview',
    'health.runChecks',
    'auth.signOut',
  ],
];
/** Operations that are called more than once and change nothing the second time. */
const MAY_CHANGE_NOTHING = [
  ...['lists.addContacts', 'senders.verify', 'messages.retry', 'queue.retryDestination', 'queue.purge'],
  ...['campaigns.resendInDoubt', 'sequences.resendInDoubt'],
];

/** Operations that are called step by step. */
const WALKED = /^\/v1\/(auth|approvals)\/|^\/v1\/campaigns\/\{id\}\/(send|pause|resume|overrides)$/;

interface Seen {
  operation: Operation;
  values: string[];
  caller: Caller;
  answer: Asked;
  requestId: string;
}

interface List {
  id: string;
  filter: unknown;
}

interface Entry {
  action: string;
  actor_kind: string;
  actor_id: string | null;
  target_id: string | null;
  detail: string;
  request_id: string;
}

const operations = apiOperations();
let rig: FullApiRig;
let operator: Caller;
let person: Caller;
let actors: Map<Caller, string>;
const seen: Seen[] = [];
const secrets = new Set<string>([PASSWORD, NEXT]);

beforeAll(async () => {
  rig = await startFullApi({
    before: addOverride,
    env: {
      MAILKEEL_RATE_LIMIT_AUTH_FAILURES: '0',
      MAILKEEL_OUTBOUND: EGRESS_WITH_SHARE,
      MAILKEEL_PLATFORM_DOMAIN: PLATFORM_DOMAIN,
    },
  });
  secrets.add(rig.liveKey).add(rig.testKey);
  const bare = createAsk(rig);
  operator = bearer('operator', rig.liveKey);
  const passwordHash = await new Passwords().hash(PASSWORD);
  const { userId, plan } = planPerson(
    { email: EMAIL, name: null, passwordHash, organizationId: rig.organizationId, role: 'owner' },
    rig.clock(),
  );
  await rig.store.commit(plan);
  person = await signedIn(bare);
  const keys = await bare(operator, { method: 'GET', url: '/v1/api-keys' });
  const key = (keys.json.data as { id: string; key_prefix: string }[]).find(({ key_prefix }) =>
    rig.liveKey.startsWith(key_prefix),
  );
  actors = new Map([
    [operator, key?.id ?? ''],
    [person, userId],
  ]);
  await walk(bare);
}, 240_000);
afterAll(() => rig.close());

/** A limit set by a mail host. */
async function addOverride(store: FullApiRig['store']): Promise<void> {
  const now = Date.now();
  const row = {
    ...{ id: newId('ovr', now), path: 'p', provider: null, site: 'mx.example', source: 's' },
    ...{ kind: 'rate' as const, value: '1', sub_tenant_key: '', rule: 'r', reason: 'because', reply: '450' },
    ...{ created_at: now, expires_at: now + 86_400_000 },
  };
  await store.commit([insert(overrides, { row })]);
}

const mimeFrom = (from: string): string =>
  [`From: ${from}`, `To: bob@${WORD}.example`, 'Subject: Hello', '', 'Hello.', ''].join('\r\n');

/** Bodies that are files. */
const FILES: Readonly<Record<string, string>> = {
  'text/csv': `email\nx@${WORD}.example\n`,
  'application/x-ndjson':
    '{"object":"workspace_export","format":1,"environment":"live","sub_tenant_id":null}\n{"object":"workspace_export_end","counts":{}}\n',
};

const nobody: Caller = { name: 'nobody', headers: {} };

async function signedIn(ask: Ask): Promise<Caller> {
  const body = { email: EMAIL, password: PASSWORD };
  const answer = await ask(nobody, { method: 'POST', url: '/v1/auth/sign-in', body });
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  const { csrf_token: csrf } = answer.json as { csrf_token: string };
  secrets.add(cookie.split('=')[1] ?? '').add(csrf);
  return { name: 'olga', headers: { cookie, 'x-csrf-token': csrf } };
}

/** Returns the operation of a request, with the parameters in its path. */
function operationAt({ method, url }: Request): { operation: Operation; values: string[] } | null {
  const path = url.split('?')[0] ?? '';
  const found = operations
    .filter((one) => one.method === method)
    .flatMap((operation) => {
      const pattern = new RegExp(`^${operation.path.replace(/\{\w+\}/g, '([^/]+)')}$`);
      const match = pattern.exec(path);
      return match ? [{ operation, values: match.slice(1).map(decodeURIComponent) }] : [];
    })
    .toSorted((a, b) => a.values.length - b.values.length);
  return found[0] ?? null;
}

/** Notes everything that may have changed something, and every secret that was shown. */
function noting(ask: Ask): Ask {
  return async (caller, request) => {
    const requestId = `walk-${seen.length}`;
    const answer = await ask(caller, {
      ...request,
      headers: { ...request.headers, 'x-request-id': requestId },
    });
    collectSecrets(answer.json);
    const at = operationAt(request);
    if (at && request.method !== 'GET') seen.push({ ...at, caller, answer, requestId });
    return answer;
  };
}

function collectSecrets(value: unknown, name = ''): void {
  if (typeof value === 'string') {
    if (/secret|token|link|recovery|^uri$/.test(name) && value.length >= 8) {
      secrets.add(value.slice(value.indexOf('#') + 1));
    }
    return;
  }
  if (Array.isArray(value)) for (const item of value) collectSecrets(item, name);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) collectSecrets(one, key);
  }
}

async function walk(bare: Ask): Promise<void> {
  const ask = noting(bare);
  const scope = {
    ...(await rig.store.accounts.environmentOf(rig.workspaceId, 'live')),
    subTenantId: null,
  };
  await fill(rig, ask, { word: WORD, caller: operator, scope });
  const tenant = await ask(operator, {
    method: 'POST',
    url: '/v1/sub-tenants',
    body: { name: WORD, external_id: WORD, sending_domain: `mail.${WORD}.example` },
  });
  await ask(operator, {
    method: 'PATCH',
    url: '/v1/organization',
    body: { postal_address: `1 ${WORD} Street` },
  });
  const isSigning = { state: 'active' as const, activated_at: rig.clock() };
  await ensurePlatformKey({ ...rig, masterKey: MASTER_KEY, platformDomain: PLATFORM_DOMAIN });
  for (const owner_id of [String(tenant.json.id), PLATFORM_OWNER]) {
    await rig.store.commit([update(dkimKeys, { set: isSigning, where: { owner_id } })]);
  }
  const address = await ask(operator, {
    ...{ method: 'POST', url: '/v1/senders', body: { email: `news@${WORD}.example`, name: WORD } },
  });
  const isVerified = { status: 'verified' as const, verified_at: rig.clock() };
  const where = { id: String(address.json.id) };
  await rig.store.commit([update(senders, { set: isVerified, where })]);
  for (const name of ['bob', 'cara']) {
    await ask(operator, { method: 'POST', url: '/v1/contacts', body: { email: `${name}@${WORD}.example` } });
  }
  const lists = (await bare(operator, { method: 'GET', url: '/v1/lists' })).json.data as List[];
  const list = lists.find(({ filter }) => filter === null);
  const bodies: Record<string, unknown> = {
    'system.reload': {},
    'drafts.send': {},
    'messages.createRaw': { raw: Buffer.from(mimeFrom(`news@${WORD}.example`)).toString('base64') },
    'messages.update': { send_at: new Date(rig.clock() + 7_200_000).toISOString() },
    'lists.subscribe': { list_id: list?.id, email: `dora@${WORD}.example` },
  };
  for (const role of ['viewer', 'member']) {
    const body = { email: `${role}@${WORD}.example`, role };
    await ask(person, { method: 'POST', url: '/v1/invitations', body });
  }
  await walkPeople(ask, bare);
  await walkApprovals(ask, bare);
  // Existing objects are changed before they are deleted.
  const campaigns = (await bare(operator, { method: 'GET', url: '/v1/campaigns' })).json.data as List[];
  const campaign = `/v1/campaigns/${campaigns[0]?.id ?? ''}`;
  const ofCampaign = operations.filter(({ id }) => ['campaigns.update', 'campaigns.test'].includes(id));
  for (const operation of ofCampaign) {
    const url = pathOf(operation, [campaigns[0]?.id ?? '']);
    await ask(operator, { method: operation.method, url, body: jsonBodyOf(operation) });
  }
  await ask(operator, { method: 'DELETE', url: `${campaign}/overrides?email=ann@${WORD}.example` });
  // Ends paused, and so can be canceled and deleted.
  for (const step of ['send', 'pause', 'resume', 'resend-in-doubt', 'pause']) {
    await ask(operator, { method: 'POST', url: `${campaign}/${step}` });
  }
  const operatorId = actors.get(operator) ?? '';
  const changing = operations
    .filter(({ method, isPublic, path }) => method !== 'GET' && !isPublic && !WALKED.test(path))
    .toSorted((a, b) => orderOf(a) - orderOf(b));
  for (const operation of changing) {
    const places = await harvest(bare, listsFor(operation, operations), operator);
    const found = valuesOf(operation, places).filter((values) => !values.includes(operatorId));
    for (const values of found.slice(0, 3)) {
      const caller = /^\/v1\/(members|invitations)/.test(operation.path) ? person : operator;
      const type = Object.keys(operation.bodies)[0];
      const body = FILES[type ?? ''] ?? bodies[operation.id] ?? jsonBodyOf(operation);
      const { status } = await ask(caller, {
        ...{ method: operation.method, url: pathOf(operation, values) },
        ...(body === undefined ? {} : { body }),
        ...(type === undefined ? {} : { contentType: type }),
      });
      // The others are still wanted.
      if (operation.method === 'DELETE' && status < 300) break;
    }
  }
  await ask(person, { method: 'POST', url: '/v1/auth/sign-out' });
}

/** Order of the walk: mail is retried after some was sent, and nested objects are deleted before their parents. */
function orderOf({ id, method, path }: Operation): number {
  if (id === 'messages.retry') return 0.5;
  if (method === 'DELETE') return 10 - path.split('/').length;
  return /cancel|erase|rotate/.test(path) ? 1 : 0;
}

/** One waiting message is edited, one approved, and one rejected. */
async function walkApprovals(ask: Ask, bare: Ask): Promise<void> {
  const { json } = await bare(person, { method: 'GET', url: '/v1/approvals?status=pending' });
  const [first, second, third] = (json as { data: { id: string; content_hash: string }[] }).data;
  const at = (approval: { id: string } | undefined) => `/v1/approvals/${approval?.id ?? ''}`;
  const body = { content_hash: second?.content_hash };
  await ask(person, { method: 'PATCH', url: at(first), body: { subject: `${WORD} again` } });
  await ask(person, { method: 'POST', url: `${at(second)}/approve`, body });
  await ask(person, { method: 'POST', url: `${at(third)}/reject`, body: { note: WORD } });
}

async function walkPeople(ask: Ask, bare: Ask): Promise<void> {
  const asPerson = (method: string, url: string, body?: unknown) =>
    ask(person, { method, url, ...(body === undefined ? {} : { body }) });
  const mia = await asPerson('POST', '/v1/invitations', { email: `mia@${WORD}.example`, role: 'member' });
  const token = String(mia.json.link).split('#')[1] ?? '';
  const body = { token, name: WORD, password: PASSWORD };
  await bare(nobody, { method: 'POST', url: '/v1/invitations/accept', body });
  for (const decision of ['approve', 'deny']) {
    const { item } = await waitingDevice(bare);
    await asPerson('POST', `/v1/auth/device/${String(item['user_code'])}/${decision}`, {});
  }
  await asPerson('PATCH', '/v1/auth/user', { name: WORD });
  const { json } = await asPerson('POST', '/v1/auth/totp', { password: PASSWORD });
  const code = (steps: number) =>
    generateSync({ secret: String(json.secret), epoch: Math.floor(rig.clock() / 1000) + 30 * steps });
  await asPerson('POST', '/v1/auth/totp/confirm', { code: code(-1) });
  await asPerson('POST', '/v1/auth/totp/disable', { password: PASSWORD, code: code(0) });
  const other = await signedIn(bare);
  const session = await bare(other, { method: 'GET', url: '/v1/auth/session' });
  await asPerson('DELETE', `/v1/auth/sessions/${String(session.json.session.id)}`);
  await asPerson('PUT', '/v1/auth/alerts', { mail_alerts: ['backup_failed'] });
  await asPerson('POST', '/v1/auth/alerts/test', { way: 'mail' });
  await asPerson('DELETE', '/v1/auth/sessions');
  await asPerson('POST', '/v1/auth/password', { current: NEXT, new: PASSWORD });
  await asPerson('POST', '/v1/auth/password', { current: PASSWORD, new: NEXT });
}

function allEntries(): Entry[] {
  const database = new Database(rig.databaseFile, { readonly: true });
  const rows = database.prepare('SELECT * FROM audit_entries').all() as Entry[];
  database.close();
  return rows;
}

/** Needs a message that was sent in the sandbox; test/scenarios/sandbox covers it. */
const NOT_WALKED = 'messages.simulate';

const isDone = ({ answer }: Seen): boolean => answer.status < 300;

it('covers every operation that changes something', () => {
  const done = new Set(seen.filter(isDone).map(({ operation }) => operation.id));
  const missed = operations
    .filter(({ method, isPublic, id }) => method !== 'GET' && !isPublic && !done.has(id) && id !== NOT_WALKED)
    .map(({ id }) => {
      const last = seen.findLast(({ operation }) => operation.id === id);
      return `${id}: ${last ? `${last.answer.status} ${last.answer.text.slice(0, 300)}` : 'nowhere to ask'}`;
    });
  expect(missed).toEqual([]);
});

it('writes one entry for each successful request, with actor and target, and none for a refused one', () => {
  const entries = allEntries();
  const wrong = seen.flatMap((one) => {
    const { operation, values, caller, answer, requestId } = one;
    const found = entries.filter(({ request_id: id }) => id === requestId);
    const what = `${operation.id} (${answer.status}) ${values.join(' ')}`;
    const isMeant = isDone(one) && !NO_ENTRY.includes(operation.id);
    if (found.length === 0 && MAY_CHANGE_NOTHING.includes(operation.id)) return [];
    if (found.length !== (isMeant ? 1 : 0)) {
      // A wrong password is an attempt, which is recorded.
      const isAttempt = found.every(({ action }) => action === 'auth.signInFailed');
      return isDone(one) || !isAttempt || found.length > 1 ? [`${what}: ${found.length} entries`] : [];
    }
    return found.flatMap((entry) => {
      const problems = [
        ...(entry.action === operation.id ? [] : [`is called ${entry.action}`]),
        ...(entry.actor_id === actors.get(caller) ? [] : [`is of ${entry.actor_id}`]),
        ...(isRightTarget(entry, one) ? [] : [`has the target ${entry.target_id}`]),
      ];
      return problems.map((problem) => `${what} ${problem}`);
    });
  });
  expect(wrong).toEqual([]);
});

/** The first ID of the path, unless it may be a person's address, or the created object of the response. */
function isRightTarget({ target_id: target }: Entry, { operation, values, answer }: Seen): boolean {
  const [value] = values;
  if (operation.path.includes('{id}') && value !== undefined) {
    return target === value || (target === null && value.includes('@'));
  }
  if (target === null) return true;
  return (
    idsIn(answer.text).includes(target) || [...actors.values()].includes(target) || values.includes(target)
  );
}

it('contains no secrets and no personal texts', () => {
  expect(secrets.size).toBeGreaterThan(20);
  const wrong = allEntries().flatMap((entry) => {
    const text = JSON.stringify(entry);
    const told = [...secrets].filter((secret) => text.includes(secret));
    const { values = {} } = JSON.parse(entry.detail) as { values?: Record<string, unknown> };
    const texts = Object.entries(values).filter(([name]) => !TOLD.includes(name));
    const rest = JSON.stringify({ ...entry, detail: texts });
    return [
      ...told.map((secret) => `${entry.action} tells ${secret}`),
      ...(rest.includes(WORD) ? [`${entry.action} tells ${rest}`] : []),
    ];
  });
  expect(wrong).toEqual([]);
});
