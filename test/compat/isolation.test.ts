// Calls every operation of every vendor as all callers without access. Other customers' objects get the same response as missing
// ones, reveal nothing, and do not change. The operations are those that the vendors' folders declare.
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyPermission, Mode } from '../../src/contract/names.js';
import { newId } from '../../src/lib/runtime/index.js';
import { VENDORS } from '../../src/compat/compat.js';
import type { CompatRoute, Vendor } from '../../src/compat/route.js';
import type { Scope } from '../../src/database/scope.js';
import { planApiKey } from '../../src/accounts/api-keys/api-key-plan.js';
import { apiKeySecretHash } from '../../src/accounts/api-keys/api-key-secret.js';
import { apiKeys } from '../../src/accounts/api-keys/api-keys.tables.js';
import { newSesSecret } from '../../src/accounts/api-keys/ses-credentials.js';
import { update } from '../../src/database/rows.js';
import { environmentRowId } from '../../src/accounts/workspace-plan.js';
import { startFullApi, type FullApiRig } from '../support/program.js';
import { comparable, isId, leaksOf, unknownLike } from '../support/isolation-answers.js';
import {
  bearer,
  createAsk,
  fill,
  type Ask,
  type Asked,
  type Caller,
  type World,
} from '../support/isolation-world.js';
import { sized } from '../support/run-size.js';
import { sesBody, signSes, type SesCredentials } from '../support/ses-client.js';

const PARAMETER = /:(\w+)/g;
const READING = ['GET'];

let rig: FullApiRig;
let ask: Ask;
let victim: World;
let tenant: World;
let tenantId: string;
let other: World;
let secondLive: string;
/** By the id of an endpoint, where it is not our own. */
const formats = new Map<string, string>();

type Asking = CompatRoute & { action?: string };
const routes: { vendor: Vendor; route: Asking; name: string }[] = VENDORS.flatMap((vendor) =>
  [...vendor.routes, ...(vendor.actions?.routes ?? [])].map((route: Asking) => ({
    vendor,
    route,
    name: `${route.method} /compat/${vendor.name}${route.path} ${route.action ?? ''}`.trim(),
  })),
);

beforeAll(async () => {
  rig = await startFullApi({ env: { MAILKEEL_RATE_LIMIT_AUTH_FAILURES: '0' } });
  ask = createAsk(rig);
  const operator = bearer('operator', rig.liveKey);
  const made = await ask(operator, {
    method: 'POST',
    url: '/v1/workspaces',
    body: { name: 'Second', api_keys: true },
  });
  const { id, api_keys: keys } = made.json as { id: string; api_keys: { mode: Mode; secret: string }[] };
  secondLive = keys.find(({ mode }) => mode === 'live')?.secret ?? '';
  const scope = { ...(await rig.store.accounts.environmentOf(id, 'live')), subTenantId: null };
  await ask(operator, {
    method: 'PATCH',
    url: '/v1/organization',
    body: { postal_address: '1 High Street' },
  });
  victim = await fill(rig, ask, { word: 'marzipan', caller: bearer('owner', secondLive), scope });
  for (const format of ['resend', 'postmark', 'mailgun']) {
    const endpoint = { url: `https://marzipan.example/${format}`, format };
    const hook = await ask(victim.caller, { method: 'POST', url: '/v1/webhook-endpoints', body: endpoint });
    const { id: hookId } = hook.json as { id: string };
    victim.ids.add(hookId);
    formats.set(hookId, format);
  }
  const body = { name: 'nougat', sending_domain: 'mail.nougat.example' };
  const tenantMade = await ask(bearer('owner', secondLive), { method: 'POST', url: '/v1/sub-tenants', body });
  ({ id: tenantId } = tenantMade.json as { id: string });
  const first = { ...(await rig.store.accounts.environmentOf(rig.workspaceId, 'live')), subTenantId: null };
  other = await fill(rig, ask, { word: 'rhubarb', caller: operator, scope: first });
  tenant = { ...victim, scope: { ...scope, subTenantId: tenantId } };
}, 60_000);
afterAll(() => rig.close());

async function newKey(
  scope: Scope,
  wish: { mode?: Mode; permission?: KeyPermission; pinned?: boolean },
): Promise<string> {
  const { mode = 'live', permission = 'full', pinned = false } = wish;
  const { secret, change } = planApiKey(
    {
      ...{ environmentId: environmentRowId(scope.workspaceNumber, mode), mode, name: 'Asking', permission },
      ...(pinned ? { subTenantId: tenantId } : {}),
    },
    rig.clock(),
  );
  await rig.store.commit([change]);
  return secret;
}

/** The caller as this vendor's clients name a key. */
function asVendor({ name }: Vendor, caller: Caller): Caller {
  const { authorization = '' } = caller.headers;
  const key = authorization.replace('Bearer ', '');
  if (name === 'postmark')
    return { ...caller, headers: key === '' ? {} : { 'x-postmark-server-token': key } };
  if (name !== 'mailgun' || key === '') return caller;
  return { ...caller, headers: { authorization: `Basic ${Buffer.from(`api:${key}`).toString('base64')}` } };
}

/** By the secret of the key. */
const credentials = new Map<string, Promise<SesCredentials>>();

async function makeSesCredentials(secret: string): Promise<SesCredentials> {
  const known = await rig.store.accounts.credential(apiKeySecretHash(secret));
  if (known === null) return { access_key_id: 'key_unknown', secret_access_key: 'x' };
  const { secret: secretAccessKey, sealed } = newSesSecret(rig.keys.masterKey, known.keyId);
  const set = { ses_secret_sealed: sealed, ses_credentials_at: rig.clock() };
  await rig.store.commit([update(apiKeys, { set, where: { id: known.keyId } })]);
  rig.parts.api.forgetCredential(known.keyId);
  return { access_key_id: known.keyId, secret_access_key: secretAccessKey };
}

/** The request as a client of SES signs it with the credentials of the caller's key. */
async function askSigned(caller: Caller, route: Asking, path: string): Promise<Asked> {
  const { authorization, ...others } = caller.headers;
  const { body, type } = sesBody(route, route.example);
  const url = `/compat/ses${path}`;
  const headers = {
    ...others,
    host: 'localhost',
    ...(body === undefined ? {} : { 'content-type': type }),
  };
  const secret = authorization?.replace('Bearer ', '');
  const request = { method: route.method, url: `http://localhost${url}`, headers, body };
  if (secret !== undefined && !credentials.has(secret)) credentials.set(secret, makeSesCredentials(secret));
  const own = await credentials.get(secret ?? '');
  const signed = own === undefined ? headers : await signSes(own, request, { at: rig.clock() });
  return ask(
    { ...caller, headers: { ...signed, host: 'localhost' } },
    { method: route.method, url, contentType: type, ...(body === undefined ? {} : { body }) },
  );
}

function asked(
  { vendor, route }: (typeof routes)[number],
  caller: Caller,
  values: readonly string[],
): Promise<Asked> {
  let at = 0;
  const path = route.path.replace(PARAMETER, () => encodeURIComponent(values[at++] ?? 'x'));
  if (vendor.signed !== undefined) return askSigned(caller, route, path);
  const needed = route.path === '/v3/stats' ? '?start_date=2030-01-01' : '';
  const query =
    route.path === '/v3/marketing/contacts' && route.method === 'DELETE'
      ? `?ids=${values[0] ?? 'x'}`
      : needed;
  return ask(asVendor(vendor, caller), {
    method: route.method,
    url: `/compat/${vendor.name}${path}${query}`,
    ...(route.example === undefined ? {} : { body: route.example }),
  });
}

/** Rows with one of these ids, without fields that only record a request. */
function rowsOf({ ids }: World): string[] {
  const database = new Database(rig.databaseFile, { readonly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .pluck()
    .all() as string[];
  const found = tables.flatMap((table) => {
    const columns = (database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
    const id = ['public_id', 'id'].find((name) => columns.includes(name));
    if (id === undefined) return [];
    const rows = database.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[];
    return rows
      .filter((row) => ids.has(String(row[id])))
      .map((row) =>
        JSON.stringify([
          table,
          { ...row, last_used_at: null, api_version: null, counted_at: null, contacts: 0 },
        ]),
      );
  });
  database.close();
  return found.sort();
}

/** A vendor's clients see the endpoints of its own format. The small size does not request the others. */
function isSeenBy({ name }: Vendor, endpoint: string): boolean {
  const format = formats.get(endpoint) ?? name;
  return sized({ small: format === name, full: true });
}

/** The victim's values that a request may name: ids of every kind, and names. */
function namesOf({ ids, word }: World, vendor: Vendor): string[] {
  const kinds = ['msg', 'tpl', 'cnt', 'lst', 'snd', 'sup'];
  const one = kinds.flatMap((kind) => [...ids].filter((id) => id.startsWith(`${kind}_`)).slice(0, 1));
  const endpoints = [...ids].filter((id) => id.startsWith('whe_') && isSeenBy(vendor, id));
  return [
    ...one,
    ...endpoints,
    `${word}-one`,
    `ann@${word}.example`,
    `gone@${word}.example`,
    `${word}.example`,
  ];
}

/** The possible meanings of a path's parameters. */
const MEANT: [word: RegExp, values: RegExp][] = [
  [/\b(emails|messages|bounces)\b/, /^msg_/],
  [/\bcontacts\b/, /^cnt_|@/],
  [/\b(segments|audiences|lists)\b/, /^lst_/],
  [/\btemplates\b/, /^tpl_|-one$/],
  [/\b(identities)\b/, /^[^@]+\.example$/],
  [/\b(suppressions?|bounces|complaints|spam_reports|unsubscribes)\b/, /^sup_|@/],
  [/\bwebhooks\b/, /^whe_/],
  [/\bdomains\b/, /^snd_|^[^@]+\.example$/],
];

/** The values for an operation: in the small size the possible ones and one impossible one. */
function askedFor({ vendor, route }: (typeof routes)[number], of: World): string[] {
  const values = namesOf(of, vendor);
  const meant = MEANT.filter(([word]) => word.test(route.path));
  if (meant.length === 0) return values;
  const isMeant = (value: string): boolean => meant.some(([, pattern]) => pattern.test(value));
  const another = values.filter((value) => !isMeant(value)).slice(0, 1);
  return sized({ small: [...values.filter(isMeant), ...another], full: values });
}

/** A domain or stream before a list selects no object, because lists are always those of the key. */
const placesOf = ({ path }: CompatRoute): number =>
  (
    path
      .replace(/^\/(v3\/:domain|v3\/domains\/:domain(?=\/webhooks)|message-streams\/:stream)\//, '/')
      .match(PARAMETER) ?? []
  ).length;

interface Unknown {
  unknown: Asked;
  twin: string;
}

/** The response about a nonexistent object with an ID of the same form. */
async function unknownOf(one: (typeof routes)[number], caller: Caller, value: string): Promise<Unknown> {
  const twin = unknownLike(value);
  const values = (one.route.path.match(PARAMETER) ?? []).map(() => twin);
  return { twin, unknown: await asked(one, caller, values) };
}

/** Unknown ids get the same response, except those of suppressions, which some vendors also identify by address. */
function formOf(value: string): string {
  if (isId(value)) return value.startsWith('sup_') ? 'suppression' : 'id';
  return value.includes('@') ? 'address' : value;
}

describe('objects of others', () => {
  const attackers: [string, () => Promise<{ caller: Caller; of: World }>][] = [
    ["another workspace's key", () => Promise.resolve({ caller: other.caller, of: victim })],
    [
      'a test key of the workspace',
      async () => ({ caller: bearer('test', await newKey(victim.scope, { mode: 'test' })), of: victim }),
    ],
    [
      'a key that is pinned to a sub-tenant',
      async () => ({ caller: bearer('pinned', await newKey(tenant.scope, { pinned: true })), of: victim }),
    ],
    [
      "another workspace's test key",
      () => Promise.resolve({ caller: bearer('other in test', rig.testKey), of: victim }),
    ],
  ];

  // The last one may do least.
  it.each(attackers.slice(0, sized({ small: 3, full: 4 })))(
    'are refused to %s like missing ones',
    async (who, make) => {
      const { caller, of } = await make();
      const before = rowsOf(of);
      expect(before.length).toBeGreaterThan(10);
      // Sub-tenants use the templates and senders of their workspace, and test keys those of live.
      const isShared = (value: string): boolean =>
        !who.startsWith('another') && /^(tpl|snd)_|-one$|^marzipan\.example$/.test(value);
      const wrong: string[] = [];
      for (const one of routes.filter(({ route }) => placesOf(route) > 0)) {
        const unknowns = new Map<string, Unknown>();
        for (const value of askedFor(one, of).filter((each) => !isShared(each))) {
          const values = (one.route.path.match(PARAMETER) ?? []).map(() => value);
          const answer = await asked(one, caller, values);
          const form = sized({ small: formOf(value), full: value });
          const { unknown, twin } = unknowns.get(form) ?? (await unknownOf(one, caller, value));
          unknowns.set(form, { unknown, twin });
          const what = `${one.name} of ${value}`;
          wrong.push(...leaksOf(answer, [of], value).map((leak) => `${what} shows ${leak}`));
          if (comparable(answer, [value]) !== comparable(unknown, [twin])) {
            wrong.push(
              `${what} answers ${answer.status} ${answer.text}, of an unknown one ${unknown.status} ${unknown.text}`,
            );
          }
        }
      }
      for (const one of routes.filter(({ route }) => placesOf(route) === 0)) {
        const contacts = [...of.ids].filter((id) => id.startsWith('cnt_')).slice(0, 1);
        const answer = await asked(one, caller, contacts);
        const shown =
          isShared('tpl_') && /templates|domains|identities/i.test(one.name)
            ? []
            : leaksOf(answer, [of], contacts.join());
        wrong.push(...shown.map((leak) => `${one.name} shows ${leak}`));
      }
      expect(wrong).toEqual([]);
      expect(rowsOf(of)).toEqual(before);
    },
    120_000,
  );
});

describe('missing permission', () => {
  const refusedAll = async (caller: Caller, isMeant: (route: CompatRoute) => boolean, status: number) => {
    const wrong: string[] = [];
    for (const one of routes.filter(({ route }) => isMeant(route))) {
      const answer = await asked(one, caller, ['x', 'y']);
      // AWS refuses a missing or wrong signature like a missing permission.
      const expected = one.vendor.signed === undefined ? status : 403;
      if (answer.status !== expected) wrong.push(`${one.name} answers ${answer.status} ${answer.text}`);
    }
    expect(wrong).toEqual([]);
  };

  it("refuses everything without a key, with a wrong one, and with a person's session", async () => {
    await refusedAll({ name: 'nobody', headers: {} }, () => true, 401);
    await refusedAll({ name: 'nobody', headers: { cookie: 'mailkeel_session=x' } }, () => true, 401);
    await refusedAll(bearer('guess', `${secondLive.slice(0, -4)}aaaa`), () => true, 401);
  });

  it('refuses changes with a read key, and everything but mail with a send key', async () => {
    const read = bearer('read', await newKey(victim.scope, { permission: 'read' }));
    await refusedAll(
      read,
      ({ method, permission }) => !READING.includes(method) && permission !== 'read',
      403,
    );
    const send = bearer('send', await newKey(victim.scope, { permission: 'send' }));
    await refusedAll(send, ({ permission }) => permission !== 'send', 403);
  });

  it('ignores the internal header of handed-over requests from outside', async () => {
    const headers = { 'x-handed-over': newId('msg', rig.clock()) };
    const answer = await ask(
      { ...other.caller, headers: { ...other.caller.headers, ...headers } },
      {
        ...{ method: 'POST', url: '/v1/messages', body: { to: 'x' } },
      },
    );
    expect(answer.status).toBe(422);
  });
});
