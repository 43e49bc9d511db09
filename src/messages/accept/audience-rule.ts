// Marketing and sales mail goes to saved contacts only, from an organization with a postal address.
import { Refusal } from '../../contract/refusal.js';
import type { MessageType } from '../../contract/names.js';
import type { AudienceStore } from '../../contacts/audience.store.js';
import type { Organization } from '../../accounts/accounts.store.js';
import type { Scope } from '../../store/scope.js';
import type { Recipient } from './recipients.js';

const SUPPRESSED_AS = { unsubscribed: 'unsubscribe', bounced: 'bounce', complained: 'complaint' } as const;

/**
 * The reasons, by address, why contacts among the recipients are not to be written to: an opt-out may stand in the
 * contact alone. Empty for transactional mail. Refused with `recipient_not_a_contact` or `postal_address_required`.
 */
export async function checkAudience(
  audience: Pick<AudienceStore, 'contactByAddress'>,
  scope: Scope,
  message: { type: MessageType; recipients: readonly Recipient[] },
  organization: Pick<Organization, 'postal_address'>,
): Promise<Map<string, string>> {
  const optedOut = new Map<string, string>();
  const { type, recipients } = message;
  if (type === 'transactional') return optedOut;
  for (const { key, email, path } of recipients) {
    const contact = await audience.contactByAddress(scope, key);
    if (!contact) {
      throw new Refusal(
        'recipient_not_a_contact',
        `${email} is not a contact; ${type} mail goes to contacts only.`,
        {
          param: path,
        },
      );
    }
    if (contact.status !== 'active') optedOut.set(key, SUPPRESSED_AS[contact.status]);
  }
  if ((organization.postal_address ?? '').trim() === '') throw new Refusal('postal_address_required');
  return optedOut;
}
