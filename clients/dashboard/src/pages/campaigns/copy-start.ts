// Prepares the initial text for editing one recipient's copy: the mail that this person would get, without the footer.
import type { Campaign, CampaignRecipient, Mailkeel } from '@mailkeel/sdk';

export interface Edit {
  subject: string;
  html: string;
}

export interface CopyStart {
  /** The initial values of the fields. */
  edit: Edit;
  /** Whether the recipient already has an edited subject or content. */
  hasOwn: Record<keyof Edit, boolean>;
}

const UNSUBSCRIBE_URL = /\{\{\{?\s*unsubscribe_url\s*\}?\}\}/g;
/** Replaces the placeholder while the rest is rendered, because each message gets its own link. */
const KEPT = 'mailkeel-keeps-unsubscribe-url';

export async function readCopyStart(
  api: Mailkeel,
  campaign: Campaign,
  recipient: CampaignRecipient,
): Promise<CopyStart> {
  const { email, edited, subject } = recipient;
  const own = edited ? await findOverride(api, campaign.id, email) : null;
  return {
    edit: {
      subject: own?.subject ?? subject ?? '',
      html: own?.html ?? (await filledHtml(api, campaign, recipient)),
    },
    hasOwn: { subject: own !== null && own.subject !== null, html: own !== null && own.html !== null },
  };
}

/** The options of requests in the campaign's own scope. */
export function scopeOf({ sub_tenant_id: subTenant }: Campaign): { subTenant?: string } {
  return subTenant === null ? {} : { subTenant };
}

/** Id of the template that the plan gives to this recipient. */
function templateOf(campaign: Campaign, { variant, variant_tag: tag }: CampaignRecipient): string | null {
  const byTag = campaign.variants.find((one) => one.tag === tag);
  const bySplit = campaign.split?.variants.find(({ key }) => key === variant);
  return byTag?.template_id ?? bySplit?.template_id ?? campaign.template_id;
}

async function findOverride(api: Mailkeel, id: string, email: string) {
  for await (const one of api.campaigns.listOverrides(id, { limit: 100 })) {
    if (one.email.toLowerCase() === email.toLowerCase()) return one;
  }
  return null;
}

async function filledHtml(api: Mailkeel, campaign: Campaign, recipient: CampaignRecipient): Promise<string> {
  const templateId = templateOf(campaign, recipient);
  if (templateId === null) return '';
  const { html, text } = await api.templates.get(templateId);
  const keep = (source: string) => source.replaceAll(UNSUBSCRIBE_URL, KEPT);
  const content = html === null ? { text: keep(text ?? '') } : { html: keep(html) };
  const filled = await api.templates.renderContent(
    { ...content, contact: recipient.email },
    scopeOf(campaign),
  );
  const shown = html === null ? paragraphsOf(filled.text ?? '') : (filled.html ?? '');
  return asSource(shown);
}

/** Escapes rendered HTML so that rendering it again gives the same result, because braces in the text are not placeholders. */
export function asSource(filled: string): string {
  return filled.replaceAll('{{', '&#123;&#123;').replaceAll(KEPT, '{{unsubscribe_url}}');
}

/** A plain text as html. */
export function paragraphsOf(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${paragraph.replaceAll('\n', '<br>\n')}</p>`)
    .join('\n');
}
