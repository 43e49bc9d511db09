// What must be true of a campaign at the moment that copies are made: who sends, from where, with which templates.
import { Refusal } from '../../contract/refusal.js';
import type { Campaign } from '../../store/campaigns.js';
import type { Scope } from '../../store/scope.js';
import type { SenderSide } from '../submission/facts.js';
import { assertTenantSends, chooseSenders, givenSenders, type Senders } from '../submission/sender.js';

/** Refused with `tenant_suspended`, `postal_address_required`, `sender_required` or `sender_not_verified`. */
export function sendersOf(campaign: Campaign, side: SenderSide, { mode }: Pick<Scope, 'mode'>): Senders {
  assertTenantSends(side, mode);
  if ((side.organization.postal_address ?? '').trim() === '') throw new Refusal('postal_address_required');
  return chooseSenders(givenSenders(campaign), side, mode);
}
