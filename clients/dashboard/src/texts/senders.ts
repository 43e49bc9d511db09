// Texts of the list of senders and of one sender.
import { catalogue } from './texts.js';

const en = {
  title: 'Senders',
  about: 'The addresses and domains that mail may come from.',
  newOne: 'Add a sender',
  back: 'Senders',
  search: 'Search',
  searchHint: 'Address, domain or name',
  sender: 'Sender',
  kind: 'Kind',
  kinds: { address: 'address', domain: 'domain' },
  kindChoice: 'What do you want to send from?',
  kindTitles: { domain: 'A domain', address: 'One address' },
  kindHints: {
    domain: 'Any address of it may be used. DNS records prove that it is yours, and sign the mail.',
    address: 'Its owner gets a mail with a link and confirms it.',
  },
  domain: 'Domain',
  domainExample: 'example.com',
  email: 'Address',
  emailExample: 'hello@example.com',
  displayName: 'Name beside the address',
  subTenant: 'Sub-tenant',
  subTenantHint: 'The id of a sub-tenant, or external: and its external id. Empty: the workspace itself.',
  isDefault: 'default',
  checked: 'Checked',
  emptyTitle: 'No senders yet',
  empty: 'Add a domain to send from any address of it, or a single address that its owner confirms.',
  add: 'Add the sender',
  makeDefault: 'Make it the default',
  madeDefault: 'Messages without a From come from this address now.',
  resend: 'Send the link again',
  resent: 'The mail with a new link is on its way.',
  remove: 'Delete',
  removed: 'Deleted.',
  removeTitle: (name: string) => `Delete ${name}?`,
  removeDomain:
    'Its keys sign no more, and no mail is accepted from it. What waits to be sent from it fails. Addresses of it that their owners did not confirm have to be verified again. Its share links open nothing.',
  removeAddress:
    'No mail is accepted from it any more, unless its domain is a verified sender. What waits to be sent from it fails.',
  removeDefault: 'It is the default: messages without a From are refused then.',
  facts: 'Facts',
  id: 'Id',
  verifiedAt: 'Verified',
  confirmUntil: 'Link valid until',
  state: {
    verified: 'Verified: mail may be sent from it.',
    pendingDomain:
      'Not verified: publish the required record, then check. Until then mail from it is refused.',
    pendingAddress:
      'Not confirmed: its owner has not followed the link yet. Until then mail from it is refused.',
    failedDomain: 'Not verified: the records were not found in time. Publish them, then check.',
    failedAddress: 'Not confirmed in time. Send the link again.',
    suspended:
      'Suspended: DNS does not show the key that signs, or another workspace has proved the domain since. Its mail waits.',
  },
  instead: 'The whole domain instead',
  addressAbout: 'An address has no DNS records of its own: those of its domain sign and align its mail.',
  useDomain:
    'A verified domain is the better sender: its signature is that of the From, and every address of it may be used.',
  whole: 'Add the whole domain',
};

export const senders = catalogue(en, () => import('./de/senders.js').then(({ de }) => de));
export type SendersTexts = typeof en;
