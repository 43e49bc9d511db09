// Admits recipients for the listener, and stores accepted mail durably. Nothing is parsed here: the 250
// waits for the commit and for nothing else.
import { type Clock, createLruCache } from '../lib/runtime/index.js';
import { domainOf } from '../lib/mime/index.js';
import { readReplyLocal, readUnsubscribeLocal } from '../messages/mail-tokens.rules.js';
import type { TokenKey } from '../lib/tokens/index.js';
import { readReturnPathLocal } from '../messages/verp.rules.js';
import { waitingMail, type InboundClient } from './inbound.store.js';
import type { InboundStores } from './stores.js';
import type { InboundKind } from './inbound.tables.js';
import { REPORT_LOCALS } from '../domains/report-addresses.rules.js';
import { spoolMail } from './spool.store.js';
import type { InboundOwner } from './inbound-owners.store.js';

/** Time (ms) that the owner of a customer's domain is cached, or that there is none. */
const OWNER_TTL_MS = 10_000;
const MAX_OWNERS = 10_000;
/** Taken at every domain of ours, and without one, whatever the settings say (RFC 5321 section 4.5.1). */
const POSTMASTER = 'postmaster';
const SIGNED_PREFIX = /^(?:reply|unsubscribe)\+/i;

export interface AdmitSettings {
  /** The platform's own domains, lower case: for bounces, for replies, and the host's. */
  ownDomains: readonly string[];
  /** Local parts, lower case, that take complaints at every domain of ours. */
  feedbackLocals: readonly string[];
}

/** A recipient that mail is taken for. */
export interface Admitted {
  /** As given in RCPT. */
  address: string;
  kind: InboundKind;
  /** The message, sub-tenant or sender that the address names; '' for feedback and reports. */
  target: string;
}

type DomainOwner = Pick<InboundOwner, 'id' | 'takesMail'>;

export interface ReceivedEnvelope {
  /** '' for the null sender. */
  mailFrom: string;
  recipients: readonly Admitted[];
  client: InboundClient;
}

export interface Admit {
  /** Null for every address that is not ours, or that nobody signed. */
  recipient(address: string): Promise<Admitted | null>;
  /** Mail for some address of the domain is taken here. */
  isOurs(domain: string): Promise<boolean>;
  /** Resolves when octets and recipients are on disk. Rejects when the store cannot take them now. */
  keep(raw: Uint8Array, envelope: ReceivedEnvelope): Promise<void>;
}

export interface AdmitDeps {
  store: Pick<InboundStores, 'inbound' | 'commit'>;
  tokenKeys: readonly TokenKey[];
  settings: AdmitSettings;
  clock: Clock;
  /** Mail was kept. */
  ring: () => void;
}

export function createAdmit({ store, tokenKeys, settings, clock, ring }: AdmitDeps): Admit {
  const { ownDomains } = settings;
  const feedbackLocals = [POSTMASTER, ...settings.feedbackLocals];
  const owners = createLruCache<string, { owner: DomainOwner | null }>(MAX_OWNERS, { ttl: OWNER_TTL_MS });

  async function ownerOf(
    read: 'inboundOwner' | 'returnPathOwner',
    domain: string,
  ): Promise<DomainOwner | null> {
    const key = `${read} ${domain}`;
    const known = owners.get(key);
    if (known) return known.owner;
    const owner = await store.inbound[read](domain);
    owners.set(key, { owner });
    return owner;
  }

  /** A signed token needs no row: it is valid for the domain that it was made for. */
  function byToken(local: string, domain: string): Pick<Admitted, 'kind' | 'target'> | null {
    const bounced = readReturnPathLocal(local, domain, tokenKeys);
    if (bounced !== null) return { kind: 'return_path', target: bounced };
    const answered = readReplyLocal(local, domain, tokenKeys);
    if (answered !== null) return { kind: 'reply', target: answered };
    const left = readUnsubscribeLocal(local, domain, tokenKeys);
    return left === null ? null : { kind: 'unsubscribe', target: left };
  }

  async function targetOf(local: string, domain: string): Promise<Pick<Admitted, 'kind' | 'target'> | null> {
    const signed = byToken(local, domain);
    if (signed) return signed;
    const takesFeedback = feedbackLocals.includes(local.toLowerCase());
    if (ownDomains.includes(domain)) {
      if (REPORT_LOCALS.includes(local.toLowerCase())) return { kind: 'report', target: '' };
      return takesFeedback ? { kind: 'feedback', target: '' } : null;
    }
    if (takesFeedback && (await ownerOf('returnPathOwner', domain))) return { kind: 'feedback', target: '' };
    // An address with a bad signature was made up, or cut in transit: a bounce would reach nobody who can put it right.
    if (SIGNED_PREFIX.test(local)) return null;
    const owner = await ownerOf('inboundOwner', domain);
    return owner?.takesMail ? { kind: 'mailbox', target: owner.id } : null;
  }

  return {
    async recipient(address) {
      if (address.toLowerCase() === POSTMASTER) return { address, kind: 'feedback', target: '' };
      const domain = domainOf(address);
      const local = address.slice(0, address.lastIndexOf('@'));
      if (domain === '' || local === '') return null;
      const found = await targetOf(local, domain);
      return found && { address, ...found };
    },

    async isOurs(domain) {
      if (ownDomains.includes(domain) || (await ownerOf('returnPathOwner', domain))) return true;
      return (await ownerOf('inboundOwner', domain))?.takesMail === true;
    },

    async keep(raw, { mailFrom, recipients, client }) {
      const now = clock();
      const mails = recipients.map(({ address, kind, target }) =>
        waitingMail({ received_at: now, client, mail_from: mailFrom, rcpt_to: address, kind, target }),
      );
      await store.commit([spoolMail({ raw, mails })], 'urgent');
      ring();
    },
  };
}
