// Tests that no field of a vendor's request is accepted and ignored. For each field of each schema, two requests that differ only
// in that field differ in their response, in the stored data, or in the mail. The fields come from the schemas, and a field
// without a row in the table fails.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VENDORS } from '../../src/compat/compat.js';
import type { CompatRoute, Vendor } from '../../src/compat/route.js';
import { createAppliance, type Appliance } from '../support/appliance.js';
import { QUICK } from '../support/mail-rig.js';
import { createSesCredentials, signSes } from '../support/ses-client.js';
import { fieldsOf, type SchemaField } from '../support/vendor-fields/schema-fields.js';
import { MAILGUN_TABLE } from '../support/vendor-fields/mailgun.js';
import { POSTMARK_TABLE } from '../support/vendor-fields/postmark.js';
import { RESEND_TABLE } from '../support/vendor-fields/resend.js';
import { SES_TABLE } from '../support/vendor-fields/ses.js';
import { SENDGRID_TABLE } from '../support/vendor-fields/sendgrid.js';
import {
  createObserver,
  type PairRow,
  type Observer,
  type VendorTable,
} from '../support/vendor-fields/observe.js';
import { createVendorWorld, type VendorWorld } from '../support/vendor-fields/world.js';

const TABLES: Readonly<Record<string, VendorTable>> = {
  resend: RESEND_TABLE,
  postmark: POSTMARK_TABLE,
  sendgrid: SENDGRID_TABLE,
  mailgun: MAILGUN_TABLE,
  ses: SES_TABLE,
};

/** Parts of paths that, according to the guides, select nothing, by vendor. */
const SELECTS_NOTHING: Readonly<Record<string, string>> = { postmark: 'stream', mailgun: 'domain' };

let appliance: Appliance;
let world: VendorWorld;
let observe: Observer;

beforeAll(async () => {
  appliance = await createAppliance({ process: 'shared', env: QUICK });
  await appliance.start();
  world = await createVendorWorld(appliance);
  observe = createObserver(appliance, world);
}, 60_000);
afterAll(() => appliance.close());

/** A field that `notHere` marks is refused with its sentence. */
async function expectRefused(vendor: Vendor, route: CompatRoute, field: SchemaField): Promise<void> {
  const table = tableOf(vendor, route);
  const row = { pair: ['x', 'x'] as const, over: table.refused?.[field.path] ?? {} };
  const { status, text } = await observe(vendor, route, table, { field, value: 'x', row });
  expect(status, text).toBeGreaterThanOrEqual(400);
  expect(text).toContain(JSON.stringify(field.sentence).slice(1, -1));
}

/** A detail of a setting that may only be off. */
async function expectOff(vendor: Vendor, route: CompatRoute, field: SchemaField, on: string): Promise<void> {
  const { status, text } = await observe(vendor, route, tableOf(vendor, route), { field, value: 'x', on });
  expect([status, text]).toEqual([400, expect.stringContaining(on)]);
}

/** The two values make a difference. */
async function expectHonoured(
  vendor: Vendor,
  route: CompatRoute,
  field: SchemaField,
  row: PairRow,
): Promise<void> {
  const table = tableOf(vendor, route);
  const seen = async (value: unknown) => (await observe(vendor, route, table, { field, value, row })).shown;
  const [first, second] = 'pair' in row ? row.pair : row;
  expect(await seen(second)).not.toEqual(await seen(first));
}

/** Repeating a request makes no difference, so every difference is caused by values. */
async function expectSteady(vendor: Vendor, route: CompatRoute): Promise<void> {
  const field = { path: '?', sentence: null };
  const seen = async () =>
    (await observe(vendor, route, tableOf(vendor, route), { field, value: undefined })).shown;
  expect(await seen()).toEqual(await seen());
}

function tableOf(vendor: Vendor, route: CompatRoute) {
  const table = TABLES[vendor.name]?.[nameOf(route)];
  if (table === undefined) throw new Error(`The table of ${vendor.name} lacks ${nameOf(route)}`);
  return table;
}

function nameOf(route: CompatRoute & { action?: string }): string {
  return route.action ?? `${route.method} ${route.path}`;
}

for (const vendor of VENDORS) {
  const all = [...vendor.routes, ...(vendor.actions?.routes ?? [])];
  const routes = all.filter((route) => fieldsOf(route).length > 0);

  describe(vendor.name, () => {
    it.each(routes.map((route) => ({ name: nameOf(route), route })))(
      '$name honors, translates or refuses every field',
      async ({ route }) => {
        const table = tableOf(vendor, route);
        const fields = fieldsOf(route);
        const unlisted = fields.filter(
          ({ path, sentence }) => sentence === null && !Object.hasOwn(table.fields, path),
        );
        expect(
          unlisted.map(({ path }) => path),
          'fields without a row in the table',
        ).toEqual([]);
        const gone = Object.keys(table.fields).filter((path) => !fields.some((field) => field.path === path));
        expect(gone, 'rows without a field').toEqual([]);
        await expectSteady(vendor, route);
        const wrong: string[] = [];
        const expectRow = async (field: SchemaField): Promise<void> => {
          const row = table.fields[field.path];
          try {
            if (row === undefined) await expectRefused(vendor, route, field);
            else if ('partOf' in row) await expectOff(vendor, route, field, row.partOf);
            else await expectHonoured(vendor, route, field, row);
          } catch (error) {
            wrong.push(`${field.path}: ${(error as Error).message}`);
          }
        };
        // Fields that need a reset before each request cannot run in parallel.
        if (table.before === undefined) await Promise.all(fields.map(expectRow));
        else for (const field of fields) await expectRow(field);
        expect(wrong).toEqual([]);
      },
      60_000,
    );
  });
}

it('every part of a path is read, unless a guide says that it selects nothing', async () => {
  const read = new Set<string>();
  const start = 'tracing:fastify.request.handler:start';
  const watch = (message: unknown): void => {
    const { request } = message as { request: FastifyRequest };
    const { method, url = '' } = request.routeOptions;
    const get = (params: object, name: string): unknown => {
      read.add(`${String(method)} ${url} ${name}`);
      return Reflect.get(params, name);
    };
    request.params = new Proxy(request.params as object, { get });
  };
  subscribe(start, watch);
  const parts: string[] = [];
  const key = appliance.keys.live_key;
  const credentials = await createSesCredentials(appliance, key);
  for (const { name: vendor, routes, signed } of VENDORS) {
    for (const { method, path, body, form, example = {} } of routes) {
      const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
      if (names.length === 0) continue;
      const selecting = names.filter((name) => name !== SELECTS_NOTHING[vendor]);
      parts.push(...selecting.map((name) => `${method} /compat/${vendor}${path} ${name}`));
      const hasBody = body !== undefined || form !== undefined;
      const url = `${appliance.url}/compat/${vendor}${path.replaceAll(/:\w+/g, 'none')}`;
      const headers = {
        ...{ authorization: `Bearer ${key}`, 'x-postmark-server-token': key },
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
      };
      const content = hasBody ? { body: JSON.stringify(example) } : {};
      const sent = signed ? await signSes(credentials, { method, url, ...content }) : headers;
      await fetch(url, { method, headers: sent, ...content });
    }
  }
  unsubscribe(start, watch);
  expect(parts.length).toBeGreaterThan(40);
  expect(parts.filter((part) => !read.has(part))).toEqual([]);
});
