// Webhook endpoints: create, change and delete them, and replace their signing secrets.
import type { Static } from 'typebox';
import type { WebhookEvent, WebhookFormat } from '../contract/names.js';
import { invalidFields, Refusal } from '../contract/refusal.js';
import { changeTime } from '../contract/time.js';
import { type ChangeGuard, insert, update } from '../database/rows.js';
import type { Scope } from '../database/scope.js';
import { newId } from '../lib/runtime/index.js';
import { BEING_DELETED, DISABLED_BY_REQUEST } from './disabled.rules.js';
import { readEventNames, type webhookEndpointCreate, type webhookEndpointPatch } from './endpoint.schema.js';
import { newEndpointSecret, openEndpointSecret, rotatedColumns, urlColumns } from './endpoint-secret.js';
import type { VendorFormats } from './format.rules.js';
import type { Config } from '../settings/settings.js';
import type { WebhookContext } from './context.js';
import type { WebhookStores } from './stores.js';
import { type WebhookEndpoint, webhookEndpoints } from './webhooks.tables.js';

const MAX_ENDPOINTS = 50;
const BATCH = 1_000;
const CHANGED = {
  code: 'conflict',
  message: 'The webhook endpoint was changed by another request. Try again.',
} as const;
const LISTEN_ADVICE =
  'To receive events on your own machine, run `mailkeel listen --forward-to URL`. It does not need an endpoint. On a private network, the operator sets MAILKEEL_WEBHOOK_ALLOW_PRIVATE=true.';

/** Refused with `not_found` outside of the scope. */
export async function readEndpoint(
  store: Pick<WebhookStores, 'webhooks'>,
  scope: Scope,
  id: string,
): Promise<WebhookEndpoint> {
  const endpoint = await store.webhooks.endpoint(scope, id);
  if (!endpoint) throw new Refusal('not_found');
  return endpoint;
}

/** Returns the new endpoint and its signing secret. `scope` is narrowed to its sub-tenant. */
export async function createEndpoint(
  context: Pick<WebhookContext, 'store' | 'masterKey' | 'formats' | 'clock' | 'checkUrl'>,
  scope: Scope,
  given: Static<typeof webhookEndpointCreate>,
): Promise<{ row: WebhookEndpoint; secret: string }> {
  await refuseUnknownInboxes(context.store, scope, { ids: given.inbox_ids, before: null });
  const { row, secret } = await planEndpoint(context, scope, given);
  await context.store.commit([insert(webhookEndpoints, { row })]);
  return { row, secret };
}

/** Returns the row of a new endpoint and its signing secret. */
export async function planEndpoint(
  {
    store,
    masterKey,
    formats,
    clock,
    checkUrl,
  }: Pick<WebhookContext, 'masterKey' | 'formats' | 'clock' | 'checkUrl'> & {
    store: Pick<WebhookStores, 'webhooks'>;
  },
  scope: Scope,
  given: Static<typeof webhookEndpointCreate>,
): Promise<{ row: WebhookEndpoint; secret: string }> {
  const { description = null, format = 'service', payload = 'thin' } = given;
  const events = eventsColumn(given.events ?? null, format, formats);
  const now = clock();
  const id = newId('whe', now);
  const address = urlColumns(masterKey, { id, url: '', credentials_sealed: null }, given.url);
  await refuseForbiddenUrl(checkUrl, address.url);
  const others = await store.webhooks.endpointsOfEnvironment(scope.environmentId);
  if (others.length >= MAX_ENDPOINTS) {
    throw new Refusal(
      'conflict',
      `Each environment of a workspace can have up to ${MAX_ENDPOINTS} webhook endpoints.`,
    );
  }
  const { secret, sealed } = newEndpointSecret(masterKey, id);
  const row: WebhookEndpoint = {
    id,
    environment_id: scope.environmentId,
    sub_tenant_id: scope.subTenantId,
    ...address,
    description,
    events,
    inbox_ids: inboxesColumn(given.inbox_ids ?? null),
    format,
    payload,
    status: 'enabled',
    disabled_reason: null,
    consecutive_failures: 0,
    last_success_at: null,
    secret_sealed: sealed,
    previous_secret_sealed: null,
    previous_secret_until: null,
    public_key: formats[format]?.publicKeyOf?.(secret) ?? null,
    created_at: now,
    updated_at: now,
  };
  return { row, secret };
}

/** Changes the given fields. Deliveries that wait for an endpoint become due when it is enabled. */
export async function changeEndpoint(
  {
    store,
    masterKey,
    formats,
    clock,
    checkUrl,
    notifyDeliveries,
  }: Pick<WebhookContext, 'store' | 'masterKey' | 'formats' | 'clock' | 'checkUrl' | 'notifyDeliveries'>,
  scope: Scope,
  {
    before,
    change,
    guard,
  }: { before: WebhookEndpoint; change: Static<typeof webhookEndpointPatch>; guard: ChangeGuard },
): Promise<void> {
  const { url, events, inbox_ids: inboxIds, description, payload, status, format = before.format } = change;
  const column = events === undefined ? undefined : eventsColumn(events, format, formats);
  if (column === undefined) refuseUnsupported(before, format, formats);
  const ofEndpoint = { ...scope, subTenantId: before.sub_tenant_id };
  await refuseUnknownInboxes(store, ofEndpoint, { ids: inboxIds, before: before.inbox_ids });
  const address = url === undefined ? null : urlColumns(masterKey, before, url);
  if (address !== null) await refuseForbiddenUrl(checkUrl, address.url);
  const now = clock();
  const set = {
    ...address,
    ...(column === undefined ? {} : { events: column }),
    ...(inboxIds === undefined ? {} : { inbox_ids: inboxesColumn(inboxIds) }),
    ...(description === undefined ? {} : { description }),
    ...(format === before.format ? {} : formatColumns(before, format, { formats, masterKey })),
    ...(payload === undefined ? {} : { payload }),
    ...statusColumns(before, status),
    updated_at: changeTime(before, now),
  };
  const { id, secret_sealed } = before;
  const where = { id, ...guard.where };
  // A public key belongs to the secret and the format.
  const version =
    format === before.format
      ? ({ where, otherwise: guard.otherwise ?? { code: 'not_found' } } as const)
      : {
          where: { ...where, secret_sealed, format: before.format },
          otherwise: guard.otherwise ?? CHANGED,
        };
  // Before attempts resume, or an event whose retry is due could overtake an earlier event of its message.
  if (before.status === 'disabled' && status === 'enabled') await hasten(store, id, now);
  await store.commit([update(webhookEndpoints, { set, ...version })]);
  notifyDeliveries();
}

/** Deletes an endpoint and its delivery log. */
export async function deleteEndpoint(
  { store, clock, notifyDeliveries }: Pick<WebhookContext, 'store' | 'clock' | 'notifyDeliveries'>,
  { id }: Pick<WebhookEndpoint, 'id'>,
  guard: ChangeGuard,
): Promise<void> {
  // Disabled first, because its log takes many transactions to delete. After an interruption, it can be deleted again.
  const set = {
    status: 'disabled',
    disabled_reason: BEING_DELETED,
    updated_at: clock(),
  } as const;
  const where = { id, ...guard.where };
  const otherwise = guard.otherwise ?? { code: 'not_found' };
  await store.commit([update(webhookEndpoints, { set, where, otherwise })]);
  notifyDeliveries();
  while (!(await store.webhooks.deleteEndpoint(id, BATCH)));
}

/** Replaces the secret. The former one still signs for a while (`webhookSecretOverlapMs`). */
export async function rotateSecret(
  {
    store,
    masterKey,
    formats,
    clock,
    notifyDeliveries,
    config,
  }: Pick<WebhookContext, 'store' | 'masterKey' | 'formats' | 'clock' | 'notifyDeliveries'> & {
    config: Pick<Config, 'webhookSecretOverlapMs'>;
  },
  before: WebhookEndpoint,
): Promise<{ row: WebhookEndpoint; secret: string }> {
  const { id } = before;
  const now = clock();
  const { secret, sealed } = newEndpointSecret(masterKey, id);
  const set = {
    ...rotatedColumns(sealed, before, { now, overlapMs: config.webhookSecretOverlapMs }),
    public_key: formats[before.format]?.publicKeyOf?.(secret) ?? null,
    updated_at: now,
  };
  await store.commit([
    update(webhookEndpoints, {
      set,
      // Of two concurrent rotations, one is refused, because a secret that was returned must be valid.
      where: { id, secret_sealed: before.secret_sealed, format: before.format },
      otherwise: {
        code: 'conflict',
        message: 'The webhook endpoint was changed by another request.',
      },
    }),
  ]);
  notifyDeliveries();
  return { row: { ...before, ...set }, secret };
}

/** Makes deliveries that wait for a later retry due now. */
async function hasten(
  store: Pick<WebhookStores, 'webhooks'>,
  endpointId: string,
  now: number,
): Promise<void> {
  while ((await store.webhooks.hastenDeliveries(endpointId, now, BATCH)) === BATCH);
}

async function refuseForbiddenUrl(checkUrl: WebhookContext['checkUrl'], url: string): Promise<void> {
  const problem = await checkUrl(url);
  if (problem === null) return;
  const message = problem.includes('public address') ? `${problem} ${LISTEN_ADVICE}` : problem;
  throw new Refusal('webhook_url_not_allowed', message, { param: 'url' });
}

function inboxesColumn(ids: readonly string[] | null): string | null {
  return ids === null ? null : JSON.stringify([...new Set(ids)]);
}

/** Ids in `before` pass, because an inbox may have been deleted since it was chosen. */
async function refuseUnknownInboxes(
  store: Pick<WebhookStores, 'inboxes'>,
  scope: Scope,
  { ids, before }: { ids: readonly string[] | null | undefined; before: string | null },
): Promise<void> {
  if (ids === null || ids === undefined) return;
  const chosen = before === null ? [] : (JSON.parse(before) as string[]); // written by the API only
  const added = ids.filter((id) => !chosen.includes(id));
  const known = await store.inboxes.knownInboxes(scope, added);
  const unknown = added.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  const message =
    scope.subTenantId === null
      ? 'is not an inbox of this environment'
      : "is not an inbox of the endpoint's sub-tenant";
  throw invalidFields(unknown.map((id) => ({ path: `inbox_ids.${ids.indexOf(id)}`, message })));
}

/** `null` stays `null`, the default set, which later releases may extend. */
function eventsColumn(
  names: readonly string[] | null,
  format: WebhookFormat,
  formats: VendorFormats,
): string | null {
  if (names === null) return null;
  const read = readEventNames(names);
  if (!read.ok) {
    const message = `${JSON.stringify(read.name.slice(0, 100))} is not a known event`;
    throw invalidFields([{ path: `events.${read.index}`, message }]);
  }
  const supported = formats[format]?.events;
  const unsupported =
    supported === undefined ? [] : names.filter((name) => !supported.some((one) => one === name));
  const problems = unsupported.map((name) => ({
    path: `events.${names.indexOf(name)}`,
    message: `${name} is not available in the format ${format}`,
  }));
  if (problems.length > 0) throw invalidFields(problems);
  return JSON.stringify(read.events satisfies WebhookEvent[]);
}

/** Refuses a new format that lacks events which the endpoint receives. */
function refuseUnsupported({ events }: WebhookEndpoint, format: WebhookFormat, formats: VendorFormats): void {
  const supported = formats[format]?.events;
  if (supported === undefined || events === null) return;
  const names = JSON.parse(events) as WebhookEvent[]; // written by the API only
  const unsupported = names.filter((name) => !supported.includes(name));
  if (unsupported.length === 0) return;
  const message = `does not have ${unsupported.join(', ')}, which the endpoint receives. Also pass events`;
  throw invalidFields([{ path: 'format', message }]);
}

function formatColumns(
  { id, secret_sealed: sealed }: WebhookEndpoint,
  format: WebhookFormat,
  { formats, masterKey }: Pick<WebhookContext, 'formats' | 'masterKey'>,
): Pick<WebhookEndpoint, 'format' | 'public_key'> {
  const publicKeyOf = formats[format]?.publicKeyOf;
  return { format, public_key: publicKeyOf?.(openEndpointSecret(masterKey, id, sealed)) ?? null };
}

function statusColumns(
  before: WebhookEndpoint,
  status: WebhookEndpoint['status'] | undefined,
): Partial<Pick<WebhookEndpoint, 'status' | 'disabled_reason' | 'consecutive_failures'>> {
  if (status === 'enabled') return { status, disabled_reason: null, consecutive_failures: 0 };
  if (status === undefined || before.status === 'disabled') return {};
  return { status, disabled_reason: DISABLED_BY_REQUEST };
}
