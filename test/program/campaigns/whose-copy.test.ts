// Tests which message a recipient of a campaign gets (interface.md, "Variant rule" and "Override rule"): their edited copy,
// otherwise the first variant whose tag they have, otherwise the base. Preview and mail are the same.
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { startSmtpSink, type SinkMessage, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

interface Row {
  who: string;
  tags: string[];
  override?: { subject?: string; html?: string };
  /** Words of the subject, and of both bodies. */
  gets: { subject: string; body: string; variant_tag: string | null; edited: boolean };
}

const HTML = '<p>edited for {{first_name}}</p>';
const ROWS: Row[] = [
  {
    who: 'untagged',
    tags: [],
    gets: { subject: 'Base Ann', body: 'base', variant_tag: null, edited: false },
  },
  {
    who: 'tagged.otherwise',
    tags: ['other'],
    gets: { subject: 'Base Ann', body: 'base', variant_tag: null, edited: false },
  },
  {
    who: 'variant.with.a.subject',
    tags: ['vip'],
    gets: { subject: 'Vip line Ann', body: 'vip', variant_tag: 'vip', edited: false },
  },
  {
    who: 'variant.without',
    tags: ['new'],
    gets: { subject: 'New template Ann', body: 'new', variant_tag: 'new', edited: false },
  },
  {
    who: 'two.variants',
    tags: ['new', 'other', 'vip'],
    gets: { subject: 'Vip line Ann', body: 'vip', variant_tag: 'vip', edited: false },
  },
  {
    who: 'edited.subject',
    tags: [],
    override: { subject: 'Edited for {{name}}' },
    gets: { subject: 'Edited for Ann Smith', body: 'base', variant_tag: null, edited: true },
  },
  {
    who: 'edited.html',
    tags: [],
    override: { html: HTML },
    gets: { subject: 'Base Ann', body: 'edited for Ann', variant_tag: null, edited: true },
  },
  {
    who: 'edited.subject.of.a.variant',
    tags: ['vip'],
    override: { subject: 'Edited' },
    gets: { subject: 'Edited', body: 'vip', variant_tag: 'vip', edited: true },
  },
  {
    who: 'edited.html.of.a.variant',
    tags: ['new'],
    override: { html: HTML },
    gets: { subject: 'New template Ann', body: 'edited for Ann', variant_tag: 'new', edited: true },
  },
  {
    who: 'all.edited',
    tags: ['vip', 'new'],
    override: { subject: 'Edited', html: HTML },
    gets: { subject: 'Edited', body: 'edited for Ann', variant_tag: 'vip', edited: true },
  },
];

let sink: SmtpSink;
let rig: MailRig;
let campaign = '';
const mails = new Map<string, SinkMessage>();
const previews = new Map<string, Record<string, unknown>>();
const addressOf = ({ who }: Row): string => `${who}@receiver.example`;

async function ask(
  method: string,
  path: string,
  body?: unknown,
  headers = { 'x-sub-tenant-id': rig.tenantId },
) {
  const answer = await rig.appliance.api(method, path, { ...(body === undefined ? {} : { body }), headers });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json as Record<string, unknown> & { id: string };
}

const template = (name: string) =>
  ask('POST', '/v1/templates', {
    name,
    subject: `${name} template {{first_name}}`,
    html: `<p>${name.toLowerCase()} for {{name}}</p>`,
    text: `${name.toLowerCase()} for {{name}}`,
  });

beforeAll(async () => {
  sink = await startSmtpSink({ keep: false, onMessage: (mail) => mails.set(mail.rcptTo[0] ?? '', mail) });
  rig = await startMailRig({
    process: 'shared',
    mxPort: sink.port,
    env: tuned({ campaignIntervalMs: 200 }),
  });
  const organization = { postal_address: 'Shop Ltd, 1 High Street' };
  await rig.appliance.api('PATCH', '/v1/organization', { body: organization });
  const [base, vip, fresh] = [await template('Base'), await template('Vip'), await template('New')];
  const list = await ask('POST', '/v1/lists', { name: 'Readers' });
  for (const row of ROWS) {
    const contact = { email: addressOf(row), name: 'Ann Smith', tags: row.tags };
    await ask('POST', `/v1/lists/${list.id}/contacts`, contact);
  }
  const made = await ask('POST', '/v1/campaigns', {
    name: 'Spring',
    list_id: list.id,
    template_id: base.id,
    subject: 'Base {{first_name}}',
    from: 'Shop <news@shop.example>',
    variants: [
      { tag: 'vip', template_id: vip.id, subject: 'Vip line {{first_name}}' },
      { tag: 'new', template_id: fresh.id },
    ],
  });
  campaign = `/v1/campaigns/${made.id}`;
  for (const row of ROWS) {
    const email = addressOf(row);
    if (row.override) await ask('PUT', `${campaign}/overrides`, { email, ...row.override });
  }
  const { data } = await ask('GET', `${campaign}/preview`);
  for (const one of data as Record<string, unknown>[]) previews.set(String(one['email']), one);
  await ask('POST', `${campaign}/send`, {});
});
afterAll(async () => {
  await rig.close();
  await sink.close();
});

it.each(ROWS)('$who', async (row) => {
  const { subject, body, variant_tag, edited } = row.gets;
  const mail = await waitFor(
    `the mail for ${row.who}`,
    () => mails.get(addressOf(row)) ?? null,
    (found) => found !== null,
  );
  const parsed = await simpleParser(mail?.raw ?? '', { skipHtmlToText: true });
  const preview = previews.get(addressOf(row));
  expect(preview).toMatchObject({ variant_tag, edited, subject });
  expect(parsed.subject).toBe(subject);
  for (const part of [preview?.['html'], preview?.['text'], parsed.html, parsed.text]) {
    expect(part).toContain(body);
    expect(part).toContain('1 High Street');
  }
});

it('copies cannot be edited after they were sent', async () => {
  await waitFor(
    'the campaign to be sent',
    () => ask('GET', campaign),
    ({ status }) => status === 'sent',
  );
  const [row] = ROWS;
  const override = { email: row ? addressOf(row) : '', subject: 'Too late' };
  const put = await rig.appliance.api('PUT', `${campaign}/overrides`, { body: override });
  expect([put.status, put.json.error.code]).toEqual([409, 'campaign_already_sent']);
});
