// Prepares a claimed message: checks whether it may still be sent, composes and signs it. Rows are read in batches.
import { isAscii } from 'node:buffer';
import {
  type ComposedMessage,
  addressDomain,
  holdsUtf8,
  joinMessage,
  toSevenBit,
} from '../../lib/mime/index.js';
import type { DkimSigner } from '../../lib/dkim/index.js';
import { type DsnParameters, dsnRequest, readDsnOptions } from '../../lib/dsn/index.js';
import { isWithin } from '../../domains/senders/sender.rules.js';
import { blockingRow } from '../../suppressions/suppression.rules.js';
import type { Clock } from '../../lib/runtime/index.js';
import type { ForwardStore } from '../../messages/inboxes/forwards.store.js';
import { type ForwardingEnd, type ForwardTrace, readTrace } from '../../messages/inboxes/forwards.tables.js';
import type { Deliverable } from '../../messages/deliverables.store.js';
import type { CopyStops, Stop, StopsAmong } from './stops.rules.js';
import type { OutboundStores } from '../stores.js';
import { isSystemWorkspace } from '../../messages/system-mail/system-workspace.js';
import { composeOutgoing, messageDate, type ComposeSettings } from './compose.js';
import type { AttemptResult, Via } from '../outcome/attempt.rules.js';
import type { Smarthost } from '../route/smarthost.rules.js';
import { signatureFields } from './signatures.js';
import type { SigningKeys } from './signing-keys.js';
import type { Suppression } from '../../suppressions/suppressions.tables.js';

/**
 * Number of messages that are read together and then composed and signed one after the other. The event loop handles
 * sockets and reports between batches.
 */
const BATCH = 16;

export interface ReadyMail {
  kind: 'ready';
  mailFrom: string;
  rcptTo: string;
  bytes: Buffer;
  /** Epoch ms in its Date field. */
  datedAt: number;
  /** Unix seconds. */
  signedAt: number;
  /** DSN options for the peer, if any (RFC 3461). */
  dsn: DsnParameters | null;
  /** `null` for ASCII mail, which every peer accepts. */
  eightBit: EightBitMail | null;
}

/** 8-bit mail, which needs extensions that not every peer supports. */
interface EightBitMail {
  /** Whether header fields contain UTF-8, so that SMTPUTF8 is required in addition to 8BITMIME. */
  hasUtf8Fields: boolean;
  /** Converts the mail to ASCII and signs it again. Returns `null` if it has no such form. */
  sevenBit(): Prepared | null;
}

export type Prepared = ReadyMail | { kind: 'ended'; result: AttemptResult };

interface Loaded {
  deliverable: Deliverable | null;
  unsubscribeBlocks: 'all' | 'marketing';
  /** Suppressions of the recipient, which may block the message. */
  suppressions: Suppression[];
  /** Reason why the copy of a campaign or sequence, or a message with a topic, must not be sent. */
  stop: Stop | null;
  /** How the forwarding that the message belongs to has ended. */
  forwardingEnd: ForwardingEnd | null;
}

/** The keys of all forms of the mail. */
interface Signing {
  signers: DkimSigner[];
  /** Null for a message that is not forwarded. */
  forward: ForwardTrace | null;
}

/** Fields that all forms of the mail share. */
type Envelope = Pick<ReadyMail, 'mailFrom' | 'rcptTo' | 'dsn' | 'datedAt'>;

type DeliveryReads = {
  copyStops: CopyStops;
  forwards: Pick<ForwardStore, 'endedAmong'>;
  leftTopicAmong: StopsAmong;
  messages: Pick<OutboundStores['messages'], 'deliverables'>;
  suppressions: Pick<OutboundStores['suppressions'], 'suppressionsAmong'>;
};

type PreparerSettings = ComposeSettings & {
  messageSizeLimitBytes: number;
  /** Header fields and envelope senders by the name of the smarthost. */
  smarthosts: ReadonlyMap<string, Pick<Smarthost, 'headers' | 'mailFrom'>>;
};

/** How a message leaves. */
interface Leaving {
  via: Via;
  /** Name of the source or smarthost. */
  source: string;
  /** Epoch ms. */
  startedAt: number;
}

export class Preparer {
  readonly #signingKeys: SigningKeys;
  readonly #settings: PreparerSettings;
  readonly #clock: Clock;
  readonly #load: ReturnType<typeof createLoader>;

  constructor(store: DeliveryReads, signingKeys: SigningKeys, settings: PreparerSettings, clock: Clock) {
    this.#signingKeys = signingKeys;
    this.#settings = settings;
    this.#clock = clock;
    this.#load = createLoader(store);
  }

  /**
   * Loads, checks, composes and signs a message. Its Date is `startedAt` (epoch ms), unless an earlier attempt set it. Calls
   * in one turn of the event loop share their queries.
   */
  async prepare(messageId: number, { via, source, startedAt }: Leaving): Promise<Prepared> {
    const { deliverable, unsubscribeBlocks, suppressions, stop, forwardingEnd } = await this.#load(messageId);
    if (!deliverable) {
      return ended({ kind: 'failed', category: 'routing', message: 'The message no longer exists.' });
    }
    const refused = mayNotGo(deliverable, suppressions, unsubscribeBlocks);
    if (refused) return ended(refused);
    if (stop) return ended(stopped(stop));
    if (forwardingEnd !== null) return ended({ kind: 'canceled', reason: forwardingEnd });
    const found = await this.#signingKeys.signersFor(deliverable);
    if (found.kind === 'unsigned') return ended({ kind: 'held', reason: 'signing', message: found.message });
    const datedAt = messageDate(deliverable, startedAt);
    const { composed, mailFrom: ownSender, rcptTo } = composeOutgoing(deliverable, datedAt, this.#settings);
    const smarthost = via === 'smarthost' ? this.#settings.smarthosts.get(source) : undefined;
    const mailFrom = ownSender === '' ? '' : (smarthost?.mailFrom ?? ownSender);
    const { public_id: publicId, dsn } = deliverable.message;
    const asked = dsnRequest({ via, wish: readDsnOptions(dsn), messageId: publicId, mailFrom, rcptTo });
    const unsigned = (smarthost?.headers ?? []).map(([name, value]) => `${name}: ${value}`);
    return this.#sign(
      composed,
      { signers: found.signers, forward: readTrace(deliverable.message.forward), unsigned },
      { mailFrom, rcptTo, dsn: asked, datedAt },
    );
  }

  /** `unsigned`: lines above the signatures, which the smarthost removes. */
  #sign(
    form: ComposedMessage,
    { unsigned, ...signing }: Signing & { unsigned: string[] },
    envelope: Envelope,
  ): Prepared {
    const signedAt = Math.floor(this.#clock() / 1000);
    const signatures = trySign(form, { ...signing, signedAt });
    if (typeof signatures === 'string')
      return ended({ kind: 'held', reason: 'signing', message: signatures });
    const bytes = joinMessage([...unsigned, ...signatures, ...form.headerLines], form.body);
    if (bytes.length > this.#settings.messageSizeLimitBytes) {
      const message = `The composed message has ${bytes.length} bytes, but the limit is ${this.#settings.messageSizeLimitBytes}.`;
      return ended({ kind: 'failed', category: 'too_large', message });
    }
    const eightBit: EightBitMail | null = isAscii(bytes)
      ? null
      : {
          hasUtf8Fields: holdsUtf8(form.headerLines),
          sevenBit: () => {
            // Another encoding would break the signature of the author of forwarded mail.
            const inAscii = signing.forward === null ? toSevenBit(form) : null;
            return inAscii === null ? null : this.#sign(inAscii, { ...signing, unsigned }, envelope);
          },
        };
    return { kind: 'ready', ...envelope, bytes, signedAt, eightBit };
  }
}

function ended(result: AttemptResult): Prepared {
  return { kind: 'ended', result };
}

function mayNotGo(
  deliverable: Deliverable,
  suppressions: readonly Suppression[],
  unsubscribeBlocks: 'all' | 'marketing',
): AttemptResult | null {
  const { message, workspaceId } = deliverable;
  // A person waits for each system mail, and no API lifts a suppression of the system workspace.
  const row = blockingRow(isSystemWorkspace(workspaceId) ? [] : suppressions, {
    type: message.type,
    subTenantId: message.sub_tenant_id,
    unsubscribeBlocks,
    isAskedFor: message.asked_for === 1,
  });
  if (row) return { kind: 'suppressed', reason: row.reason };
  return tenantProblem(deliverable) ?? senderProblem(deliverable);
}

function tenantProblem({ message, tenant }: Deliverable): AttemptResult | null {
  if (message.sub_tenant_id === null) return null;
  if (!tenant || tenant.deleted_at !== null) {
    return { kind: 'failed', category: 'tenant', message: 'The sub-tenant was deleted.' };
  }
  if (tenant.isPaused) return { kind: 'held', reason: 'tenant', message: 'The sub-tenant is paused.' };
  if (tenant.status === 'suspended') {
    return { kind: 'held', reason: 'tenant', message: 'The sub-tenant is suspended.' };
  }
  return null;
}

/** Checks the sender again, because it may have been deleted or lost its verification since the message was accepted. */
function senderProblem({ message, tenant, workspaceId, vouching }: Deliverable): AttemptResult | null {
  // Reports and system mail are sent from the platform's domains or from a sender that was just checked.
  if (vouching === null || message.null_sender === 1 || isSystemWorkspace(workspaceId)) return null;
  // Its author is anyone who wrote to the inbox.
  if (message.forward !== null) return null;
  const held = (text: string): AttemptResult => ({ kind: 'held', reason: 'sender', message: text });
  switch (vouching.status) {
    case 'verified':
      return null;
    case 'suspended':
      return held(`The sender ${vouching.identity} is suspended because its DKIM record is not in DNS.`);
    case 'unverified':
      return held(`The sender ${vouching.identity} is no longer verified.`);
    case 'removed': {
      const domain = tenant?.sending_domain;
      if (domain !== undefined && isWithin(addressDomain(message.from_email), domain)) {
        return held(`The sub-tenant's domain ${domain} is no longer verified.`);
      }
      const text = `${message.from_email} can no longer be used because the sender or its domain was removed.`;
      return { kind: 'failed', category: 'sender', message: text };
    }
  }
}

function stopped(stop: Stop): AttemptResult {
  return stop.kind === 'held' ? { ...stop, message: 'The campaign is paused or canceled.' } : stop;
}

function trySign(form: ComposedMessage, signing: Signing & { signedAt: number }): string[] | string {
  try {
    return signatureFields(form, signing);
  } catch (error) {
    // Mail that cannot be signed is put on hold and never sent unsigned.
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns a function that loads a message. Calls in one turn of the event loop share their queries. */
function createLoader(store: DeliveryReads): (messageId: number) => Promise<Loaded> {
  let asked = new Map<number, { resolve: (loaded: Loaded) => void; reject: (error: unknown) => void }>();

  async function readBatch(batch: typeof asked): Promise<void> {
    const deliverables = await store.messages.deliverables([...batch.keys()]);
    const idsWith = (column: 'campaign_id' | 'sequence_id' | 'topic_id'): number[] =>
      [...deliverables.values()].flatMap(({ message }) => (message[column] === null ? [] : [message.id]));
    const stops = new Map([
      ...(await store.leftTopicAmong(idsWith('topic_id'))),
      ...(await store.copyStops.ofSequences(idsWith('sequence_id'))),
      ...(await store.copyStops.ofCampaigns(idsWith('campaign_id'))),
    ]);
    const forwardIds = new Map(
      [...deliverables.values()].flatMap(({ message }): [number, string][] => {
        const trace = readTrace(message.forward);
        return trace === null ? [] : [[message.id, trace.forward_id]];
      }),
    );
    const forwardingEnds = await store.forwards.endedAmong([...new Set(forwardIds.values())]);
    const suppressions = await store.suppressions.suppressionsAmong(
      [...deliverables.values()].map(({ message }) => ({
        environmentId: message.environment_id,
        emailKey: message.to_key,
      })),
    );
    for (const [messageId, { resolve }] of batch) {
      const deliverable = deliverables.get(messageId) ?? null;
      const rows = suppressions.filter(
        (row) =>
          row.email_key === deliverable?.message.to_key &&
          row.environment_id === deliverable.message.environment_id,
      );
      resolve({
        deliverable,
        unsubscribeBlocks: deliverable?.unsubscribeBlocks ?? 'all',
        suppressions: rows,
        stop: stops.get(messageId) ?? null,
        forwardingEnd: forwardingEnds.get(forwardIds.get(messageId) ?? '') ?? null,
      });
    }
  }

  function flush(): void {
    const batch = asked.size <= BATCH ? asked : new Map([...asked].slice(0, BATCH));
    if (batch === asked) asked = new Map();
    else {
      for (const messageId of batch.keys()) asked.delete(messageId);
      setImmediate(flush);
    }
    readBatch(batch).catch((error: unknown) => {
      for (const { reject } of batch.values()) reject(error);
    });
  }

  return (messageId) =>
    new Promise((resolve, reject) => {
      if (asked.size === 0) setImmediate(flush);
      asked.set(messageId, { resolve, reject });
    });
}
