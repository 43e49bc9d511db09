// Sends requests to a vendor's interface, and collects all of their effects: the response, and the objects of /v1 that they
// created, without values that differ between requests.
import type { CompatRoute, Vendor } from '../../../src/compat/route.js';
import type { Appliance } from '../appliance.js';
import { createSesCredentials, sesBody, signSes, type SesCredentials } from '../ses-client.js';
import type { SchemaField } from './schema-fields.js';
import type { VendorWorld } from './world.js';

/** Undefined for an absent field. A function is called with the world. */
type Value = unknown;
type Values = readonly [Value, Value];
/** `over` is laid over the body, or over each object of a list, for this field alone. */
export type PairRow = Values | { pair: Values; over?: Record<string, unknown>; key?: 'live' };
export type FieldRow =
  | PairRow
  /** A detail of a setting that may only be off: if the setting is on, the request is refused because of the setting. */
  | { partOf: string };

/** `UNIQUE` in any text becomes a unique word for each request. */
export interface RouteTable {
  body?: unknown;
  query?: Readonly<Record<string, string>>;
  /** Parts of the path; called before each request. */
  params?: (world: VendorWorld) => Record<string, string> | Promise<Record<string, string>>;
  /** Puts things in order before each request. */
  before?: (world: VendorWorld) => Promise<unknown>;
  /** Paths of /v1 whose responses are compared as well; `row msg_…` is the row of a message. */
  look?: (answer: unknown, params: Readonly<Record<string, string>>, world: VendorWorld) => string[];
  fields: Readonly<Record<string, FieldRow>>;
  /** Laid over the body for fields that are refused. */
  refused?: Readonly<Record<string, Record<string, unknown>>>;
  /** Deletes the objects that the request created. */
  after?: (answer: unknown, params: Readonly<Record<string, string>>, world: VendorWorld) => Promise<unknown>;
}
export type VendorTable = Readonly<Record<string, RouteTable>>;

interface Observation {
  status: number;
  /** The bytes of the response. */
  text: string;
  /** The response and the objects, for comparison. */
  shown: readonly string[];
}
interface Asked {
  field: SchemaField;
  value: unknown;
  row?: FieldRow;
  /** A switch that is on. */
  on?: string;
}
export type Observer = (
  vendor: Vendor,
  route: CompatRoute,
  table: RouteTable,
  asked: Asked,
) => Promise<Observation>;

/** Begins a place that names a message: the part of its row that no response shows. */
const ROW = 'row ';

export function createObserver(appliance: Appliance, world: VendorWorld): Observer {
  const { test_key: testKey, live_key: liveKey } = appliance.keys;
  let count = 0;

  async function look(path: string): Promise<string> {
    if (path.startsWith(ROW)) {
      const rows = await appliance.query(
        'SELECT require_tls FROM messages WHERE public_id = ?',
        path.slice(ROW.length),
      );
      return JSON.stringify(rows);
    }
    const { status, text } = await appliance.api('GET', path, { key: testKey });
    return `${path} ${status} ${text}`;
  }

  function sent({ method }: CompatRoute, key: string, body: unknown): RequestInit {
    return {
      method,
      headers: {
        ...{ authorization: `Bearer ${key}`, 'x-postmark-server-token': key },
        ...(isForm(body) || body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm(body) ? formOf(body) : JSON.stringify(body) }),
    };
  }

  let credentials: Promise<SesCredentials> | null = null;
  async function signed(route: CompatRoute, url: string, json: unknown): Promise<RequestInit> {
    credentials ??= createSesCredentials(appliance, testKey);
    const { method } = route;
    const { body, type } = sesBody(route, json);
    const headers = body === undefined ? {} : { 'content-type': type };
    const request = { method, url, headers, body };
    return {
      ...{ method, headers: await signSes(await credentials, request) },
      ...(body === undefined ? {} : { body }),
    };
  }

  return async (vendor, route, table, { field: { path }, value: given, row, on }) => {
    const key = row !== undefined && 'key' in row ? liveKey : testKey;
    const unique = `u${++count}x`;
    const own = <T>(value: T): T =>
      (typeof value === 'object' && value !== null && !(value instanceof File)
        ? JSON.parse(
            JSON.stringify(value, (_name, one: unknown) => resolve(one, world)).replaceAll('UNIQUE', unique),
          )
        : typeof value === 'string'
          ? value.replaceAll('UNIQUE', unique)
          : value) as T;
    await table.before?.(world);
    const params = own((await table.params?.(world)) ?? {});
    const value = own(resolve(given, world));
    const extra = (row !== undefined && 'over' in row ? row.over : undefined) ?? {};
    const isQuery = path.startsWith('?');
    const query = new URLSearchParams(own(table.query ?? {}));
    if (isQuery && value !== undefined) query.set(path.slice(1), textOf(value));
    const sound = route.body === undefined ? undefined : own(laidOver(table.body ?? {}, extra));
    const switched = on === undefined ? sound : withValue(sound, `${on}.enable`, true);
    const body = isQuery || switched === undefined ? switched : withValue(switched, path, value);
    const target = route.path.replace(/:(\w+)/g, (_all, name: string) =>
      encodeURIComponent(params[name] ?? 'x'),
    );
    const url = `${appliance.url}/compat/${vendor.name}${target}?${query.toString()}`;
    const answer = await fetch(
      url,
      vendor.signed === undefined ? sent(route, key, body) : await signed(route, url, body),
    );
    const text = await answer.text();
    const json: unknown = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : null;
    const seen = answer.ok
      ? (table.look?.(json ?? { ...Object.fromEntries(answer.headers), text }, params, world) ?? [])
      : [];
    const objects: string[] = [];
    for (const one of seen) objects.push(await look(own(one)));
    await table.after?.(json, params, world);
    const shown = [String(answer.status), text, ...objects].map((one) => steady(one, world));
    return { status: answer.status, text, shown };
  };
}

function resolve(value: unknown, world: VendorWorld): unknown {
  return typeof value === 'function' ? (value as (world: VendorWorld) => unknown)(world) : value;
}

function laidOver(body: unknown, extra: Record<string, unknown>): unknown {
  if (Array.isArray(body)) return body.map((one: object) => ({ ...one, ...extra }));
  return { ...(body as object), ...extra };
}

/** The body with the value at the path: `[]` is the first of a list. */
function withValue(body: unknown, path: string, value: unknown): unknown {
  const whole: Record<string, unknown> = { root: body };
  const steps = path.split('.').flatMap((part) => {
    const [name = '', ...lists] = part.split('[]');
    return [...(name === '' ? [] : [name]), ...lists.map(() => 0)];
  });
  let [at, place]: [Record<string, unknown>, string] = [whole, 'root'];
  for (const step of steps) {
    at[place] ??= typeof step === 'number' ? [] : {};
    [at, place] = [at[place] as Record<string, unknown>, String(step)];
  }
  if (value === undefined) Reflect.deleteProperty(at, place);
  else at[place] = value;
  return whole['root'];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isForm(body: unknown): body is Record<string, unknown> {
  return typeof body === 'object' && body !== null && Object.values(body).some((one) => one instanceof File);
}

function formOf(body: Record<string, unknown>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof File) form.append(name, value);
    else form.append(name, textOf(value));
  }
  return form;
}

const SECONDS = /\b1\d{9}(?:\.\d+)?\b/g;
const INSTANT =
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:GMT|\+0000)/g;
const SHORT_MS = 60_000;
const WRITTEN_ANEW =
  /^(?:DKIM-Signature|Message-ID|Date|X-Service-Ref|Feedback-ID|Received):.*\r\n(?:[ \t].*\r\n)*/gim;

/**
 * Without ids, secrets, unique words of a request, current times, states that change automatically, and fields that only sign a
 * mail.
 */
function steady(text: string, { names, startedAt }: VendorWorld): string {
  const isNow = (ms: number): boolean => ms > startedAt - SHORT_MS && ms < Date.now() + SHORT_MS;
  let shown = text;
  for (const [name, id] of Object.entries(names)) shown = shown.replaceAll(id, name);
  for (const [, boundary = ''] of text.matchAll(/boundary="([^"]+)"/g))
    shown = shown.replaceAll(boundary, 'BOUNDARY');
  return (
    shown
      .replaceAll(WRITTEN_ANEW, '')
      // Soft line breaks of quoted-printable divide links.
      .replaceAll('=\r\n', '')
      .replaceAll(INSTANT, (time) => (isNow(Date.parse(time)) ? 'NOW' : time))
      .replaceAll(SECONDS, (time) => (isNow(Number(time) * 1000) ? 'NOW' : time))
      .replaceAll(
        /"(?:status|last_event|Status)":"(?:queued|sending|sent|delivered|Queued|Sent)"/g,
        '"STATE"',
      )
      .replaceAll(/"last_attempt":(?:null|\{[^{}]*\})/g, '"ATTEMPT"')
      .replaceAll(/"(?:provider|provider_message_id)":(?:"[^"]*"|null)/g, '"PROVIDER"')
      .replaceAll(/\b(?:whsec_[A-Za-z0-9+/=]+|req_[0-9a-f]{32}|[a-z]{2,4}_[0-9a-z]{26})/g, 'ID')
      .replaceAll(/\/([co])\/[0-9a-z]{30,}/g, '/$1/LINK')
      .replaceAll(/<?[0-9a-z]{26}@[^">\\]+>?/g, 'MESSAGE-ID')
      .replaceAll(/svc_test_[\w-]+/g, 'SECRET')
      .replaceAll(/"next_cursor":"[^"]*"/g, '"CURSOR"')
      .replaceAll(/d-[0-9a-f]{32}/g, 'SLUG')
      .replaceAll(/sha256:[0-9a-f]{64}/g, 'HASH')
      .replaceAll(/\b(?:rsa|ed)-[0-9a-z]{8}|\bp=[A-Za-z0-9+/=]+/g, 'KEY')
      .replaceAll(/u\d+x/g, 'UNIQUE')
  );
}
