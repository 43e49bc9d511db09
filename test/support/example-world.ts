// A workspace with an object for every operation of the OpenAPI document, and a walk that sends the example of each. References,
// times, addresses and codes in an example are replaced by those of the workspace.
import { generateSync } from 'otplib';
import { newId } from '../../src/lib/runtime/index.js';
import { Passwords } from '../../src/accounts/people/passwords.js';
import { planPerson } from '../../src/accounts/people/person.js';
import { jsonBodyOf, type Operation } from './api-operations.js';
import { harvest, pathOf, valuesOf, type Place } from './api-places.js';
import type { FullApiRig } from './program.js';
import { bearer, createAsk, fill, type Ask, type Asked, type Caller } from './isolation-world.js';
import { inboxForwards } from '../../src/messages/inboxes/forwards.tables.js';
import { overrides } from '../../src/outbound/outbound.tables.js';
import { insert, update } from '../../src/database/rows.js';
import { senders, dkimKeys } from '../../src/domains/domains.tables.js';
import { recordAttempt } from '../../src/messages/message-changes.store.js';

/** The address in the examples of the documents. */
const EMAIL = 'ann@example.com';
const PASSWORD = 'four words of your own';
const WORD = 'customer';

const ID = /^([a-z]{2,4})_[0-9a-z]{26}$/;
const TIMES = ['send_at', 'scheduled_at', 'expires_at'];
const OF_PEOPLE = /^(auth|members|invitations|approvals)\./;
/** Operations that must follow others of their kind. */
const LATE = [
  ...['campaigns.send', 'campaigns.pause', 'campaigns.resume', 'campaigns.resendInDoubt'],
  ...['auth.beginTotp', 'auth.confirmTotp', 'auth.disableTotp', 'auth.endOtherSessions'],
  ...['auth.signOut'],
];

/** As if the confirmations of forwarding addresses had been mailed long ago, so that they can be mailed again. */
async function forgetConfirmations({ store, clock }: FullApiRig): Promise<void> {
  const set = { confirmation_expires_at: clock() };
  await store.commit([update(inboxForwards, { set, where: { confirmed_at: null } })]);
}

export interface Shown {
  operation: Operation;
  answer: Asked;
}

type Body = Record<string, unknown>;

/**
 * Sends the example of every operation; returns the first successful response, or else the last refusal. After each example come
 * its variants, further bodies derived from it, regardless of their responses. Every request has `headers`.
 */
export async function sendExamples(
  rig: FullApiRig,
  operations: readonly Operation[],
  variantsOf: (operation: Operation, body: Body) => Body[] = () => [],
  headers: Readonly<Record<string, string>> = {},
): Promise<Shown[]> {
  const send = createAsk(rig);
  const ask: Ask = (caller, request) =>
    send(caller, { ...request, headers: { ...headers, ...request.headers } });
  const operator = bearer('operator', rig.liveKey);
  const nobody: Caller = { name: 'nobody', headers: {} };
  await seed(rig, ask, operator);
  const signIn = { method: 'POST', url: '/v1/auth/sign-in', body: { email: EMAIL, password: PASSWORD } };
  const person = personOf(await ask(nobody, signIn));
  const guest = { email: 'viewer@example.com', role: 'viewer' };
  await ask(person, { method: 'POST', url: '/v1/invitations', body: guest });
  const shown = new Map<string, Asked>();
  let places: Place[] = [];

  function callerOf({ id, isPublic }: Operation): Caller {
    if (OF_PEOPLE.test(id)) return isPublic ? nobody : person;
    return isPublic ? nobody : operator;
  }

  /** The JSON of an earlier response. */
  const told = (id: string): Body => (shown.get(id)?.json ?? {}) as Body;

  /** Fields that only this workspace knows, by operation. */
  const own: Record<string, () => Body> = {
    'approvals.approve': () => ({ content_hash: submittedApproval(places)['content_hash'] }),
    'auth.signIn': () => ({ totp: undefined }),
    'auth.changePassword': () => ({ current: PASSWORD, new: PASSWORD }),
    'auth.confirmTotp': () => ({ code: codeOf(told('auth.beginTotp')['secret'], rig.clock(), -1) }),
    'auth.disableTotp': () => ({ code: codeOf(told('auth.beginTotp')['secret'], rig.clock(), 0) }),
    'auth.pollDevice': () => ({ device_code: told('auth.startDevice')['device_code'] }),
    'invitations.create': () => ({ email: 'guest@example.com' }),
    'invitations.view': () => ({ token: tokenOf(told('invitations.create')) }),
    'invitations.accept': () => ({ token: tokenOf(told('invitations.create')) }),
    'proofs.verify': () => told('messages.getProof'),
    'lists.subscribe': () => ({ email: 'dora@example.com' }),
    'inboxes.create': () => ({ domain: `reply.${WORD}.example` }),
    ...{ 'drafts.update': () => ({ version: undefined }), 'drafts.send': () => ({ version: undefined }) },
    'senders.create': () => ({ domain: 'other.example' }),
    'campaigns.test': () => ({ email: `ann@${WORD}.example` }),
    'campaigns.putOverride': () => ({ email: `ann@${WORD}.example` }),
    'sequences.enroll': () => ({ email: `bob@${WORD}.example` }),
  };

  async function show(operation: Operation): Promise<void> {
    const [type] = Object.keys(operation.bodies);
    const example = type === undefined ? undefined : bodyOf(operation, type);
    if (operation.id === 'campaigns.pause') places.push(...(await sentCampaign(ask, operator, places)));
    if (operation.id === 'inboxes.confirmForward') await forgetConfirmations(rig);
    if (operation.path.includes('{user_code}')) places.push(await waitingDevice(ask));
    for (const values of valuesOf(operation, placesOf(operation, places), 20)) {
      const body = isObject(example)
        ? { ...(adapted(example, places, rig.clock()) as Body), ...own[operation.id]?.() }
        : adapted(example, places, rig.clock());
      const sendBody = (content: unknown): Promise<Asked> =>
        ask(callerOf(operation), {
          method: operation.method,
          url: pathOf(operation, values) + queryOf(operation),
          ...(content === undefined ? {} : { body: content }),
          ...(type === undefined ? {} : { contentType: type }),
        });
      const answer = await sendBody(body);
      shown.set(operation.id, answer);
      if (answer.status >= 300) continue;
      if (isObject(body)) for (const variant of variantsOf(operation, body)) await sendBody(variant);
      return;
    }
  }

  const usable = operations.filter(({ streams }) => !streams);
  for (const phase of [0, 1, 2, 3, 4, 5]) {
    // A changed password has ended other sessions.
    await ask(nobody, signIn);
    places = await harvest(ask, operations, operator);
    places.push(
      ...(await harvest(
        ask,
        operations.filter(({ id }) => OF_PEOPLE.test(id)),
        person,
      )),
    );
    const now = usable.filter((operation) => phaseOf(operation) === phase);
    for (const operation of now.toSorted((a, b) => orderOf(a) - orderOf(b))) await show(operation);
  }
  return usable.flatMap((operation) => {
    const answer = shown.get(operation.id);
    return answer === undefined ? [] : [{ operation, answer }];
  });
}

/** An approval whose message was not edited. All have the same content. */
function submittedApproval(places: readonly Place[]): Body {
  return places.find(({ path, item }) => path === '/v1/approvals' && item['version'] === 1)?.item ?? {};
}

/** A program that waits for a person's authorization. */
export async function waitingDevice(ask: Ask): Promise<Place> {
  const body = { client_name: 'mailkeel CLI' };
  const nobody: Caller = { name: 'nobody', headers: {} };
  const started = await ask(nobody, { method: 'POST', url: '/v1/auth/device', body });
  return { path: '/v1/auth/device', item: started.json as Place['item'] };
}

/** The calling person keeps their role, and their own session until the end. */
function placesOf({ id }: Operation, places: readonly Place[]): readonly Place[] {
  if (id.startsWith('members.')) return places.filter(({ item }) => item['email'] !== EMAIL);
  return id === 'auth.endSession' ? places.filter(({ item }) => item['is_current'] !== true) : places;
}

/** A campaign that is being sent, a copy of the first, which remains a draft. */
async function sentCampaign(ask: Ask, operator: Caller, places: readonly Place[]): Promise<Place[]> {
  const first = places.findLast(({ path }) => path === '/v1/campaigns')?.item ?? {};
  const [list_id, template_id, from] = [first['list_id'], first['template_id'], first['from']];
  const body = { name: 'April newsletter', list_id, template_id, from };
  const made = await ask(operator, { method: 'POST', url: '/v1/campaigns', body });
  const { id } = made.json as { id: string };
  await ask(operator, { method: 'POST', url: `/v1/campaigns/${id}/send` });
  return [{ path: '/v1/campaigns', item: { id } }];
}

/** A limit set by a mail host; read when the program starts. */
export async function addOverride(store: FullApiRig['store']): Promise<void> {
  const now = Date.now();
  const row = {
    ...{
      id: newId('ovr', now),
      path: 'default > google',
      provider: 'google',
      site: 'mx.example',
      source: 'default',
    },
    ...{
      kind: 'rate' as const,
      value: '10',
      sub_tenant_key: '',
      rule: 'too-fast',
      reason: 'Requested by the receiving host',
    },
    ...{ reply: '450 4.7.1 Slow down', created_at: now, expires_at: now + 86_400_000 },
  };
  await store.commit([insert(overrides, { row })]);
}

async function seed(rig: FullApiRig, ask: Ask, operator: Caller): Promise<void> {
  const passwordHash = await new Passwords().hash(PASSWORD);
  for (const email of [EMAIL, 'bob@example.com']) {
    const who = {
      email,
      name: null,
      passwordHash,
      organizationId: rig.organizationId,
      role: 'owner' as const,
    };
    await rig.store.commit(planPerson(who, rig.clock()).plan);
  }
  const scope = { ...(await rig.store.accounts.environmentOf(rig.workspaceId, 'live')), subTenantId: null };
  const body = { postal_address: '1 High Street' };
  await ask(operator, { method: 'PATCH', url: '/v1/organization', body });
  const { made, ids } = await fill(rig, ask, { word: WORD, caller: operator, scope });
  if (made.length === 0) throw new Error('Nothing was made.');
  const now = rig.clock();
  const make = async (path: string, body: Body): Promise<string> => {
    const { status, text, json } = await ask(operator, { method: 'POST', url: path, body });
    if (status >= 300) throw new Error(`${path}: ${text}`);
    return (json as { id: string }).id;
  };
  const address = await make('/v1/senders', { email: `news@${WORD}.example`, name: 'Customer' });
  const set = { status: 'verified' as const, verified_at: now };
  await rig.store.commit([update(senders, { set, where: { id: address } })]);
  await make(`/v1/senders/${address}/default`, {});
  const owner_id = await make('/v1/sub-tenants', { name: 'Shop', sending_domain: 'shop.example' });
  const signs = { state: 'active' as const, activated_at: now };
  await rig.store.commit([update(dkimKeys, { set: signs, where: { owner_id } })]);
  await make('/v1/templates', { name: 'Welcome again', subject: 'Hello again', text: 'Hello again' });
  await make('/v1/contacts', { email: `bob@${WORD}.example` });
  for (const id of [...ids].filter((one) => one.startsWith('msg_'))) {
    const message = await rig.store.messages.message(scope, id);
    if (message) await attempt(rig, message.id, now);
  }
}

async function attempt(rig: FullApiRig, messageId: number, at: number): Promise<void> {
  const detail = {
    ...{ outcome: 'deferred', phase: 'rcpt', code: 451, enhanced_code: '4.7.1', category: 'greylist' },
    ...{ reply: '451 4.7.1 Greylisted, come back later', source: 'default', via: 'mta' },
    ...{ host: 'mx.example', address: '192.0.2.25', local_address: '192.0.2.1', tls_policy: 'opportunistic' },
    tls: {
      ...{ version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384', verified: true, error: null },
      policy: 'opportunistic',
    },
    ...{ times: { mail: 1, rcpt: 2 }, duration_ms: 20, next_attempt_at: new Date(at + 60_000).toISOString() },
  };
  const conversation = '> RCPT TO:<ann@example.com>\n< 451 4.7.1 Greylisted, come back later';
  await rig.store.commit([
    recordAttempt({
      ...{ messageId, number: 1, at, sessionId: null, detail: JSON.stringify(detail), conversation },
    }),
  ]);
}

function personOf({ headers, json }: Asked): Caller {
  const cookie = String(headers['set-cookie']).split(';')[0] ?? '';
  const { csrf_token: csrf } = json as { csrf_token: string };
  return { name: 'ann', headers: { cookie, 'x-csrf-token': csrf } };
}

function bodyOf(operation: Operation, type: string): unknown {
  const { example } = operation.bodies[type] ?? {};
  if (type === 'application/json') return jsonBodyOf(operation);
  return example;
}

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An example whose references name objects of the workspace, and whose times are in the future. */
function adapted(value: unknown, places: readonly Place[], now: number, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => adapted(one, places, now, key));
  if (isObject(value)) {
    const entries = Object.entries(value).map(
      ([name, one]) => [name, adapted(one, places, now, name)] as const,
    );
    return Object.fromEntries(entries);
  }
  if (typeof value !== 'string') return value;
  if (TIMES.includes(key)) return new Date(now + 7_200_000).toISOString();
  const prefix = ID.exec(value)?.[1];
  if (prefix === undefined) return value;
  const found = places.map(({ item }) => String(item['id'])).filter((id) => id.startsWith(`${prefix}_`));
  // The first list is a segment, which cannot be joined.
  const real =
    prefix === 'lst'
      ? places.find(({ item }) => item['object'] === 'contact_list' && item['filter'] === null)
      : null;
  return real ? String(real.item['id']) : (found[0] ?? value);
}

function queryOf({ id, parameters }: Operation): string {
  // The templates of the world are used.
  if (id === 'templates.delete') return '?force=true';
  const needed = parameters.filter((one) => one.in === 'query' && one.required);
  const email = id === 'campaigns.deleteOverride' ? `ann@${WORD}.example` : EMAIL;
  const values: Readonly<Record<string, string>> = { email, q: WORD };
  const search = needed.map(({ name }) => `${name}=${encodeURIComponent(values[name] ?? '1')}`);
  return search.length === 0 ? '' : `?${search.join('&')}`;
}

/** The phase of an operation: create, change, act, read, end, delete. */
function phaseOf({ id, method, path }: Operation): number {
  if (method === 'DELETE' || id === 'auth.signOut') return 5;
  if (method === 'GET') return 3;
  if (
    /\.(cancel|erase|rotate|revoke|disable|cancelEnrollment|rotateSecret|rotateDkim|verify|accept)$/.test(id)
  )
    return 4;
  if (method === 'PUT' || method === 'PATCH') return 1;
  return path.includes('{') ? 2 : 0;
}

function orderOf({ id, method, path }: Operation): number {
  if (LATE.includes(id)) return 100 + LATE.indexOf(id);
  if (id === 'auth.endSession') return 99;
  return method === 'DELETE' ? 10 - path.split('/').length : 0;
}

function tokenOf({ link }: Body): string {
  return String(link).split('#')[1] ?? '';
}

function codeOf(secret: unknown, now: number, steps: number): string {
  return generateSync({ secret: String(secret), epoch: Math.floor(now / 1000) + 30 * steps });
}
