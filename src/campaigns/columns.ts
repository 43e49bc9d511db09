// Validates the fields of a campaign in a request body, and converts them to columns.
import type { CampaignStores } from './stores.js';
import { MAX_VARIANTS, type CampaignCreate, type CampaignPatch } from './campaign.schema.js';
import { Refusal, invalidFields, type FieldProblem } from '../contract/refusal.js';
import { readCampaignSources, usedTemplates, type TagVariant } from './copy.rules.js';
import type { Split } from './split.rules.js';
import { UTM_NAMES, utmProblem } from './utm.rules.js';
import { lineProblem } from '../contract/plain-text.js';
import { parseSendAt } from '../messages/accept/schedule-time.rules.js';
import type { Scope } from '../database/scope.js';
import { assertComplete } from './prepare/readiness.js';
import { assertSubject, readPinned } from './prepare/recipient-copy.js';
import { readMailbox } from '../messages/accept/recipients.js';
import type { Renderer } from '../templates/rendering/renderer.js';
import type { Campaign } from './campaigns.tables.js';

/** The stores and the renderer that the checks of a campaign use. */
export interface CampaignPlanning {
  store: Pick<CampaignStores, 'lists' | 'templates'>;
  renderer: Pick<Renderer, 'check'>;
}

/** The columns that a body can set. */
export type EditedColumns = Pick<
  Campaign,
  | 'name'
  | 'type'
  | 'list_number'
  | 'template_id'
  | 'subject'
  | 'from_email'
  | 'from_name'
  | 'reply_to_email'
  | 'reply_to_name'
  | 'segment_tag'
  | 'variants'
  | 'split'
  | 'track_opens'
  | 'track_clicks'
  | 'utm'
  | 'versions'
>;

/**
 * Returns the columns of a new campaign (`before` is null) or of a changed one, whose absent fields do not change. Refuses with
 * `variant_limit`, `campaign_incomplete` (a scheduled one would lose its list or template), `list_not_found`,
 * `template_not_found`, `template_invalid` or `validation_error`. `scope` is that of the campaign, so lists and templates of
 * other owners are not found.
 */
export async function readCampaignBody(
  context: CampaignPlanning,
  scope: Scope,
  body: CampaignCreate | CampaignPatch,
  before: Campaign | null,
): Promise<EditedColumns> {
  if ((body.variants?.length ?? 0) > MAX_VARIANTS) {
    throw new Refusal('variant_limit', undefined, { param: 'variants' });
  }
  const columns = readColumns(body, before);
  const listNumber = await listOf(context, scope, body.list_id, before);
  await checkSubjects(context, scope, body);
  // A scheduled campaign is not checked again, so it must stay complete.
  if (before?.status === 'scheduled') assertComplete({ ...columns, list_number: listNumber });
  const versions = await checkTemplates(context, scope, columns, before);
  return { ...columns, list_number: listNumber, versions };
}

function readColumns(
  body: CampaignCreate | CampaignPatch,
  before: Campaign | null,
): Omit<EditedColumns, 'list_number' | 'versions'> {
  const problems: FieldProblem[] = [];
  const line = (path: string, text: string | null | undefined): void => {
    const problem = text === null || text === undefined ? null : lineProblem(text);
    if (problem !== null) problems.push({ path, message: problem });
  };
  line('name', body.name);
  line('subject', body.subject);
  line('segment_tag', body.segment_tag);
  const variants = body.variants === undefined ? null : readVariants(body.variants, line, problems);
  const split = body.split ? readSplit(body.split, line, problems) : null;
  const from = body.from ? readMailbox(body.from, 'from', problems) : null;
  const replyTo = body.reply_to ? readMailbox(body.reply_to, 'reply_to', problems) : null;
  const columns = {
    name: body.name ?? before?.name ?? '',
    type: body.type ?? before?.type ?? 'marketing',
    template_id: orPrevious(body.template_id, before?.template_id) ?? '',
    subject: orPrevious(emptyAsNull(body.subject), before?.subject),
    ...(body.from === undefined
      ? { from_email: before?.from_email ?? null, from_name: before?.from_name ?? null }
      : { from_email: from?.email ?? null, from_name: from?.name ?? null }),
    ...(body.reply_to === undefined
      ? { reply_to_email: before?.reply_to_email ?? null, reply_to_name: before?.reply_to_name ?? null }
      : { reply_to_email: replyTo?.email ?? null, reply_to_name: replyTo?.name ?? null }),
    segment_tag: orPrevious(body.segment_tag, before?.segment_tag),
    variants: variants === null ? (before?.variants ?? '[]') : JSON.stringify(variants),
    split: body.split === undefined ? (before?.split ?? null) : split && JSON.stringify(split),
    track_opens: orPrevious(flag(body.track_opens), before?.track_opens),
    track_clicks: orPrevious(flag(body.track_clicks), before?.track_clicks),
    utm: body.utm === undefined ? (before?.utm ?? null) : utmColumn(body.utm, line, problems),
  };
  if (problems.length === 0) checkNames(columns, problems);
  if (problems.length > 0) throw invalidFields(problems);
  return columns;
}

type Line = (path: string, text: string | null | undefined) => void;

function readVariants(
  given: NonNullable<CampaignCreate['variants']>,
  line: Line,
  problems: FieldProblem[],
): TagVariant[] {
  const tags = new Set<string>();
  return given.map(({ tag, template_id, subject }, index) => {
    line(`variants.${index}.tag`, tag);
    line(`variants.${index}.subject`, subject);
    if (tags.has(tag)) problems.push({ path: `variants.${index}.tag`, message: 'already has a variant' });
    tags.add(tag);
    return { tag, template_id, subject: emptyAsNull(subject) ?? null };
  });
}

/** Returns JSON, or null if no parameter has a value. */
function utmColumn(
  given: NonNullable<CampaignCreate['utm']> | null,
  line: Line,
  problems: FieldProblem[],
): string | null {
  const set = UTM_NAMES.flatMap((name) => {
    const value = given?.[name]?.trim() ?? '';
    line(`utm.${name}`, value);
    const message = utmProblem(value);
    if (message !== null) problems.push({ path: `utm.${name}`, message });
    return value === '' ? [] : [[name, value] as const];
  });
  return set.length === 0 ? null : JSON.stringify(Object.fromEntries(set));
}

function readSplit(given: NonNullable<CampaignCreate['split']>, line: Line, problems: FieldProblem[]): Split {
  const keys = new Set<string>();
  return {
    variants: given.variants.map(({ key, template_id, subject }, index) => {
      line(`split.variants.${index}.key`, key);
      line(`split.variants.${index}.subject`, subject);
      if (keys.has(key)) problems.push({ path: `split.variants.${index}.key`, message: 'already exists' });
      keys.add(key);
      return { key, template_id: template_id ?? null, subject: emptyAsNull(subject) ?? null };
    }),
    test_percent: given.test_percent ?? 100,
    metric: given.metric ?? 'clicked',
    wait_minutes: given.wait_minutes ?? 240,
  };
}

/** A tag and a key of the split must differ, because statistics identify a variant by this name. */
function checkNames(columns: Parameters<typeof readCampaignSources>[0], problems: FieldProblem[]): void {
  const { variants, split } = readCampaignSources(columns);
  split?.variants.forEach(({ key }, index) => {
    if (!variants.some(({ tag }) => tag === key)) return;
    problems.push({
      path: `split.variants.${index}.key`,
      message: 'is the tag of a variant. Use another name',
    });
  });
}

async function listOf(
  { store }: CampaignPlanning,
  scope: Scope,
  id: string | null | undefined,
  before: Campaign | null,
): Promise<number> {
  if (id === undefined) return before?.list_number ?? 0;
  if (id === null) return 0;
  const list = await store.lists.list(scope, id);
  if (!list) throw new Refusal('list_not_found', undefined, { param: 'list_id' });
  if (list.sub_tenant_id === scope.subTenantId) return list.number;
  // A workspace must not send to a tenant's list, because opting out of the tenant's mail does not cover the workspace's.
  const message = `The list belongs to sub-tenant ${list.sub_tenant_id ?? ''}. Set sub_tenant_id to that ID.`;
  throw new Refusal('list_not_found', message, { param: 'list_id' });
}

/** Checks subjects, which are templates too. */
async function checkSubjects(
  { renderer }: CampaignPlanning,
  scope: Scope,
  { subject, variants = [], split }: CampaignCreate | CampaignPatch,
): Promise<void> {
  const given = [
    { path: 'subject', subject },
    ...variants.map((variant, index) => ({ path: `variants.${index}.subject`, subject: variant.subject })),
    ...(split?.variants ?? []).map((variant, index) => ({
      path: `split.variants.${index}.subject`,
      subject: variant.subject,
    })),
  ];
  for (const { path, subject: source } of given) {
    if (source) await checkSources(renderer, scope, { subject: source, html: null }, () => path);
  }
}

/** Refuses with `template_invalid`, with the name of the part from `paramOf`, or with `unavailable`. */
export async function checkSources(
  renderer: CampaignPlanning['renderer'],
  scope: Scope,
  { subject, html }: { subject: string | null; html: string | null },
  paramOf: (part: string) => string = (part) => part,
): Promise<void> {
  const owner = scope.subTenantId ?? scope.workspaceId;
  const answer = await renderer.check({ subject, html, text: null, owner });
  if (answer.kind === 'valid') return;
  if (answer.kind === 'busy') {
    throw new Refusal(
      'unavailable',
      'The server is parsing too many templates. Nothing was stored. Try again.',
    );
  }
  const { part, line, column, message } = answer;
  const where = line === undefined ? '' : ` (line ${line})`;
  throw new Refusal('template_invalid', `${message.replace(/\.$/, '')}${where}.`, {
    param: paramOf(part),
    details: { part, line, column },
  });
}

/**
 * Checks that all templates can be used, and returns the column `versions`: null unless the campaign is scheduled. A new template
 * of a scheduled campaign is pinned to its current version, and the others keep theirs. Also checks that there is still a
 * subject.
 */
async function checkTemplates(
  { store }: CampaignPlanning,
  scope: Scope,
  columns: Omit<EditedColumns, 'list_number' | 'versions'>,
  before: Campaign | null,
): Promise<string | null> {
  const sources = readCampaignSources(columns);
  const pins = JSON.parse(before?.versions ?? 'null') as Record<string, number> | null;
  const versions: Record<string, number> = {};
  for (const id of usedTemplates(sources)) {
    const pinned = pins?.[id];
    const param = pathOf(sources, id);
    const template = await store.templates.template(scope, id);
    if (pinned !== undefined) versions[id] = pinned;
    // A scheduled campaign keeps its version of a deleted template.
    if (!template && pinned !== undefined) continue;
    if (!template || (template.sub_tenant_id !== null && template.sub_tenant_id !== scope.subTenantId)) {
      throw new Refusal('template_not_found', `The template ${id} does not exist.`, { param });
    }
    if (template.type !== 'any' && template.type !== columns.type) {
      const message = `is for ${template.type} messages, but the campaign sends ${columns.type}`;
      throw invalidFields([{ path: param, message }]);
    }
    versions[id] ??= template.version;
  }
  if (pins === null) return null;
  const pinned = JSON.stringify(versions);
  // A scheduled campaign is not checked again, so it must keep the checked parts.
  assertSubject(sources, await readPinned(store, pinned));
  return pinned;
}

function pathOf(
  { template_id, variants, split }: ReturnType<typeof readCampaignSources>,
  id: string,
): string {
  if (id === template_id) return 'template_id';
  const tagged = variants.findIndex((variant) => variant.template_id === id);
  if (tagged >= 0) return `variants.${tagged}.template_id`;
  const drawn = split?.variants.findIndex((variant) => variant.template_id === id) ?? 0;
  return `split.variants.${drawn}.template_id`;
}

/** Returns epoch ms, null for now, or undefined without a time in the body. */
export function readScheduledAt(text: string | null | undefined, now: number): number | null | undefined {
  if (text === null || text === undefined) return undefined;
  const time = parseSendAt(text, now);
  if (!time.ok) throw invalidFields([{ path: 'scheduled_at', message: time.message }]);
  return time.at;
}

/** Returns `given`, or `before` if it is absent. */
function orPrevious<T>(given: T | null | undefined, before: T | null | undefined): T | null {
  return given === undefined ? (before ?? null) : given;
}

function emptyAsNull(text: string | null | undefined): string | null | undefined {
  return text?.trim() === '' ? null : text;
}

function flag(given: boolean | null | undefined): 0 | 1 | null | undefined {
  return typeof given === 'boolean' ? (given ? 1 : 0) : given;
}
