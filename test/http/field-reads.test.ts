// A field of a request that nobody reads is an error: every example is sent, and each declared field of body and query must be read by name.
import { channel } from 'node:diagnostics_channel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiOperations, valueOf, type Operation, type Schema } from '../support/api-operations.js';
import { addOverride, sendExamples } from '../support/example-world.js';
import { recordFieldReads, type FieldReads } from '../support/field-reads.js';
import { startFullApi, type FullApiRig } from '../support/full-api-rig.js';
import { PLATFORM_DOMAIN, readyToMail } from '../support/people-rig.js';

/** Its answer has no end. */
const NOT_RUN = ['events.stream'];
/** A name that no schema has. */
const MADE_UP = 'made_up';
/**
 * Fields whose reads this test does not see, by object: their object is copied whole before it is read, or no request of this test
 * comes as far as the read. Each field is named, so a new field beside them still fails. The list may only become shorter.
 */
const UNSEEN: Readonly<Record<string, string>> = {
  'organization.update: body.branding': 'name website_url postal_address language privacy_url',
  'lists.create: body.filter': 'all any',
  'suppressions.create: body.reply': 'code enhanced_code message',
  'campaigns.create: body.from': 'email',
  'campaigns.create: body.reply_to': 'email',
  'campaigns.create: body.split': 'variants test_percent metric wait_minutes',
  'campaigns.create: body.split.variants[]': 'key template_id subject',
  'sequences.create: body': 'steps goal from reply_to',
  'sequences.create: body.steps[]': 'hours template event within_hours',
  'sequences.create: body.goal': 'event tag',
  'sequences.create: body.from': 'email',
  'sequences.create: body.reply_to': 'email',
  'messages.create: body.to': 'email',
  'messages.create: body.to[]': 'email',
  'messages.create: body.cc': 'email',
  'messages.create: body.cc[]': 'email',
  'messages.create: body.bcc': 'email',
  'messages.create: body.bcc[]': 'email',
  'messages.create: body.from': 'email',
  'messages.create: body.reply_to': 'email',
  'messages.create: body.reply_to[]': 'email',
  'threads.reply: body':
    'cc bcc html text template template_id variables reply_to priority send_at expires_at render require_variables require_tls tags metadata attachments headers auto_submitted topic track_opens track_clicks',
  'threads.reply: body.cc': 'email name',
  'threads.reply: body.cc[]': 'email name',
  'threads.reply: body.bcc': 'email name',
  'threads.reply: body.bcc[]': 'email name',
  'threads.reply: body.reply_to': 'email name',
  'threads.reply: body.reply_to[]': 'email name',
  'threads.reply: body.attachments[]': 'filename content content_type content_id',
  'threads.reply: body.to': 'email name',
  'threads.reply: body.to[]': 'email name',
  'threads.reply: body.from': 'email name',
  'imports.create: query': 'list_id tags mode dry_run columns sub_tenant_id',
  'lists.preview: body.filter': 'all any',
  'imports.preview: query': 'columns',
  'subTenants.update: body.branding': 'name website_url postal_address language privacy_url',
  'lists.update: body.filter': 'all any',
  'campaigns.update: body.from': 'email',
  'campaigns.update: body.reply_to': 'email',
  'campaigns.update: body.split': 'variants test_percent metric wait_minutes',
  'campaigns.update: body.split.variants[]': 'key template_id subject',
  'sequences.update: body.steps[]': 'hours template event within_hours',
  'sequences.update: body.goal': 'event tag',
  'sequences.update: body.from': 'email',
  'sequences.update: body.reply_to': 'email',
};

let rig: FullApiRig;
let reads: FieldReads;
beforeAll(async () => {
  rig = await startFullApi({
    async before(store) {
      await addOverride(store);
      await readyToMail(store, Date.now);
    },
    env: { MAILKEEL_RATE_LIMIT_AUTH_FAILURES: '0', MAILKEEL_PLATFORM_DOMAIN: PLATFORM_DOMAIN },
  });
  reads = recordFieldReads({ alsoDeclared: [MADE_UP] });
  await sendExamples(rig, apiOperations(), variantsOf);
}, 120_000);
afterAll(async () => {
  reads.stop();
  await rig.close();
});

describe('the fields of requests', () => {
  it('are read by the handlers', () => {
    const unseen = Object.entries(UNSEEN).flatMap(([object, names]) =>
      names.split(' ').map((name) => `${object}.${name}`),
    );
    const unread = reads.unread().filter((field) => !field.endsWith(`.${MADE_UP}`));
    expect(unread.toSorted()).toEqual(unseen.toSorted());
  });

  it('are looked at in every operation that has some', () => {
    const withFields = apiOperations().filter(
      ({ bodies, parameters }) =>
        'application/json' in bodies || parameters.some((one) => one.in === 'query' && !isPlace(one.name)),
    );
    const missing = withFields
      .map(({ id }) => id)
      .filter((id) => !reads.ran.has(id) && !NOT_RUN.includes(id));
    expect(missing).toEqual([]);
  });

  it('are reported when one is added to a schema, in the body, in an object of it and in the query', () => {
    const unread = reads.unread();
    for (const object of ['campaigns.create: body', 'campaigns.create: body.utm', 'contacts.list: query']) {
      expect(unread).toContain(`${object}.${MADE_UP}`);
    }
    const objects = unread.filter((field) => field.endsWith(`.${MADE_UP}`));
    expect(objects.length).toBeGreaterThan(150);
  });

  it('are not read by a copy of their object', () => {
    const text = { type: 'string' };
    const inner = { type: 'object', properties: { kept: text, used: text } };
    const body = { type: 'object', properties: { inner, copied: text, rest: text, used: text } };
    const request = {
      routeOptions: { schema: { operationId: 'made.up', body } },
      body: { inner: { kept: 'a', used: 'b' }, copied: 'c', rest: 'd', used: 'e' },
    };
    channel('tracing:fastify.request.handler:start').publish({ request });
    const { used, ...others } = request.body;
    const shown = [used, request.body.inner.used, JSON.stringify(others), { ...request.body }];
    expect(shown).toHaveLength(4);
    const unread = reads.unread().filter((field) => field.startsWith('made.up: '));
    expect(unread.filter((field) => !field.endsWith(MADE_UP))).toEqual([
      'made.up: body.inner.kept',
      'made.up: body.copied',
      'made.up: body.rest',
    ]);
  });
});

/** Read by a hook, which takes it out of the query. */
function isPlace(name: string): boolean {
  return name === 'workspace_id' || name === 'environment';
}

type Body = Record<string, unknown>;

/** The example with one field set to each kind of value that its schema takes, field by field. */
function variantsOf({ bodies }: Operation, body: Body): Body[] {
  const schema = bodies['application/json']?.schema;
  if (schema === undefined) return [];
  return choicesOf(schema).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, one]) =>
      filled(one, name).map((value) => ({ ...body, [name]: value })),
    ),
  );
}

function choicesOf(schema: Schema): Schema[] {
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  return choices.length === 0 ? [schema] : choices.flatMap(choicesOf);
}

/** A value of each kind that the schema takes, objects with all their fields. */
function filled(schema: Schema, name: string, depth = 0): unknown[] {
  return choicesOf(schema).flatMap((one): unknown[] => {
    if (one.properties !== undefined && depth < 5) {
      const fields = Object.entries(one.properties).map(
        ([key, field]) => [key, filled(field, key, depth + 1)[0]] as const,
      );
      return [Object.fromEntries(fields)];
    }
    if (one.items !== undefined && depth < 5) return [filled(one.items, name, depth + 1)];
    return [valueOf(one, name)];
  });
}
