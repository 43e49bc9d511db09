// Texts of the list of senders and of one sender.
import { catalogue } from './texts.js';

const en = {
  title: 'Senders',
  about: 'Addresses and domains you can send from.',
  newOne: 'Add sender',
  back: 'Senders',
  search: 'Search',
  searchHint: 'Address, domain or name',
  sender: 'Sender',
  kind: 'Type',
  kinds: { address: 'address', domain: 'domain' },
  kindChoice: 'What do you want to send from?',
  kindTitles: { domain: 'Domain', address: 'Single address' },
  kindHints: {
    domain: 'Send from any address on the domain. Verified with DNS records, which also sign your email.',
    address: 'The owner confirms the address by following a link sent by email.',
  },
  domain: 'Domain',
  domainExample: 'example.com',
  email: 'Address',
  emailExample: 'hello@example.com',
  displayName: 'Display name',
  subTenant: 'Sub-tenant',
  subTenantHint: 'Leave empty for the workspace.',
  isDefault: 'default',
  checked: 'Checked',
  emptyTitle: 'No senders yet',
  empty: 'Add a domain to send from any of its addresses, or add a single address that its owner confirms.',
  add: 'Add sender',
  makeDefault: 'Make default',
  madeDefault: 'Default sender updated. Messages without a From address use this sender.',
  resend: 'Resend confirmation',
  resent: 'Confirmation email sent.',
  remove: 'Delete',
  removed: 'Sender deleted.',
  removeTitle: (name: string) => `Delete ${name}?`,
  removeDomain:
    'Mailkeel stops signing and accepting email from this domain. Queued messages from it fail. Addresses on the domain that their owners haven’t confirmed must be verified again. Its share links stop working.',
  removeAddress:
    'Mailkeel stops accepting email from this address, unless its domain is a verified sender. Queued messages from it fail.',
  removeDefault: 'This is the default sender. Without it, messages that have no From address are rejected.',
  facts: 'Details',
  id: 'ID',
  verifiedAt: 'Verified',
  confirmUntil: 'Link expires',
  state: {
    verified: 'Verified. You can send from this sender.',
    pendingDomain:
      'Not verified. Publish the required record, then check. Until then, messages from this domain are rejected.',
    pendingAddress:
      'Not confirmed. Messages from this address are rejected until its owner follows the link.',
    failedDomain:
      'Verification failed because the DNS records weren’t found in time. Publish them, then check again.',
    failedAddress: 'The address was not confirmed in time. Resend the confirmation.',
    suspended:
      'Suspended. The DKIM record is missing from DNS, or another workspace has since verified the domain. Messages are on hold.',
  },
  instead: 'Verify the domain instead',
  addressAbout:
    'A single address has no DNS records of its own. Its domain’s records are used to sign email.',
  useDomain:
    'With a verified domain, signatures match the From address and you can send from any address on the domain.',
  whole: 'Add domain',
};

export const senders = catalogue(en, () => import('./de/senders.js').then(({ de }) => de));
export type SendersTexts = typeof en;
