// Finds the recipients of the listener's mail, and stores accepted mail durably. It parses nothing, because the 250 waits only
// for the commit.
import { type Clock, createLruCache } from '../lib/runtime/index.js';
import { addressDomain } from '../lib/mime/index.js';
import { readReplyLocal, readUnsubscribeLocal, SIGNED_PREFIX } from '../messages/mail-tokens.rules.js';
import type { TokenKey } from '../lib/tokens/index.js';
import { readReturnPathLocal } from '../messages/verp.rules.js';
import { waitingMail, type InboundClient } from './inbound.store.js';
import type { InboundContext } from './context.js';
import type { InboundStores } from './stores.js';
import type { InboundKind } from './inbound.tables.js';
import { REPORT_LOCALS } from '../domains/report-addresses.rules.js';
import { spoolMail } from './spool.store.js';
import type { InboundOwner } from './inbound-owners.store.js';

/** How long the owner of a customer's domain is cached, or its absence. */
const OWNER_TTL_MS = 10_000;
const MAX_OWNERS = 10_000;
/** Accepted at every domain of the server, and without a domain, regardless of the settings (RFC 5321 section 4.5.1). */
const POSTMASTER = 'postmaster';

/** A recipient address that the server accepts mail for. */
export interface ReceivingAddress {
  /** As given in RCPT. */
  address: string;
  kind: InboundKind;
  /** The message, sub-tenant or sender that the address names; '' for feedback and reports. */
  target: string;
}

type Target = Pick<ReceivingAddress, 'kind' | 'target'>;
type DomainOwner = Pick<InboundOwner, 'id' | 'takesMail'>;

interface ReceivedEnvelope {
  /** '' for the null sender. */
  mailFrom: string;
  recipients: readonly ReceivingAddress[];
  client: InboundClient;
}

type ReceiverConfig = Pick<
  InboundContext['config'],
  'bounceDomain' | 'inboundDomain' | 'hostname' | 'feedbackAddresses'
>;

export class Receiver {
  readonly #store: Pick<InboundStores, 'inbound' | 'commit'>;
  readonly #tokenKeys: readonly TokenKey[];
  readonly #ownDomains: readonly string[];
  /** Local parts, in lower case, that accept complaints at every domain of the server. */
  readonly #feedbackLocals: readonly string[];
  readonly #clock: Clock;
  readonly #onKept: () => void;
  readonly #owners = createLruCache<string, { owner: DomainOwner | null }>(MAX_OWNERS, { ttl: OWNER_TTL_MS });

  /** Calls `onKept` after mail was stored. */
  constructor(
    {
      store,
      config,
      keys,
      clock,
    }: Pick<InboundContext, 'store' | 'keys' | 'clock'> & { config: ReceiverConfig },
    onKept: () => void,
  ) {
    this.#store = store;
    this.#tokenKeys = keys.tokenKeys.all;
    this.#ownDomains = ownDomains(config);
    this.#feedbackLocals = [POSTMASTER, ...config.feedbackAddresses];
    this.#clock = clock;
    this.#onKept = onKept;
  }

  /** Returns `null` for an unknown address, and for one with an invalid signature. */
  async findRecipient(address: string): Promise<ReceivingAddress | null> {
    if (address.toLowerCase() === POSTMASTER) return { address, kind: 'feedback', target: '' };
    const domain = addressDomain(address);
    const local = address.slice(0, address.lastIndexOf('@'));
    if (domain === '' || local === '') return null;
    const found = await this.#findTarget(local, domain);
    return found && { address, ...found };
  }

  /** Returns whether the server accepts mail for any address of the domain. */
  async receivesFor(domain: string): Promise<boolean> {
    if (this.#ownDomains.includes(domain) || (await this.#readOwner('returnPathOwner', domain))) return true;
    return (await this.#readOwner('inboundOwner', domain))?.takesMail === true;
  }

  /** Resolves when the message and its recipients are on disk. Rejects if the store cannot write now. */
  async keep(raw: Uint8Array, { mailFrom, recipients, client }: ReceivedEnvelope): Promise<void> {
    const now = this.#clock();
    const mails = recipients.map(({ address, kind, target }) =>
      waitingMail({ received_at: now, client, mail_from: mailFrom, rcpt_to: address, kind, target }),
    );
    await this.#store.commit([spoolMail({ raw, mails })], 'urgent');
    this.#onKept();
  }

  async #findTarget(local: string, domain: string): Promise<Target | null> {
    const signed = this.#readToken(local, domain);
    if (signed) return signed;
    const takesFeedback = this.#feedbackLocals.includes(local.toLowerCase());
    if (this.#ownDomains.includes(domain)) {
      if (REPORT_LOCALS.includes(local.toLowerCase())) return { kind: 'report', target: '' };
      return takesFeedback ? { kind: 'feedback', target: '' } : null;
    }
    if (takesFeedback && (await this.#readOwner('returnPathOwner', domain))) {
      return { kind: 'feedback', target: '' };
    }
    // An address with an invalid signature was forged or truncated. A bounce would reach no one who can correct it.
    if (SIGNED_PREFIX.test(local)) return null;
    const owner = await this.#readOwner('inboundOwner', domain);
    return owner?.takesMail ? { kind: 'mailbox', target: owner.id } : null;
  }

  /** Reads a signed local part without the database. Its signature covers the domain. */
  #readToken(local: string, domain: string): Target | null {
    const bounced = readReturnPathLocal(local, domain, this.#tokenKeys);
    if (bounced !== null) return { kind: 'return_path', target: bounced };
    const answered = readReplyLocal(local, domain, this.#tokenKeys);
    if (answered !== null) return { kind: 'reply', target: answered };
    const left = readUnsubscribeLocal(local, domain, this.#tokenKeys);
    return left === null ? null : { kind: 'unsubscribe', target: left };
  }

  async #readOwner(read: 'inboundOwner' | 'returnPathOwner', domain: string): Promise<DomainOwner | null> {
    const key = `${read} ${domain}`;
    const known = this.#owners.get(key);
    if (known) return known.owner;
    const owner = await this.#store.inbound[read](domain);
    this.#owners.set(key, { owner });
    return owner;
  }
}

/** Returns the server's own domains that receive mail, in lower case. */
export function ownDomains({
  bounceDomain,
  inboundDomain,
  hostname,
}: Pick<ReceiverConfig, 'bounceDomain' | 'inboundDomain' | 'hostname'>): string[] {
  return [bounceDomain, inboundDomain, hostname].map((name) => name.toLowerCase());
}
