// Processes the spool: each waiting mail is parsed and classified, and its outcome recorded in one transaction with the
// note that it is done, so that a crash repeats a mail's work and never its effect.
import type { MailAuthentication } from '../../lib/authentication/index.js';
import {
  createFactChannel,
  createKeyedMutex,
  createLoop,
  type Loop,
  type WakeUp,
} from '../../lib/concurrency/index.js';
import { Refusal, isUnavailable } from '../../contract/refusal.js';
import { clientOf, type WaitingMail } from '../inbound.store.js';
import { allowedAddressTest } from '../../lib/addresses/index.js';
import { compileDsnRules } from '../../lib/dsn/index.js';
import { compileShipped } from '../../settings/shipped.js';
import type { InboundContext } from '../context.js';
import { compileReplyRules } from '../replies/reply-rules.rules.js';
import type { MailReader, ReaderBusy } from './mail-reader.js';
import { readMutexKey, recordMail, type RecordedMail } from './record-mail.js';
import { NOTHING_VISIBLE } from './mail-work.js';
import { classifyMail, type Classification, type ClassificationRules } from './classification.js';
import type { ParsedMail } from '../../lib/mime/index.js';
import { refusedReport, takeMailedReport } from '../reports/take-report.js';
import { type InboundMail, inboundMessages } from '../inbound.tables.js';
import type { Change } from '../../database/change.js';
import { update } from '../../database/rows.js';
import { appendEvent } from '../../events/append.store.js';
import { acceptMessage, makeReportDue } from '../../messages/accept/accept.store.js';

/** Messages processed at once for each reader thread. Most of them wait for DNS. */
const PARALLEL_PER_THREAD = 16;
const MAX_ATTEMPTS = 6;
const FIRST_RETRY_MS = 2_000;
/** For name servers that do not answer: longer than their silence is remembered, and more than an hour in all. */
const FIRST_DNS_RETRY_MS = 15_000;
/** For a store that cannot write: the same work again costs more than looking. */
const STORE_RETRY_MS = 15_000;
/** The store is polled this often without a wake-up. */
const IDLE_MS = 5_000;
/** Stands where the outcome will. On a mail that is not in work it says that the process ended meanwhile, for whatever reason. */
const BEGUN = 'begun';
/** The same of a mail that was worked on by itself: the end of the process is charged to it. */
const BEGUN_ALONE = 'begun_alone';
const ENDED_OVER_IT = 'The process crashed every time it read this message.';

/** A mail that was processed, and how it ended. */
export interface EndedMail {
  mail: WaitingMail;
  outcome: string;
  /** Further facts, with ids and without addresses. */
  detail: Record<string, unknown>;
  at: number;
}

/** Mail whose outcome is on disk. */
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
  /** Messages that are processed at once. */
  readonly #parallel: number;
  /** Free places that the next look at the spool waits for, because each look costs time. */
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
    // Mails in progress are in the table too, and may be first there.
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
    // Noted before the work: a mail that ends the process must not end it for ever.
    if (mails.length > 0) await this.#store.commit([begun(mails)]);
    for (const mail of mails) this.#begin(mail);
    const isFull = (): boolean => this.#inProgress.count() > this.#parallel - this.#minFree;
    // Otherwise a wake-up announces more, and one slow mail does not delay it.
    if (mails.length === others.length && !isFull()) return found.length === limit && others.length > 0;
    do await this.#inProgress.oneEnded();
    while (!signal.aborted && isFull());
    return true;
  }

  #begin(mail: WaitingMail): void {
    // Begun in the room: another node that has it next must not find the mail half done.
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
        owner: ownerOf(mail),
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
      // Only what is believed or shown by its origin is looked up.
      const isLookedUp = classification.kind === 'reply' || classification.kind === 'complaint';
      const authentication = isLookedUp ? await this.#authenticate(mail, raw) : null;
      if (authentication !== null && 'kind' in authentication) {
        await this.#retryUncounted(mail);
        return;
      }
      // Name servers that are down must not make an honest complaint look forged.
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
        classification,
        authentication,
        isFromFeedbackSource: this.#isFeedbackSource(clientOf(mail).address),
      };
      const key = await readMutexKey(this.#context, classified);
      await this.#mutex(key, async () => this.#finish(mail, await recordMail(this.#context, classified)));
    } catch (error) {
      await this.#failed(mail, error);
    }
  }

  /** A DMARC or TLS report about us: what cannot be read or is nobody's ends here, and no person is asked. */
  async #workReport(mail: WaitingMail, raw: Uint8Array): Promise<void> {
    const read = await this.#reader.readReport(raw, ownerOf(mail));
    if (read.kind === 'busy') return this.#retryUncounted(mail);
    const { report, fromDomain } = read;
    if (report.kind === 'refused') return this.#finish(mail, refusedReport(report.refusal, report.problem));
    const authentication = await this.#authenticate(mail, raw);
    if (authentication !== null && 'kind' in authentication) return this.#retryUncounted(mail);
    // Name servers that are down must not make an honest report look forged.
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
    const { address, helo, simulated } = clientOf(mail);
    // The sandbox asks nobody: no server sent it.
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
      await this.#store.commit([...changes, done]);
    } catch (error) {
      // Another process was first; what it made is what there is.
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
    // Not the mail's doing either: a disk may be full for a day.
    if (isUnavailable(error)) {
      return this.#retryLater(mail, STORE_RETRY_MS, mail.attempts);
    }
    if (attempts < MAX_ATTEMPTS) return this.#retryLater(mail, FIRST_RETRY_MS * 4 ** attempts);
    await this.#recordUnread(mail, String(error));
  }

  /** The last resort: what was accepted for a person arrives as it came. What cannot arrive so is parked, octets and all. */
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
        classification,
        authentication: null,
        isFromFeedbackSource: false,
      };
      const recorded = await recordMail(this.#context, classified);
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

  /** Keeps it until somebody acts: `mailkeel admin inbound retry` or `delete`. Doctor and /readyz say that it is there. */
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
      // The mail could not even be put off: the next poll finds it unchanged.
      this.#log.error({ err: error, inbound: mail.id }, 'processing inbound message failed');
    }
  }

  /** By itself, so that an end of the process is charged to this mail and not to those beside it. */
  async #workAlone(mail: WaitingMail): Promise<void> {
    await this.#inProgress.allEnded();
    if (mail.attempts >= MAX_ATTEMPTS) return this.#recordUnread(mail, ENDED_OVER_IT);
    const set = { attempts: mail.attempts + 1, outcome: BEGUN_ALONE };
    await this.#store.commit([update(inboundMessages, { set, where: { id: mail.id, state: 'waiting' } })]);
    await this.#workLogged(mail);
  }

  /** The parsing threads are busy, which is not the mail's doing: the attempt does not count. */
  #retryUncounted(mail: WaitingMail): Promise<void> {
    return this.#retryLater(mail, FIRST_RETRY_MS, mail.attempts);
  }
}

/** A signature whose key could not be asked for; another one may have decided already. */
function isUndecided(authentication: MailAuthentication | null): boolean {
  const results = authentication?.dkim.filter(({ aligned }) => aligned).map(({ result }) => result) ?? [];
  return results.includes('temperror') && !results.includes('pass');
}

/** Of the mails that were in work when the process ended: the likely culprit comes last, and its neighbours do not wait for it. */
function leastTried(mails: readonly WaitingMail[]): WaitingMail | undefined {
  return mails
    .filter(({ outcome }) => outcome === BEGUN || outcome === BEGUN_ALONE)
    .reduce<WaitingMail | undefined>(
      (least, mail) => (least === undefined || mail.attempts < least.attempts ? mail : least),
      undefined,
    );
}

/** Costs none of them an attempt: which of them ended a process is not known. */
function begun(mails: readonly InboundMail[]): Change {
  return update(inboundMessages, {
    set: { outcome: BEGUN },
    where: { id: mails.map(({ id }) => id), state: 'waiting' },
  });
}

/** The key of fairness among the parsing threads: one sender's bad mails delay only that sender's. */
function ownerOf(mail: WaitingMail): string {
  return clientOf(mail).address;
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

// A mail whose octets are not looked at any more, because reading them failed again and again: what its envelope alone says.
/** The placeholder for the content of an unreadable message; its raw form has everything. */
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

/** The classification by the address that was written to; null where the address alone does not say what to do. */
function classifyUnread({ kind, mail_from }: Pick<InboundMail, 'kind' | 'mail_from'>): Classification | null {
  switch (kind) {
    case 'reply':
    case 'mailbox':
      return { kind: 'reply', autoReply: null };
    case 'unsubscribe':
      // A machine's answer has the null sender (RFC 3834, RFC 3464): it asks for nothing.
      return mail_from === '' ? null : { kind: 'unsubscribe' };
    case 'return_path':
    case 'feedback':
    case 'report':
      return null;
  }
}
