// Processes the spool: parses and classifies each waiting message, and commits its outcome together with the `done` state, so
// that a crash can repeat the work but never its effect.
import type { MailAuthentication } from '../../lib/authentication/index.js';
import {
  createFactChannel,
  createKeyedMutex,
  createLoop,
  type Loop,
  type WakeUp,
} from '../../lib/concurrency/index.js';
import { Refusal, isUnavailable } from '../../contract/refusal.js';
import { readClient, type WaitingMail } from '../inbound.store.js';
import { allowedAddressTest } from '../../lib/addresses/index.js';
import { compileDsnRules } from '../../lib/dsn/index.js';
import { compileShipped } from '../../settings/shipped.js';
import type { InboundContext } from '../context.js';
import { compileReplyRules } from '../replies/reply-rules.rules.js';
import type { MailReader, ReaderBusy } from './mail-reader.js';
import { type ClassifiedMail, readMutexKey, recordMail, type RecordedMail } from './record-mail.js';
import { NOTHING_VISIBLE } from './mail-work.js';
import { classifyMail, type Classification, type ClassificationRules } from './classification.js';
import type { ParsedMail } from '../../lib/mime/index.js';
import { refusedReport, takeMailedReport } from '../reports/take-report.js';
import { type InboundMail, inboundMessages } from '../inbound.tables.js';
import type { Change } from '../../database/change.js';
import { update } from '../../database/rows.js';
import { appendEvent } from '../../events/append.store.js';
import { acceptMessage, makeReportDue } from '../../messages/accept/accept.store.js';

/** Messages processed concurrently for each reader thread. Most of them wait for DNS. */
const PARALLEL_PER_THREAD = 16;
const MAX_ATTEMPTS = 6;
const FIRST_RETRY_MS = 2_000;
/** For name servers that do not answer. Longer than the resolver caches their failure; all retries take over an hour. */
const FIRST_DNS_RETRY_MS = 15_000;
/** For a store that cannot write. */
const STORE_RETRY_MS = 15_000;
/** The store is polled this often without a wake-up. */
const IDLE_MS = 5_000;
/** The outcome while a message is processed. If the message is not in progress, the process ended during the work. */
const BEGUN = 'begun';
/** The outcome while a message is processed alone. If the process ends, the message is to blame. */
const BEGUN_ALONE = 'begun_alone';
const ENDED_OVER_IT = 'The process crashed every time it read this message.';

export interface EndedMail {
  mail: WaitingMail;
  outcome: string;
  /** Further facts, with ids and without addresses. */
  detail: Record<string, unknown>;
  at: number;
}

/** Announces messages whose outcome is on disk. */
export const inboundEnded = createFactChannel<EndedMail>();

export class InboundProcess {
  readonly #context: InboundContext;
  readonly #store: InboundContext['store'];
  readonly #clock: InboundContext['clock'];
  readonly #log: InboundContext['log'];
  readonly #reader: Pick<MailReader, 'read' | 'authenticate' | 'readReport'>;
  readonly #rules: ClassificationRules;
  readonly #isFeedbackSource: (address: string) => boolean;
  readonly #mutex = createKeyedMutex();
  readonly #inProgress: InProgress;
  /** Messages that are processed concurrently. */
  readonly #parallel: number;
  /** Number of free places before the spool is read again, because each read takes time. */
  readonly #minFree: number;
  readonly #loop: Loop;

  /** The listener notifies `wakeUp` after it has spooled mail. */
  constructor(
    context: InboundContext,
    { reader, wakeUp }: { reader: Pick<MailReader, 'read' | 'authenticate' | 'readReport'>; wakeUp: WakeUp },
  ) {
    const { store, config, room, clock, log } = context;
    this.#context = context;
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#reader = reader;
    this.#rules = {
      dsn: compileShipped('dsn-rules', compileDsnRules),
      reply: compileShipped('reply-rules', compileReplyRules),
    };
    this.#isFeedbackSource = allowedAddressTest(config.feedbackSources ?? []);
    this.#parallel = PARALLEL_PER_THREAD * config.inboundThreads;
    this.#minFree = Math.ceil(this.#parallel / 4);
    this.#inProgress = new InProgress({ mails: this.#parallel, octets: config.inboundMemoryBytes });
    this.#loop = createLoop({
      name: 'inbound',
      log,
      wakeUp,
      room,
      intervalMs: IDLE_MS,
      run: (signal) => this.#run(signal),
    });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    await this.#inProgress.allEnded();
  }

  /** Processes one batch of the spool. Returns whether to run again now. */
  async #run(signal: AbortSignal): Promise<boolean> {
    // Messages in progress are still in the table, and may come first.
    const limit = this.#inProgress.count() + this.#parallel;
    const othersOf = this.#inProgress.others();
    const found = await this.#store.inbound.due(this.#clock(), limit);
    const others = othersOf(found);
    const suspect = leastTried(others);
    if (suspect) {
      await this.#workAlone(suspect);
      return true;
    }
    const mails = this.#inProgress.fitting(others);
    // Recorded before the work, so that a message that crashes the process does not crash it again and again.
    if (mails.length > 0) await this.#store.commit([begun(mails)]);
    for (const mail of mails) this.#begin(mail);
    const isFull = (): boolean => this.#inProgress.count() > this.#parallel - this.#minFree;
    // If there is room, a wake-up announces more mail, and a slow message does not delay it.
    if (mails.length === others.length && !isFull()) return found.length === limit && others.length > 0;
    do await this.#inProgress.oneEnded();
    while (!signal.aborted && isFull());
    return true;
  }

  #begin(mail: WaitingMail): void {
    // Work starts inside the room, so that the node that enters next does not find a message half done.
    const leave = this.#context.room?.enter();
    this.#inProgress.begin(mail, () => this.#workLogged(mail).finally(() => leave?.()));
  }

  async #work(mail: WaitingMail): Promise<void> {
    try {
      const raw = (await this.#store.inbound.raws([mail.raw_id])).get(mail.raw_id);
      if (!raw) throw new Error(`The octets of inbound mail ${mail.id} are gone.`);
      if (mail.kind === 'report') {
        await this.#workReport(mail, raw);
        return;
      }
      const read = await this.#reader.read(raw, {
        owner: clientKey(mail),
        splitsReply: mail.kind !== 'return_path',
      });
      if (read.kind === 'busy') {
        await this.#retryUncounted(mail);
        return;
      }
      const classification = classifyMail(
        read.mail,
        { kind: mail.kind, mailFrom: mail.mail_from, rcptTo: mail.rcpt_to },
        this.#rules,
      );
      // Only complaints and replies depend on who sent them.
      const isLookedUp = classification.kind === 'reply' || classification.kind === 'complaint';
      const authentication = isLookedUp ? await this.#authenticate(mail, raw) : null;
      if (authentication !== null && 'kind' in authentication) {
        await this.#retryUncounted(mail);
        return;
      }
      // A genuine complaint must not look forged while name servers are down.
      if (
        classification.kind === 'complaint' &&
        isUndecided(authentication) &&
        mail.attempts + 1 < MAX_ATTEMPTS
      ) {
        await this.#retryLater(mail, FIRST_DNS_RETRY_MS * 4 ** mail.attempts);
        return;
      }
      const classified = {
        mail,
        raw,
        parsed: read.mail,
        visible: read.visible,
        risk: read.risk,
        classification,
        authentication,
        isFromFeedbackSource: this.#isFeedbackSource(readClient(mail).address),
      };
      const key = await readMutexKey(this.#context, classified);
      await this.#mutex(key, () => this.#record(classified));
    } catch (error) {
      await this.#failed(mail, error);
    }
  }

  /** Records a message. It is received even if the plan has no sends left to forward it. */
  async #record(classified: Omit<ClassifiedMail, 'isOverQuota'> & { mail: WaitingMail }): Promise<void> {
    const recorded = (isOverQuota: boolean) => recordMail(this.#context, { ...classified, isOverQuota });
    try {
      await this.#finish(classified.mail, await recorded(false));
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'quota_exceeded')) throw error;
      await this.#finish(classified.mail, await recorded(true));
    }
  }

  /** Processes a DMARC or TLS report. An unreadable report, or one about an unknown domain, is refused without being parked. */
  async #workReport(mail: WaitingMail, raw: Uint8Array): Promise<void> {
    const read = await this.#reader.readReport(raw, clientKey(mail));
    if (read.kind === 'busy') return this.#retryUncounted(mail);
    const { report, fromDomain } = read;
    if (report.kind === 'refused') return this.#finish(mail, refusedReport(report.refusal, report.problem));
    const authentication = await this.#authenticate(mail, raw);
    if (authentication !== null && 'kind' in authentication) return this.#retryUncounted(mail);
    // A genuine report must not look forged while name servers are down.
    if (isUndecided(authentication) && mail.attempts + 1 < MAX_ATTEMPTS) {
      return this.#retryLater(mail, FIRST_DNS_RETRY_MS * 4 ** mail.attempts);
    }
    const facts = { report, authentication, fromDomain, receivedAt: mail.received_at };
    await this.#mutex('reports', async () =>
      this.#finish(mail, await takeMailedReport(this.#context, facts)),
    );
  }

  async #authenticate(mail: InboundMail, raw: Uint8Array): Promise<MailAuthentication | ReaderBusy | null> {
    if (!this.#context.config.authenticateMail) return null;
    const { address, helo, simulated } = readClient(mail);
    // No server sent the sandbox's replies.
    if (simulated) return null;
    return this.#reader.authenticate(raw, { clientAddress: address, helo, mailFrom: mail.mail_from });
  }

  async #finish(mail: WaitingMail, { outcome, detail = {}, changes }: RecordedMail): Promise<void> {
    const done: Change = update(inboundMessages, {
      set: { state: 'done', outcome, detail: JSON.stringify(detail) },
      where: { id: mail.id, state: 'waiting' },
      otherwise: { code: 'conflict' },
    });
    try {
      const { queueIds } = await this.#store.commit([...changes, done]);
      if (queueIds.length > 0) this.#context.onQueued(queueIds);
    } catch (error) {
      // Another process has recorded the message already.
      if (error instanceof Refusal && error.code === 'conflict') return;
      throw error;
    }
    this.#log.info({ inbound: mail.id, kind: mail.kind, outcome, ...detail }, 'inbound message processed');
    inboundEnded.publish({ mail, outcome, detail, at: this.#clock() });
    if (changes.some((change) => appendEvent.is(change) || acceptMessage.is(change)))
      this.#context.onEvents();
    if (changes.some((change) => makeReportDue.is(change))) this.#context.onReports();
  }

  async #retryLater(mail: WaitingMail, waitMs: number, attempts = mail.attempts + 1): Promise<void> {
    const set = { due_at: this.#clock() + waitMs, attempts, outcome: null };
    await this.#store.commit([update(inboundMessages, { set, where: { id: mail.id, state: 'waiting' } })]);
  }

  async #failed(mail: WaitingMail, error: unknown): Promise<void> {
    const attempts = mail.attempts + 1;
    this.#log.error({ err: error, inbound: mail.id, attempts }, 'processing inbound message failed');
    // The message did not cause this, and a disk may be full for a day.
    if (isUnavailable(error)) {
      return this.#retryLater(mail, STORE_RETRY_MS, mail.attempts);
    }
    if (attempts < MAX_ATTEMPTS) return this.#retryLater(mail, FIRST_RETRY_MS * 4 ** attempts);
    await this.#recordUnread(mail, String(error));
  }

  /** Delivers an unreadable message for a person as received, and parks any other with its raw bytes. */
  async #recordUnread(mail: WaitingMail, reason: string): Promise<void> {
    if (mail.kind === 'report') return this.#finish(mail, refusedReport('unreadable'));
    const classification = classifyUnread(mail);
    if (classification === null) return this.#park(mail, reason);
    try {
      const { raw_id: id } = mail;
      const raw = (await this.#store.inbound.raws([id])).get(id);
      if (!raw) throw new Error(`The octets of inbound mail ${mail.id} are gone.`);
      const classified = {
        mail,
        raw,
        parsed: unreadMail(),
        visible: NOTHING_VISIBLE,
        risk: null,
        classification,
        authentication: null,
        isFromFeedbackSource: false,
      };
      const recorded = await recordMail(this.#context, { ...classified, isOverQuota: false });
      this.#log.error(
        { inbound: mail.id, kind: mail.kind, reason },
        'inbound message could not be parsed: delivered as received',
      );
      await this.#finish(mail, { ...recorded, detail: { ...recorded.detail, unread: reason } });
    } catch (error) {
      if (isUnavailable(error)) {
        return this.#retryLater(mail, STORE_RETRY_MS, mail.attempts);
      }
      this.#log.error({ err: error, inbound: mail.id }, 'processing inbound message failed');
      await this.#park(mail, String(error));
    }
  }

  /** Keeps the message until the operator retries or deletes it with `mailkeel admin inbound`. Doctor and /readyz report it. */
  async #park(mail: WaitingMail, reason: string): Promise<void> {
    const set = {
      state: 'failed' as const,
      outcome: 'fault',
      detail: JSON.stringify({ error: reason }),
    };
    await this.#store.commit([update(inboundMessages, { set, where: { id: mail.id, state: 'waiting' } })]);
    this.#log.error(
      { inbound: mail.id, kind: mail.kind, reason },
      'inbound message parked: retry or delete it with mailkeel admin inbound',
    );
    inboundEnded.publish({ mail, outcome: 'fault', detail: {}, at: this.#clock() });
  }

  async #workLogged(mail: WaitingMail): Promise<void> {
    try {
      await this.#work(mail);
    } catch (error) {
      // Not even the retry could be recorded, so the next poll finds the message unchanged.
      this.#log.error({ err: error, inbound: mail.id }, 'processing inbound message failed');
    }
  }

  /** Processes a suspect alone, so that a crash of the process is charged to no other message. */
  async #workAlone(mail: WaitingMail): Promise<void> {
    await this.#inProgress.allEnded();
    if (mail.attempts >= MAX_ATTEMPTS) return this.#recordUnread(mail, ENDED_OVER_IT);
    const set = { attempts: mail.attempts + 1, outcome: BEGUN_ALONE };
    await this.#store.commit([update(inboundMessages, { set, where: { id: mail.id, state: 'waiting' } })]);
    await this.#workLogged(mail);
  }

  /** Retries without counting the attempt, because the threads are busy. */
  #retryUncounted(mail: WaitingMail): Promise<void> {
    return this.#retryLater(mail, FIRST_RETRY_MS, mail.attempts);
  }
}

/** Returns whether a key could not be looked up, and no other signature passed. */
function isUndecided(authentication: MailAuthentication | null): boolean {
  const results = authentication?.dkim.filter(({ aligned }) => aligned).map(({ result }) => result) ?? [];
  return results.includes('temperror') && !results.includes('pass');
}

/** Returns the least tried message among those in progress when the process ended, so that the likely culprit comes last. */
function leastTried(mails: readonly WaitingMail[]): WaitingMail | undefined {
  return mails
    .filter(({ outcome }) => outcome === BEGUN || outcome === BEGUN_ALONE)
    .reduce<WaitingMail | undefined>(
      (least, mail) => (least === undefined || mail.attempts < least.attempts ? mail : least),
      undefined,
    );
}

/** Counts no attempt, because any of the messages may have ended a process. */
function begun(mails: readonly InboundMail[]): Change {
  return update(inboundMessages, {
    set: { outcome: BEGUN },
    where: { id: mails.map(({ id }) => id), state: 'waiting' },
  });
}

/** Returns the owner for fair queueing in the reader threads, so that slow messages of one client delay only its own. */
function clientKey(mail: WaitingMail): string {
  return readClient(mail).address;
}

/**
 * The messages in progress. Their number and their total size are limited. A slow message holds only its own place.
 */
export class InProgress {
  readonly #limits: { mails: number; octets: number };
  readonly #running = new Map<number, Promise<void>>();
  #octets = 0;

  constructor(limits: { mails: number; octets: number }) {
    this.#limits = limits;
  }

  count(): number {
    return this.#running.size;
  }

  /**
   * Returns a filter for messages that are not in progress now. Call it before you read the rows, so that a message that ends
   * meanwhile is still left out.
   */
  others(): (mails: readonly WaitingMail[]) => WaitingMail[] {
    const ids = new Set(this.#running.keys());
    return (mails) => mails.filter(({ id }) => !ids.has(id));
  }

  /** Returns the first messages that fit within the limits. A message of any size fits when no other is in progress. */
  fitting(mails: readonly WaitingMail[]): WaitingMail[] {
    let [count, size] = [this.#running.size, this.#octets];
    const taken: WaitingMail[] = [];
    for (const mail of mails) {
      const isAlone = count === 0;
      if (!isAlone && (count >= this.#limits.mails || size + mail.size_bytes > this.#limits.octets)) break;
      taken.push(mail);
      count += 1;
      size += mail.size_bytes;
    }
    return taken;
  }

  /** `work` must not reject. */
  begin({ id, size_bytes: size }: WaitingMail, work: () => Promise<void>): void {
    this.#octets += size;
    const ended = work().finally(() => {
      this.#octets -= size;
      this.#running.delete(id);
    });
    this.#running.set(id, ended);
  }

  /** Resolves when one message has ended, or now if none is in progress. */
  async oneEnded(): Promise<void> {
    if (this.#running.size > 0) await Promise.race(this.#running.values());
  }

  async allEnded(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}

/** Returns placeholder content for an unreadable message. Its raw form is stored too. */
function unreadMail(): ParsedMail {
  return {
    fields: [],
    from: null,
    replyTo: [],
    to: [],
    cc: [],
    subject: '',
    messageId: null,
    inReplyTo: [],
    references: [],
    date: null,
    text: null,
    html: null,
    parts: [],
    problems: ['The message could not be parsed and was stored as received. See the raw message.'],
  };
}

/** Classifies an unreadable message by its recipient. Returns `null` if the recipient alone is not enough. */
function classifyUnread({ kind, mail_from }: Pick<InboundMail, 'kind' | 'mail_from'>): Classification | null {
  switch (kind) {
    case 'reply':
    case 'mailbox':
      return { kind: 'reply', autoReply: null };
    case 'unsubscribe':
      // Automatic replies have the null sender (RFC 3834, RFC 3464) and request nothing.
      return mail_from === '' ? null : { kind: 'unsubscribe' };
    case 'return_path':
    case 'feedback':
    case 'report':
      return null;
  }
}
