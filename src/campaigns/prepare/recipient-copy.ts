// Renders a recipient's copy of a campaign, in the same way for preview, test and send.
import type { CampaignContext } from '../context.js';
import { Refusal, isUnavailable } from '../../contract/refusal.js';
import { copySources, readCampaignSources, usedTemplates, type CampaignSources } from '../copy.rules.js';
import { utmParameters, withUtmInHtml, withUtmInText, type Utm } from '../utm.rules.js';
import { splitGroup } from '../split.rules.js';
import type { Scope } from '../../database/scope.js';
import { assertSendable, isOverLimit, makeCopy, type Copy } from '../../templates/rendering/copy.js';
import { assertComplete } from './readiness.js';
import type { Contact } from '../../contacts/contacts.tables.js';
import type { Campaign, CampaignOverride } from '../campaigns.tables.js';
import type { CampaignStores } from '../stores.js';

interface CopyRecipient {
  contact: Contact;
  override: Pick<CampaignOverride, 'subject' | 'html'> | null;
  unsubscribeUrl: string;
}

/** Identifies a copy, even if it cannot be rendered. */
interface CopyKind {
  template: { id: string; version: number; name: string };
  /** The variant's tag or the split's key; `null` for the base. */
  variant: string | null;
  /** The variant's tag, or `null` for other variants. */
  variantTag: string | null;
  edited: boolean;
}

export type RecipientCopy =
  | (Copy & CopyKind & { kind: 'copy' })
  /** The copy of this recipient failed, but others can succeed. `code` is from the error catalogue. */
  | (CopyKind & { kind: 'problem'; code: string; message: string; isOverLimit: boolean });

/** Renders the copies of one campaign. Refuses only with `unavailable`, if too much is being rendered. */
export type RenderCopy = (recipient: CopyRecipient) => Promise<RecipientCopy>;

/**
 * Reads the sources that all copies of a campaign share. Templates have the versions that were pinned when it was sent or
 * scheduled, and otherwise their current versions. Refuses with `template_not_found`, or with `campaign_incomplete` if there is
 * no template yet.
 */
export async function openCopyRenderer(
  { store, renderer, config: { publicUrl } }: CampaignContext,
  scope: Scope,
  campaign: Campaign,
): Promise<RenderCopy> {
  assertComplete(campaign, ['template_id']);
  const sources = readCampaignSources(campaign);
  const owned = { ...scope, subTenantId: campaign.sub_tenant_id };
  const [templates, organization] = await Promise.all([
    readTemplates(store, owned, campaign),
    store.accounts.organization(scope),
  ]);
  const footer = organization.postal_address ?? '';
  const owner = campaign.sub_tenant_id ?? scope.workspaceId;

  const utm = campaign.utm === null ? {} : (JSON.parse(campaign.utm) as Utm); // written by the API only

  /** The bodies with the campaign's UTM parameters. */
  function taggedBodies({ html, text }: Copy, variant: string | null): Pick<Copy, 'html' | 'text'> {
    const facts = { campaign_name: campaign.name, campaign_id: campaign.id, variant: variant ?? '' };
    const parameters = utmParameters(utm, facts);
    if (parameters.length === 0) return { html, text };
    const terms = { parameters, publicUrl };
    return { html: html && withUtmInHtml(html, terms), text: text && withUtmInText(text, terms) };
  }

  return async ({ contact, override, unsubscribeUrl }) => {
    const { split } = sources;
    const group = split === null ? null : splitGroup(split, campaign.id, contact.number);
    const chosen = copySources({
      campaign: sources,
      tags: JSON.parse(contact.tags) as string[],
      override,
      splitKey: group ?? campaign.winner,
    });
    const template = templates.get(chosen.templateId);
    if (!template) throw new Refusal('template_not_found', undefined, { param: 'template_id' });
    const { variant, variantTag, edited } = chosen;
    const { id, version, name } = template;
    const kind: CopyKind = { template: { id, version, name }, variant, variantTag, edited };
    const subject = [chosen.subject, template.subject, chosen.spareSubject].find(isWritten);
    const html = chosen.html ?? (template.html || null);
    const text = chosen.html === null ? template.text || null : null;
    if (subject === undefined) return { ...kind, ...problem(new Refusal('subject_required')) };
    try {
      const copy = await makeCopy(renderer, {
        subject,
        html,
        text,
        variables: {},
        contact,
        unsubscribeUrl,
        footer,
        inlineCss: template.inline_css === 1,
        owner,
        param: 'template_id',
      });
      assertSendable(copy);
      return { ...copy, ...taggedBodies(copy, variant), ...kind, kind: 'copy' };
    } catch (error) {
      if (!(error instanceof Refusal) || isUnavailable(error)) throw error;
      return { ...kind, ...problem(error) };
    }
  };
}

export interface UnrenderedMessage {
  template: { id: string; version: number };
  subject: string;
}

/** Returns the campaign's own message without variables filled in. Refuses with `template_not_found`. */
export async function unrenderedMessage(
  store: CampaignContext['store'],
  scope: Scope,
  campaign: Campaign,
): Promise<UnrenderedMessage> {
  const templates = await readTemplates(store, { ...scope, subTenantId: campaign.sub_tenant_id }, campaign);
  const template = templates.get(campaign.template_id);
  if (!template) throw new Refusal('template_not_found', undefined, { param: 'template_id' });
  const { id, version } = template;
  return { template: { id, version }, subject: campaign.subject ?? template.subject ?? '' };
}

/**
 * Returns the template versions to pin for all copies from now on. Refuses with `template_not_found`, and with `subject_required`
 * if recipients without a variant or override would get a message without a subject.
 */
export async function pinnedVersions(
  store: CampaignContext['store'],
  scope: Scope,
  campaign: Campaign,
): Promise<Record<string, number>> {
  const owned = { ...scope, subTenantId: campaign.sub_tenant_id };
  const templates = await readTemplates(store, owned, { ...campaign, versions: null });
  assertSubject(readCampaignSources(campaign), templates);
  return Object.fromEntries([...templates.values()].map(({ id, version }) => [id, version]));
}

/** Refuses with `subject_required` if neither the base nor a variant of the split has a subject. */
export function assertSubject(
  { template_id, subject, split }: CampaignSources,
  templates: ReadonlyMap<string, Pick<TemplateSources, 'subject'>>,
): void {
  const subjects = [{ template_id, subject }, ...(split?.variants ?? [])].flatMap((message) => [
    message.subject,
    templates.get(message.template_id ?? template_id)?.subject ?? null,
  ]);
  if (subjects.some(isWritten)) return;
  const message = 'Neither the campaign nor its template has a subject. Add one.';
  throw new Refusal('subject_required', message, { param: 'subject' });
}

interface TemplateSources {
  id: string;
  version: number;
  name: string;
  subject: string | null;
  html: string | null;
  text: string | null;
  inline_css: 0 | 1;
}

/** Returns the templates of the column `versions`, including deleted ones. */
export async function readPinned(
  store: Pick<CampaignStores, 'templates'>,
  versions: string,
): Promise<Map<string, TemplateSources>> {
  const pins = Object.entries(JSON.parse(versions) as Record<string, number>);
  const rows = await store.templates.versionsOf(
    pins.map(([template_id, version]) => ({ template_id, version })),
  );
  return new Map(rows.map((row) => [row.template_id, { ...row, id: row.template_id }]));
}

async function readTemplates(
  store: CampaignContext['store'],
  scope: Scope,
  campaign: Campaign,
): Promise<Map<string, TemplateSources>> {
  if (campaign.versions !== null) return readPinned(store, campaign.versions);
  const templates = new Map<string, TemplateSources>();
  for (const id of usedTemplates(readCampaignSources(campaign))) {
    const template = await store.templates.template(scope, id);
    if (!template)
      throw new Refusal('template_not_found', `The template ${id} does not exist.`, { param: 'template_id' });
    if (template.type !== 'any' && template.type !== campaign.type) {
      const message = `Template ${id} is for ${template.type} messages, but this campaign sends ${campaign.type}.`;
      throw new Refusal('validation_error', message, { param: 'template_id' });
    }
    templates.set(id, template);
  }
  return templates;
}

function isWritten(text: string | null): text is string {
  return text !== null && text.trim() !== '';
}

function problem(refusal: Refusal): {
  kind: 'problem';
  code: string;
  message: string;
  isOverLimit: boolean;
} {
  const { code, message } = refusal;
  return { kind: 'problem', code, message, isOverLimit: isOverLimit(refusal) };
}
