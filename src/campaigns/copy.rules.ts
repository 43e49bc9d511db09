// Chooses the sources of a recipient's copy of a campaign: their override, the variant of one of their tags, their variant of the
// random split, or the base.
import type { Split, SplitVariant } from './split.rules.js';

/** A variant by tag, as stored in a campaign's row. */
export interface TagVariant {
  tag: string;
  template_id: string;
  subject: string | null;
}

/** Columns of a campaign's row about its copies. */
export interface CampaignSources {
  /** '' if a draft has none. */
  template_id: string;
  subject: string | null;
  /** A contact gets the first variant whose tag they have. */
  variants: readonly TagVariant[];
  split: Split | null;
}

/** Content for one recipient, stored beside the campaign. At least one field is set. */
export interface CopyOverride {
  subject: string | null;
  html: string | null;
}

interface CopyQuestion {
  campaign: CampaignSources;
  /** The contact's tags. */
  tags: readonly string[];
  override: CopyOverride | null;
  /** The variant of the contact's group, or the winner; `null` without a split. */
  splitKey: string | null;
}

export interface CopySources {
  templateId: string;
  /** Replaces the template's subject; `null` keeps it. */
  subject: string | null;
  /** Used if the template has no subject. */
  spareSubject: string | null;
  /** Replaces the template's HTML and text, which is then derived; `null` keeps both. */
  html: string | null;
  /** The variant's tag or the split's key; `null` for the base. */
  variant: string | null;
  /** `variant`, if it is a tag. */
  variantTag: string | null;
  edited: boolean;
}

/** The sources of a campaign's row, whose `variants` and `split` are JSON. */
export function readCampaignSources(row: {
  template_id: string;
  subject: string | null;
  variants: string;
  split: string | null;
}): CampaignSources {
  return {
    template_id: row.template_id,
    subject: row.subject,
    // The campaign's routes have validated this JSON.
    variants: JSON.parse(row.variants) as TagVariant[],
    split: row.split === null ? null : (JSON.parse(row.split) as Split),
  };
}

/** Returns the distinct ids of the templates that a campaign uses, the base template first. */
export function usedTemplates({ template_id, variants, split }: CampaignSources): string[] {
  const splitTemplates = (split?.variants ?? []).flatMap((variant) => variant.template_id ?? []);
  const all = [template_id, ...variants.map((variant) => variant.template_id), ...splitTemplates];
  return [...new Set(all.filter((id) => id !== ''))];
}

/** Returns the variant of a contact with these tags, or null for the split's variant or the base. */
export function variantByTag(variants: readonly TagVariant[], tags: readonly string[]): TagVariant | null {
  return variants.find((variant) => tags.includes(variant.tag)) ?? null;
}

/**
 * Returns the sources of a recipient's copy. An override replaces only its own parts of the variant or the base. A variant
 * replaces the whole base message. Its template's subject falls back to the base subject.
 */
export function copySources({ campaign, tags, override, splitKey }: CopyQuestion): CopySources {
  const chosen = messageOf(campaign, tags, splitKey);
  const subject = override?.subject ?? null;
  const html = override?.html ?? null;
  return {
    ...chosen,
    subject: subject ?? chosen.subject,
    html,
    edited: subject !== null || html !== null,
  };
}

type Chosen = Pick<CopySources, 'templateId' | 'subject' | 'spareSubject' | 'variant' | 'variantTag'>;

function messageOf(campaign: CampaignSources, tags: readonly string[], splitKey: string | null): Chosen {
  const tagged = variantByTag(campaign.variants, tags);
  if (tagged !== null) {
    return {
      templateId: tagged.template_id,
      subject: tagged.subject,
      spareSubject: campaign.subject,
      variant: tagged.tag,
      variantTag: tagged.tag,
    };
  }
  const drawn = campaign.split?.variants.find(({ key }) => key === splitKey);
  if (drawn !== undefined) return ofSplit(campaign, drawn);
  return {
    templateId: campaign.template_id,
    subject: campaign.subject,
    spareSubject: null,
    variant: null,
    variantTag: null,
  };
}

function ofSplit(campaign: CampaignSources, drawn: SplitVariant): Chosen {
  const ownTemplate = drawn.template_id !== null && drawn.template_id !== campaign.template_id;
  return {
    templateId: drawn.template_id ?? campaign.template_id,
    subject: drawn.subject ?? (ownTemplate ? null : campaign.subject),
    spareSubject: campaign.subject,
    variant: drawn.key,
    variantTag: null,
  };
}
