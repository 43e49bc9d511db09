// Checks whether a campaign's senders and templates are ready.
import { Refusal, type FieldProblem } from '../../contract/refusal.js';
import type { Scope } from '../../database/scope.js';
import type { SenderSide } from '../../messages/accept/facts.js';
import {
  assertTenantSends,
  chooseSenders,
  givenSenders,
  type Senders,
} from '../../messages/accept/sender.js';
import type { Campaign } from '../campaigns.tables.js';

/**
 * Returns the senders of a campaign. Refuses with `tenant_suspended`, `postal_address_required`, `sender_required` or
 * `sender_not_verified`.
 */
export function requireSenders(campaign: Campaign, side: SenderSide, { mode }: Pick<Scope, 'mode'>): Senders {
  assertTenantSends(side, mode);
  if ((side.organization.postal_address ?? '').trim() === '') throw new Refusal('postal_address_required');
  return chooseSenders(givenSenders(campaign), side, mode);
}

/** Fields that a draft may lack, but that sending requires. */
type CampaignPart = 'list_id' | 'template_id';

const MISSING: Readonly<Record<CampaignPart, FieldProblem>> = {
  list_id: { path: 'list_id', message: 'The campaign does not have a list. Choose one.' },
  template_id: { path: 'template_id', message: 'The campaign does not have a template. Choose one.' },
};

/** Returns the parts that a draft lacks, with a sentence for each. */
function missingParts({
  list_number,
  template_id,
}: Pick<Campaign, 'list_number' | 'template_id'>): FieldProblem[] {
  return [
    ...(list_number === 0 ? [MISSING.list_id] : []),
    ...(template_id === '' ? [MISSING.template_id] : []),
  ];
}

/** Refuses with `campaign_incomplete` and the names of the parts that the campaign lacks. */
export function assertComplete(
  campaign: Pick<Campaign, 'list_number' | 'template_id'>,
  needed: readonly CampaignPart[] = ['list_id', 'template_id'],
): void {
  const fields = missingParts(campaign).filter(({ path }) => needed.some((part) => part === path));
  const [first] = fields;
  if (first === undefined) return;
  const message = fields.map((field) => field.message).join(' ');
  throw new Refusal('campaign_incomplete', message, { param: first.path, details: { fields } });
}
