// Sends generated campaigns with the real program to a real sink, and compares each recipient's preview with their mail.
import { Agent, request } from 'node:http';
import { parseFragment } from 'parse5';
import { sampleUnsubscribeUrl } from '../../src/contacts/unsubscribe.rules.js';
import { shownLine } from '../../src/lib/mime/index.js';
import { contentHash } from '../../src/messages/content-hash.rules.js';
import type { Answer } from './appliance.js';
import { createDice } from './dice.js';
import {
  generateCampaign,
  type GeneratedCampaign,
  type GeneratedContact,
  type GeneratedTemplate,
  type Owner,
} from './generated-campaigns.js';
import { addTenant, publish, startMailRig, type DnsRecord } from './mail-rig.js';
import { startSmtpSink, type SinkMessage } from './smtp-sink.js';
import { waitFor } from './wait.js';
import { tuned } from './tuning.js';

const PUBLIC_URL = 'http://mail.platform.example';
const SAMPLE = sampleUnsubscribeUrl(PUBLIC_URL);
const DOMAINS = { workspace: 'news.example', first: 'shop.example', second: 'second.example' };
const POSTAL_ADDRESS = 'Sender & Söhne <GmbH>\n1 "High" Street\r\n28195 Bremen';
const PIXEL =
  /<img src="(http:\/\/[^"/]+\/o\/[0-9a-z]{43})" width="1" height="1" alt="" style="display:block;position:absolute;[^"]*">/g;
const CLICK =
  /http:\/\/(?:mail\.platform|click\.news|click\.shop|click\.second)\.example\/c\/[0-9a-z]{43}\/\d+(?:-[\w-]+)?/g;

/** As decoded by a third-party reader; line ends are LF. */
export interface DecodedMail {
  subject: string;
  html: string | null;
  text: string | null;
}

interface Previewed {
  email: string;
  name: string | null;
  tags: string[];
  variant_tag: string | null;
  variant: string | null;
  template_name: string;
  edited: boolean;
  awaits_winner: boolean;
  subject: string | null;
  html: string | null;
  text: string | null;
  problem: { code: string; message: string } | null;
}

interface Delivery {
  email: string;
  state: string;
  reason: string | null;
  message_id: string | null;
}

interface MessageWire {
  id: string;
  to: string;
  from: { email: string; name: string | null };
  subject: string;
  content_hash: string;
}

export interface Comparison {
  campaigns: number;
  copies: number;
  /** Recipients for whom no copy could be made, in preview and send. */
  problems: number;
  links: number;
  /** One line each; empty if preview and send are equal. */
  faults: string[];
}

export interface CompareOptions {
  seed: number;
  /** Minimum number of campaigns; each may have a second one to the same people. */
  campaigns: number;
  /** At the same time. */
  atOnce: number;
  decode: (raw: Buffer) => Promise<DecodedMail>;
}

/** Runs them all on one server. */
export async function comparePreviews(options: CompareOptions): Promise<Comparison> {
  const total: Comparison = { campaigns: 0, copies: 0, problems: 0, links: 0, faults: [] };
  const rig = await startRig();
  try {
    const specs = Array.from({ length: options.campaigns }, (_, index) =>
      generateCampaign(createDice(options.seed * 100_003 + index), index),
    );
    let next = 0;
    const ofQueue = async (): Promise<void> => {
      for (let index = next++; index < specs.length; index = next++) {
        const spec = specs[index];
        if (spec) await runCampaign({ rig, options, total, spec, index });
      }
    };
    await Promise.all(Array.from({ length: options.atOnce }, ofQueue));
    if (rig.count() !== total.copies)
      total.faults.push(`${rig.count()} mails came for ${total.copies} copies`);
    return total;
  } finally {
    await rig.close();
  }
}

type Rig = Awaited<ReturnType<typeof startRig>>;

async function startRig() {
  const mails = new Map<string, SinkMessage[]>();
  const sink = await startSmtpSink({
    keep: false,
    onMessage: (mail) => {
      const to = mail.rcptTo[0] ?? '';
      mails.set(to, [...(mails.get(to) ?? []), mail]);
    },
  });
  const rig = await startMailRig({
    process: 'shared',
    mxPort: sink.port,
    env: { MAILKEEL_PUBLIC_URL: PUBLIC_URL, ...tuned({ campaignIntervalMs: 200 }) },
  });
  const { appliance, dns } = rig;
  const tenants: Record<Owner, string | null> = {
    workspace: null,
    first: rig.tenantId,
    second: await addTenant(appliance, dns, DOMAINS.second),
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });

  /** Returns the body of the response; throws unless its status is one of `wanted`. */
  async function ask<T>(owner: Owner, method: string, path: string, body?: unknown, wanted = [200, 201]) {
    const tenant = tenants[owner];
    const answer: Answer = await appliance.api(method, path, {
      ...(body === undefined ? {} : { body }),
      headers: tenant === null ? {} : { 'x-sub-tenant-id': tenant },
    });
    if (wanted.includes(answer.status)) return answer.json as T;
    const logged = answer.status < 500 ? '' : appliance.output().slice(-2_000);
    throw new Error(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 500)} ${logged}`);
  }

  /** Follows like a browser on the recipient's side, for which all names resolve to the server. */
  function followed(url: string, method = 'GET', body = '') {
    const { host, pathname } = new URL(url);
    const headers = {
      host,
      'user-agent': 'Mozilla/5.0 (Test)',
      ...(body === '' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    return new Promise<{ status: number; location: string }>((resolve, reject) => {
      const asked = request(
        { agent, host: '127.0.0.1', port: appliance.port, path: pathname, method, headers },
        (response) => {
          response.resume();
          response.on('end', () => {
            resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? '' });
          });
        },
      );
      asked.on('error', reject).end(body);
    });
  }

  const made = await ask<{ id: string; dns_records: DnsRecord[] }>('workspace', 'POST', '/v1/senders', {
    domain: DOMAINS.workspace,
  });
  publish(dns, made.dns_records);
  await ask('workspace', 'POST', `/v1/senders/${made.id}/verify`);
  await ask('workspace', 'PATCH', '/v1/organization', { postal_address: POSTAL_ADDRESS });
  return {
    ask,
    followed,
    mailsTo: (email: string) => mails.get(email) ?? [],
    count: sink.count,
    close: async () => {
      agent.destroy();
      await rig.close();
      await sink.close();
    },
  };
}

interface Run {
  rig: Rig;
  options: CompareOptions;
  total: Comparison;
  spec: GeneratedCampaign;
  index: number;
}

interface Sent {
  deliveries: Map<string, Delivery>;
  previews: Map<string, Previewed>;
}

async function runCampaign(run: Run): Promise<void> {
  const { rig, spec, index, options } = run;
  const note = (what: string): void => {
    run.total.faults.push(`seed ${options.seed}, campaign ${index}: ${what}`);
  };
  try {
    const templateIds: string[] = [];
    for (const template of spec.templates) templateIds.push(await makeTemplate(run, template));
    const listId = await makeAudience(run);
    const campaign = {
      name: `Campaign ${index}`,
      list_id: listId,
      type: spec.type,
      from: { email: `news@${DOMAINS[spec.owner]}`, name: 'The "Shop", Größe' },
      track_opens: spec.track_opens,
      track_clicks: spec.track_clicks,
    };
    const made = await rig.ask<{ id: string }>(spec.owner, 'POST', '/v1/campaigns', {
      ...campaign,
      template_id: templateIds[0],
      subject: spec.subject,
      segment_tag: spec.segmentTag,
      variants: spec.variants.map(({ tag, template, subject }) => ({
        tag,
        template_id: templateIds[template],
        subject,
      })),
      split: spec.split && {
        test_percent: spec.split.test_percent,
        variants: spec.split.variants.map(({ key, template, subject }) => ({
          key,
          template_id: template === null ? null : templateIds[template],
          subject,
        })),
      },
    });
    const wanted = spec.contacts.filter(
      (contact) => contact.fate !== 'off the list' && isInSegment(spec, contact),
    );
    for (const { email, override } of wanted) {
      if (override)
        await rig.ask(spec.owner, 'PUT', `/v1/campaigns/${made.id}/overrides`, { email, ...override });
    }
    const expected = wanted.filter(({ fate }) => fate === 'ok');
    const sent = await sendAndCompare(run, { id: made.id, expected, note });
    for (const [email, preview] of sent.previews) {
      const contact = spec.contacts.find((one) => one.email === email);
      if (contact) checkSources(spec, contact, preview, note);
    }
    if (spec.again === null) return;
    const left = await goAway(run, sent);
    const second = await rig.ask<{ id: string }>(spec.owner, 'POST', '/v1/campaigns', {
      ...campaign,
      template_id: templateIds[spec.again],
      subject: `Again {{first_name}} {{email}}`,
    });
    const staying = spec.contacts.filter(({ fate, email }) => fate === 'ok' && !left.has(email));
    await sendAndCompare(run, { id: second.id, expected: staying, note });
  } catch (error) {
    note(String(error));
  }
}

async function makeTemplate({ rig, spec }: Run, template: GeneratedTemplate): Promise<string> {
  const { mark: name, slug, subject, html, text, inline_css, isWorkspaces } = template;
  const body = { name, slug, subject, html, text, inline_css };
  const owner = isWorkspaces ? 'workspace' : spec.owner;
  // The other owner's template with the same slug must not be used.
  if (spec.owner !== 'workspace') {
    const other = isWorkspaces ? spec.owner : 'workspace';
    await rig.ask(other, 'POST', '/v1/templates', { name: 'decoy', slug, subject: 'decoy', text: 'decoy' });
  }
  const made = await rig.ask<{ id?: string }>(owner, 'POST', '/v1/templates', body, [201, 422]);
  if (made.id !== undefined) return made.id;
  // Not all CSS can be inlined, which is reported immediately.
  const plain = { ...body, inline_css: false };
  return (await rig.ask<{ id: string }>(owner, 'POST', '/v1/templates', plain)).id;
}

/** The list's id. */
async function makeAudience({ rig, spec, index }: Run): Promise<string> {
  const { owner, isSegment } = spec;
  const filter = { all: [{ field: 'tag', op: 'has', value: `g${index}` }] };
  const { id } = await rig.ask<{ id: string }>(owner, 'POST', '/v1/lists', {
    name: `List ${index}`,
    ...(isSegment ? { filter } : {}),
  });
  const members: string[] = [];
  for (const { email, name, phone, tags, metadata, fate } of spec.contacts) {
    const status = fate === 'unsubscribed' ? { status: 'unsubscribed' } : {};
    const body = { email, name, phone, tags, metadata, ...status };
    const made = await rig.ask<{ id: string }>(owner, 'POST', '/v1/contacts', body);
    if (fate !== 'off the list') members.push(made.id);
    const from = fate === 'suppressed' ? owner : 'workspace';
    if (fate.startsWith('suppressed')) await rig.ask(from, 'POST', '/v1/suppressions', { email });
  }
  if (!isSegment && members.length > 0)
    await rig.ask(owner, 'POST', `/v1/lists/${id}/contacts`, { contact_ids: members });
  return id;
}

function isInSegment({ segmentTag }: GeneratedCampaign, { tags }: GeneratedContact): boolean {
  return segmentTag === null || tags.includes(segmentTag);
}

interface Round {
  id: string;
  expected: readonly GeneratedContact[];
  note: (what: string) => void;
}

async function sendAndCompare(run: Run, { id, expected, note }: Round): Promise<Sent> {
  const { rig, spec, total } = run;
  const { owner } = spec;
  total.campaigns += 1;
  const rows = await readPages<Previewed>(run, `/v1/campaigns/${id}/preview`, 3);
  const previews = new Map(rows.map((row) => [row.email, row]));
  const seen = rows.map(({ email }) => email).toSorted();
  const due = expected.map(({ email }) => email).toSorted();
  if (seen.join() !== due.join()) note(`previewed were ${seen.join()}, not ${due.join()}`);
  const before = new Map(spec.contacts.map(({ email }) => [email, rig.mailsTo(email).length]));
  const came = (email: string): SinkMessage[] => rig.mailsTo(email).slice(before.get(email));
  await rig.ask(owner, 'POST', `/v1/campaigns/${id}/send`, {});
  // Some may wait for the winner of the split, which is never chosen in this test.
  const isHeld = spec.split !== null && spec.split.test_percent < 100;
  await waitFor(
    `campaign ${id}`,
    () => rig.ask<{ status: string; problem: unknown }>(owner, 'GET', `/v1/campaigns/${id}`),
    ({ status, problem }) => problem !== null || status === 'sent' || (isHeld && status === 'sending'),
    60_000,
  );
  const deliveries = await waitFor(
    `the copies of campaign ${id}`,
    async () => {
      const found = await readPages<Delivery>(run, `/v1/campaigns/${id}/recipients`, 100);
      return new Map(found.map((row) => [row.email, row]));
    },
    (found) => isCarriedOut(rows, found, (email) => came(email).length === 1),
    60_000,
  );
  const messages = new Map(
    (await readPages<MessageWire>(run, `/v1/messages?campaign_id=${id}`, 100)).map((row) => [row.id, row]),
  );
  const after = await readPages<Previewed>(run, `/v1/campaigns/${id}/preview`, 100);
  for (const row of rows) {
    const delivery = deliveries.get(row.email);
    const state = row.awaits_winner ? 'held' : row.problem === null ? 'created' : 'failed';
    if (delivery?.state !== state) note(`${row.email} is ${JSON.stringify(delivery)}, not ${state}`);
    if (row.problem !== null) total.problems += 1;
    if (state === 'failed' && !delivery?.reason?.startsWith(row.problem?.code ?? '?'))
      note(`${row.email}: ${String(delivery?.reason)}, previewed as ${JSON.stringify(row.problem)}`);
    if (state !== 'created') continue;
    total.copies += 1;
    const [mail, ...more] = came(row.email);
    if (!mail || more.length > 0) {
      const { trail } = await rig.ask<{ trail: unknown[] }>(
        owner,
        'GET',
        `/v1/messages/${delivery?.message_id}/audit`,
      );
      note(`${row.email} got ${more.length + (mail ? 1 : 0)} mails: ${JSON.stringify(trail)}`);
      continue;
    }
    const message = messages.get(delivery?.message_id ?? '');
    const shown = after.find(({ email }) => email === row.email);
    for (const fault of await compare(run, { row, mail, message, shown })) note(`${row.email}: ${fault}`);
  }
  for (const [email, { state }] of deliveries) {
    const isSkipped = state === 'skipped' || (isHeld && state === 'held');
    if (!previews.has(email) && !isSkipped) note(`${email} was not previewed and is ${state}`);
  }
  if ([...deliveries.values()].some(({ state }) => state === 'held')) {
    await rig.ask(owner, 'POST', `/v1/campaigns/${id}/pause`);
    await rig.ask(owner, 'POST', `/v1/campaigns/${id}/cancel`);
  }
  return { deliveries, previews };
}

/** All recipients are processed, and everyone who gets a mail has it. */
function isCarriedOut(
  rows: readonly Previewed[],
  deliveries: ReadonlyMap<string, Delivery>,
  hasCome: (email: string) => boolean,
): boolean {
  if ([...deliveries.values()].some(({ state }) => state === 'waiting')) return false;
  return rows.every(({ email }) => {
    const state = deliveries.get(email)?.state;
    return state === 'created' ? hasCome(email) : state !== undefined;
  });
}

async function readPages<T>({ rig, spec }: Run, path: string, limit: number): Promise<T[]> {
  const rows: T[] = [];
  const mark = path.includes('?') ? '&' : '?';
  for (let cursor: string | null = ''; cursor !== null;) {
    const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page: { data: T[]; next_cursor: string | null } = await rig.ask(
      spec.owner,
      'GET',
      `${path}${mark}limit=${limit}${from}`,
    );
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}

interface Compared {
  row: Previewed;
  mail: SinkMessage;
  message: MessageWire | undefined;
  shown: Previewed | undefined;
}

/** Returns the differences between a previewed copy and the received mail. */
async function compare(run: Run, { row, mail, message, shown }: Compared): Promise<string[]> {
  const { spec, options } = run;
  const faults: string[] = [];
  const differ = (what: string, got: string | null | undefined, want: string | null): void => {
    if (got !== want) faults.push(`${what} ${difference(got ?? null, want)}`);
  };
  const decoded = await options.decode(mail.raw);
  const signed = `d=${DOMAINS[spec.owner]};`;
  if (!/^DKIM-Signature:(?:.|\r\n[ \t])*/m.exec(mail.raw.toString('latin1'))?.[0].includes(signed))
    faults.push('it is not signed');
  const header = /^List-Unsubscribe:\s+<([^>]+)>/im.exec(mail.raw.toString('latin1'))?.[1] ?? 'none';
  const asPreviewed = (text: string | null): string | null => text?.replaceAll(header, SAMPLE) ?? null;
  differ('subject', asPreviewed(decoded.subject), row.subject);
  differ('text', asPreviewed(decoded.text), lineEnds(row.text));
  const pixels = [...(decoded.html ?? '').matchAll(PIXEL)];
  const isWatched = row.html !== null && spec.track_opens !== false;
  if (pixels.length !== (isWatched ? 1 : 0)) faults.push(`it has ${pixels.length} pixels`);
  const pixel = pixels[0]?.[1];
  if (pixel !== undefined && (await run.rig.followed(pixel)).status !== 200)
    faults.push('the pixel is not found');
  const html = asPreviewed(decoded.html?.replace(PIXEL, '') ?? null);
  const resolved = html === null ? null : await withLinks(run, html, lineEnds(row.html) ?? '', faults);
  if (spec.track_clicks === false && html?.match(CLICK)) faults.push('its links are tracked');
  differ('html', resolved, lineEnds(row.html));
  const real = (text: string | null): string | null => text?.replaceAll(SAMPLE, header) ?? null;
  if (!message) return [...faults, 'it has no message'];
  differ(
    'content_hash',
    message.content_hash,
    contentHash({
      subject: real(row.subject) ?? '',
      from: message.from,
      // One line, as headers are.
      to: { email: message.to, name: shownLine(row.name ?? '') || null },
      html: real(row.html),
      text: real(row.text),
      attachments: [],
    }),
  );
  differ('subject of the message', message.subject, real(row.subject));
  for (const part of ['subject', 'html', 'text'] as const)
    differ(`${part} afterwards`, shown?.[part], real(row[part]));
  return faults;
}

/** The received HTML with the previewed spelling of each link whose tracked form leads to the same place. */
async function withLinks(run: Run, received: string, previewed: string, faults: string[]): Promise<string> {
  const links = received.match(CLICK) ?? [];
  if (links.length === 0) return received;
  const spellings = between(previewed, received.split(CLICK));
  if (!spellings) return received;
  for (const [at, link] of links.entries()) {
    run.total.links += 1;
    const { status, location } = await run.rig.followed(link);
    const target = readHref(spellings[at] ?? '');
    if (status !== 302 || !URL.canParse(location) || new URL(location).href !== target)
      faults.push(`link ${link} leads to ${status} ${location}, not to ${target}`);
  }
  return previewed;
}

/** The text between these pieces; null if they do not match. */
function between(text: string, [first = '', ...pieces]: string[]): string[] | null {
  if (!text.startsWith(first)) return null;
  const found: string[] = [];
  let from = first.length;
  for (const [index, piece] of pieces.entries()) {
    const isLast = index === pieces.length - 1;
    const at = isLast ? text.length - piece.length : text.indexOf(piece, from);
    if (at < from || !text.startsWith(piece, at)) return null;
    found.push(text.slice(from, at));
    from = at + piece.length;
  }
  return found;
}

/** The target that a browser reads from this value of a href. */
function readHref(spelling: string): string {
  const [link] = parseFragment(`<a href="${spelling.replaceAll('"', '&quot;')}">`).childNodes;
  const href = link && 'attrs' in link ? (link.attrs[0]?.value ?? '') : '';
  return URL.canParse(href) ? new URL(href).href : `no address: ${href}`;
}

function lineEnds(text: string | null): string | null {
  return text?.replaceAll('\r\n', '\n') ?? null;
}

function difference(got: string | null, want: string | null): string {
  if (got === null || want === null) return `is ${JSON.stringify(got)}, previewed ${JSON.stringify(want)}`;
  let at = 0;
  while (at < got.length && got[at] === want[at]) at += 1;
  const near = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 40), at + 60));
  return `differs at ${at}: ${near(got)}, previewed ${near(want)}`;
}

/** Lets recipients of the first campaign act on its copy; returns their addresses. */
async function goAway({ rig, spec }: Run, { deliveries }: Sent): Promise<Set<string>> {
  const left = new Set<string>();
  for (const { email, then } of spec.contacts) {
    if (deliveries.get(email)?.state !== 'created' || then === 'stays') continue;
    const raw = rig.mailsTo(email)[0]?.raw.toString('latin1') ?? '';
    const url = /^List-Unsubscribe:\s+<([^>]+)>/im.exec(raw)?.[1] ?? '';
    const form = then === 'unsubscribes' ? 'List-Unsubscribe=One-Click' : 'leave=list';
    const { status } = await rig.followed(url, 'POST', form);
    if (status !== 200) throw new Error(`${email} could not go: ${status}`);
    left.add(email);
  }
  return left;
}

/** Checks that the copy was made from the sources that the rules of campaigns name, by the mark of each. */
function checkSources(
  spec: GeneratedCampaign,
  contact: GeneratedContact,
  row: Previewed,
  note: (what: string) => void,
): void {
  const tagged = spec.variants.find(({ tag }) => contact.tags.includes(tag));
  const drawn = tagged ? undefined : spec.split?.variants.find(({ key }) => key === row.variant);
  const template = spec.templates[tagged?.template ?? drawn?.template ?? 0];
  if (!template) throw new Error('A campaign without its template.');
  const isBase = tagged === undefined && (drawn?.template ?? 0) === 0;
  const subjects = [
    contact.override?.subject,
    tagged?.subject ?? drawn?.subject,
    isBase ? spec.subject : null,
    template.subject,
    spec.subject,
  ];
  const subject = subjects.find((one) => typeof one === 'string') ?? null;
  const isEdited = contact.override !== null;
  const facts = {
    variant_tag: tagged?.tag ?? null,
    variant: tagged?.tag ?? drawn?.key ?? null,
    template_name: template.mark,
    edited: isEdited,
  };
  for (const [name, value] of Object.entries(facts)) {
    const shown = row[name as keyof typeof facts];
    if (shown !== value) note(`${row.email}: ${name} is ${String(shown)}, not ${String(value)}`);
  }
  if (row.problem !== null) return;
  const markIn = (text: string | null | undefined): string =>
    /[tovkc]\d+[vx]?\d*[tovkc]/.exec(text ?? '')?.[0] ?? 'none';
  const html = contact.override?.html ?? template.html;
  const text = contact.override?.html ?? template.text ?? template.html;
  const marks: [string, string | null, string | null][] = [
    ['subject', row.subject, subject],
    ['html', row.html, html],
    ['text', row.text, text],
  ];
  for (const [part, got, source] of marks) {
    if (source === null ? got !== null : !(got ?? '').includes(markIn(source)))
      note(`${row.email}: its ${part} is not made from ${markIn(source)}: ${String(got).slice(0, 200)}`);
    if (part !== 'subject' && got !== null && !got.includes(SAMPLE))
      note(`${row.email}: its ${part} has no footer`);
  }
}
