// Creates workspaces full of objects, with a unique word in every text of each. They are created through the API, so a word that
// appears elsewhere has leaked through it.
import { reportsAbout } from './received-reports.js';
import { newId } from '../../src/lib/runtime/index.js';
import type { Scope } from '../../src/database/scope.js';
import type { FullApiRig } from './program.js';
import { receiveMail } from './received-mail.js';
import { senders } from '../../src/domains/domains.tables.js';
import { inboxForwards } from '../../src/messages/inboxes/forwards.tables.js';
import { update, insert } from '../../src/database/rows.js';
import { destinationPauses } from '../../src/outbound/outbound.tables.js';
import { appendEvent } from '../../src/events/append.store.js';
import { takeReport } from '../../src/inbound/reports/apply-report.store.js';

export interface Asked {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  // the tests read many shapes
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  json: any;
}

export interface Request {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
  contentType?: string;
  from?: string;
}

/** An API caller. */
export interface Caller {
  name: string;
  headers: Record<string, string>;
  /** The client address. */
  from?: string;
}

/** A request that created something, with its input. */
interface Made {
  method: string;
  /** Without the query. */
  path: string;
  body: Record<string, unknown>;
}

export interface World {
  /** The word that all of its objects have. */
  word: string;
  caller: Caller;
  scope: Scope;
  made: Made[];
  /** Names of its objects: ids, and nothing that others may know. */
  ids: Set<string>;
}

const ID = /\b[a-z]{2,3}_[0-9a-hjkmnp-tv-z]{26}\b/g;

export function idsIn(text: string): string[] {
  return text.match(ID) ?? [];
}

export const bearer = (name: string, secret: string, more: Record<string, string> = {}): Caller => ({
  name,
  headers: { authorization: `Bearer ${secret}`, ...more },
});

export function createAsk({ app }: Pick<FullApiRig, 'app'>) {
  return async (
    caller: Caller,
    { method, url, headers, body, contentType, from }: Request,
  ): Promise<Asked> => {
    const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const response = await app.inject({
      method: method as 'GET',
      url,
      remoteAddress: from ?? caller.from ?? '127.0.0.1',
      headers: {
        ...caller.headers,
        ...(payload === undefined ? {} : { 'content-type': contentType ?? 'application/json' }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
    });
    const { statusCode: status, headers: answered, body: text } = response;
    return {
      ...{ status, headers: answered, text },
      // Most responses are only read as text.
      get json(): unknown {
        const isJson = String(answered['content-type']).includes('json');
        return isJson && text !== '' ? (JSON.parse(text) as unknown) : null;
      },
    };
  };
}

export type Ask = ReturnType<typeof createAsk>;

/** Creates one object of every kind in the caller's scope. Throws the refusal of a request. */
export async function fill(
  rig: FullApiRig,
  ask: Ask,
  {
    word,
    caller,
    scope,
    templateWord = word,
  }: Pick<World, 'word' | 'caller' | 'scope'> & { templateWord?: string },
): Promise<World> {
  const made: Made[] = [];
  const ids = new Set<string>();
  const domain = `${word}.example`;
  const tenant = scope.subTenantId;

  async function make(path: string, body: Record<string, unknown>, method = 'POST') {
    const answer = await ask(caller, { method, url: path, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    for (const id of idsIn(answer.text)) ids.add(id);
    made.push({ method, path, body });
    return answer.json as { id: string; secret?: string; data: { id: string }[] };
  }

  const sender = await make('/v1/senders', { domain });
  const set = { status: 'verified' as const, verified_at: rig.clock(), inbound_ok: 1 as const };
  await rig.store.commit([update(senders, { set, where: { id: sender.id } })]);

  const reports = reportsAbout(domain, scope, rig.clock());
  await rig.store.commit(reports.map(takeReport));
  for (const { report } of reports) ids.add(report.id);

  const content = (about: string) => ({
    ...{
      subject: `News from ${about}`,
      html: `<p>${about} <a href="https://${about}.example/">x</a></p>`,
      text: about,
    },
  });
  const template = await make('/v1/templates', {
    ...{ name: templateWord, slug: `${templateWord}-one`, ...content(templateWord) },
  });
  const confirmation = await make('/v1/templates', {
    ...{ name: `${templateWord} again`, slug: `${templateWord}-two`, subject: templateWord },
    ...{ html: `<p>${templateWord} {{confirm_url}}</p>`, text: `${templateWord} {{confirm_url}}` },
  });
  await make(`/v1/templates/${template.id}`, { html: `<p>News from ${templateWord}</p>` }, 'PATCH');

  await make('/v1/saved-blocks', {
    ...{ name: templateWord, block: { id: '1', type: 'footer', text: templateWord } },
  });

  const contact = await make('/v1/contacts', {
    ...{ email: `ann@${domain}`, name: `Ann ${word}`, phone: '+491234567', tags: [word], metadata: { word } },
  });
  const list = await make('/v1/lists', {
    ...{ name: word, description: word, double_opt_in: true, confirmation_template_id: confirmation.id },
  });
  await make(`/v1/lists/${list.id}/contacts`, { contact_id: contact.id });
  await make(`/v1/lists/${list.id}/contacts`, { contact_ids: [contact.id] });
  const segment = { all: [{ field: 'list', op: 'has', value: list.id }] };
  await make('/v1/lists', { name: `${word} segment`, filter: segment });
  await make('/v1/suppressions', { email: `gone@${domain}`, reason: 'manual' });

  const campaign = await make('/v1/campaigns', {
    ...{ name: word, list_id: list.id, template_id: template.id, subject: word, segment_tag: word },
    from: { email: `news@${domain}`, name: word },
    variants: [{ tag: word, template_id: confirmation.id, subject: word }],
  });
  const override = { email: `ann@${domain}`, subject: word, html: `<p>${word}</p>` };
  await make(`/v1/campaigns/${campaign.id}/overrides`, override, 'PUT');

  const sequence = await make('/v1/sequences', {
    name: word,
    trigger: { type: 'list_joined', list_id: list.id },
    steps: [
      { id: 'hello', type: 'wait', hours: 10 },
      { id: 'mail', type: 'send', template: template.id, subject: word },
    ],
  });
  await make(`/v1/sequences/${sequence.id}/enroll`, { contact_id: contact.id, variables: { word } });

  const agent = await make('/v1/api-keys', {
    ...{ name: `${word} agent`, permission: 'send', policy: { approval: 'always' } },
  });
  for (let n = 0; n < 3; n++) {
    const mail = { to: `ann@${domain}`, from: `news@${domain}`, subject: word, text: word };
    const held = await ask(bearer('agent', agent.secret ?? ''), {
      ...{ method: 'POST', url: '/v1/messages', body: mail },
    });
    if (held.status >= 300) throw new Error(`held message: ${held.text}`);
    for (const id of idsIn(held.text)) ids.add(id);
  }
  const waiting = await ask(caller, { method: 'GET', url: '/v1/approvals' });
  for (const id of idsIn(waiting.text)) ids.add(id);

  const attachment = { filename: `${word}.txt`, content: Buffer.from(word).toString('base64') };
  const message = await make('/v1/messages', {
    ...{ to: `Ann ${word} <ann@${domain}>`, from: `${word} News <news@${domain}>`, ...content(word) },
    ...{ tags: [word], metadata: { word }, attachments: [attachment], idempotency_key: word },
  });
  await make('/v1/messages', {
    ...{ to: `later@${domain}`, from: `news@${domain}`, template_id: template.id },
    send_at: new Date(rig.clock() + 86_400_000).toISOString(),
  });
  const received = await receiveMail(rig.store, {
    ...{ target: message.id, at: rig.clock(), from: `Ann <ann@${domain}>`, subject: word, text: word },
  });
  ids.add(received.publicId);
  if (received.threadId !== null) {
    ids.add(received.threadId);
    await make(`/v1/threads/${received.threadId}/reply`, { text: word, from: `news@${domain}` });
    await make('/v1/messages', {
      ...{ to: `ann@${domain}`, from: `news@${domain}`, text: word, subject: word },
      thread_id: received.threadId,
    });
    for (let n = 0; n < 3; n++) {
      const draft = await make(`/v1/threads/${received.threadId}/drafts`, {
        text: word,
        attachments: [{ filename: 'a.txt', content: Buffer.from(word).toString('base64') }],
      });
      // The caller's key writes for other scopes as well.
      ids.delete(String(Reflect.get(draft, 'created_by')));
    }
  }
  await make('/v1/messages/batch', {
    messages: [{ to: `two@${domain}`, from: `news@${domain}`, template_id: template.id, tags: [word] }],
  });

  const endpoint = await make('/v1/webhook-endpoints', {
    url: `https://hooks.${domain}/`,
    description: word,
  });
  await make(`/v1/webhook-endpoints/${endpoint.id}/test`, {});
  await make('/v1/api-keys', { name: word, permission: 'read' });
  if (scope.mode === 'live') {
    const inbox = { address: `help@reply.${domain}`, client_id: word, name: word, policy_key: agent.id };
    const { id } = await make('/v1/inboxes', inbox);
    ids.add(await addForward(rig, { scope, inboxId: id, address: `ann@${domain}` }));
  }
  await make('/v1/exports', { format: 'csv', list_id: list.id });
  await make('/v1/account-imports', {
    ...{ source: 'resend', connection: { api_key: `re_${word}` }, kinds: ['contacts'], dry_run: true },
  });
  await make(`/v1/messages/${message.id}/share`, { include_content: true });
  await make(`/v1/senders/${sender.id}/share`, {});
  await make('/v1/bulk-actions/contacts', { action: 'tag', filter: { list_id: list.id }, tags: ['seen'] });
  await make('/v1/bulk-actions/messages', { action: 'cancel', filter: { tag: ['no such tag'] } });
  const rows = `email,name\nimported@${domain},${word}\n`;
  const query = `?list_id=${list.id}`;
  const imported = await ask(caller, {
    ...{ method: 'POST', url: `/v1/imports${query}`, body: rows, contentType: 'text/csv' },
  });
  if (imported.status >= 300) throw new Error(`import: ${imported.text}`);
  for (const id of idsIn(imported.text)) ids.add(id);

  const { environmentId, workspaceNumber } = scope;
  const now = rig.clock();
  await rig.store.commit([
    insert(destinationPauses, {
      row: {
        ...{ environment_id: environmentId, sub_tenant_key: tenant ?? '', domain },
        ...{ reason: word, created_at: now },
      },
    }),
    appendEvent({
      event: {
        ...{ environmentId, workspaceNumber, messageId: null, subjectId: tenant ?? newId('tnt', now) },
        ...{ event: 'tenant_warned', actor: 'worker', occurredAt: now, detail: { metadata: { word } } },
      },
    }),
  ]);
  return { word, caller, scope, made, ids };
}

/** A forwarding address. The API would mail a link, which this program cannot. */
async function addForward(
  { store, clock }: FullApiRig,
  { scope, inboxId, address }: { scope: Scope; inboxId: string; address: string },
): Promise<string> {
  const [id, now] = [newId('fwd', clock()), clock()];
  const of = { environment_id: scope.environmentId, sub_tenant_id: scope.subTenantId, inbox_id: inboxId };
  const row = {
    ...{ ...of, id, address, address_key: address, confirmation_hash: Buffer.from(id) },
    ...{ confirmation_expires_at: now, created_at: now, updated_at: now },
  };
  await store.commit([insert(inboxForwards, { row })]);
  return id;
}
