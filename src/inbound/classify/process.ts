// Processes the spool: each waiting mail is parsed and classified, and its outcome recorded in one transaction with the
// note that it is done, so that a crash repeats a mail's work and never its effect.
import type { MailAuthentication } from '../../lib/authentication/index.js';
import {
  createFactChannel,
  createKeyedMutex,
  createLoop,
  type Loop,
  type Room,
  type WakeUp,
} from '../../lib/concurrency/index.js';
import type { Clock, Log } from '../../lib/runtime/index.js';
import { Refusal, isUnavailable } from '../../contract/refusal.js';
import { clientOf, type WaitingMail } from '../inbound.store.js';
import type { InboundStores } from '../stores.js';
import type { MailReader, ReaderBusy } from './mail-reader.js';
import {
  recordMail,
  mutexKeyOf,
  type InboundRules,
  type RecordMailDeps,
  type RecordedMail,
} from './record-mail.js';
import { NOTHING_VISIBLE } from './mail-work.js';
import { classifyMail, type Classification, type ClassificationRules } from './classification.js';
import type { ParsedMail } from '../../lib/mime/index.js';
import { refusedReport, takeMailedReport, type TakeReportDeps } from '../reports/take-report.js';
import { type InboundMail, inboundMessages } from '../inbound.tables.js';
import type { Change } from '../../database/change.js';
import { update } from '../../database/rows.js';
import { appendEvent } from '../../events/append.store.js';
import { acceptMessage, makeReportDue } from '../../messages/accept/accept.store.js';

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

export interface ProcessDeps extends RecordMailDeps {
  store: RecordMailDeps['store'] & TakeReportDeps['store'] & Pick<InboundStores, 'commit'>;
  reader: MailReader;
  rules: InboundRules & ClassificationRules;
  settings: {
    /** Mails worked on at once, and octets of them. */
    parallel: number;
    memoryOctets: number;
    authenticate: boolean;
  };
  clock: Clock;
  log: Log;
  /** How DMARC and TLS reports about us are judged. */
  reports: Omit<TakeReportDeps, 'store'>;
  /** Notified by the listener when mail was spooled. */
  wakeUp: WakeUp;
  /** Of several nodes one works on the spool. */
  room?: Room | undefined;
  onEvents: () => void;
  /** Reports became due to submitters of relayed mail. */
  onReports: () => void;
}

export function createInboundProcess(deps: ProcessDeps): Loop {
  return new InboundProcess(deps);
}

class InboundProcess {
  readonly #deps: ProcessDeps;
  readonly #store: ProcessDeps['store'];
  readonly #settings: ProcessDeps['settings'];
  readonly #clock: ProcessDeps['clock'];
  readonly #log: ProcessDeps['log'];
  readonly #wakeUp: ProcessDeps['wakeUp'];
  readonly #mutex: ReturnType<typeof createKeyedMutex>;
  readonly #inProgress: InProgress;
  /** So many places must be free before there is another look: looks cost something, too. */
  readonly #minFree: number;
  readonly #loop: Loop;

  constructor(deps: ProcessDeps) {
    this.#deps = deps;
    this.#store = deps.store;
    this.#settings = deps.settings;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#wakeUp = deps.wakeUp;
    this.#mutex = createKeyedMutex();
    this.#inProgress = createInProgress({
      mails: this.#settings.parallel,
      octets: this.#settings.memoryOctets,
    });
    this.#minFree = Math.ceil(this.#settings.parallel / 4);
    this.#loop = createLoop({
      name: 'inbound',
      log: this.#log,
      wakeUp: this.#wakeUp,
      room: deps.room,
      intervalMs: IDLE_MS,
      run: (signal) => this.#run(signal),
    });
  }

  /** One run over the spool; true asks for another at once. */
  async #run(signal: AbortSignal): Promise<boolean> {
    // Mails in progress are in the table too, and may be first there.
    const limit = this.#inProgress.count() + this.#settings.parallel;
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
    const isFull = (): boolean => this.#inProgress.count() > this.#settings.parallel - this.#minFree;
    // Otherwise a wake-up announces more, and one slow mail does not delay it.
    if (mails.length === others.length && !isFull()) return found.length === limit && others.length > 0;
    do await this.#inProgress.oneEnded();
    while (!signal.aborted && isFull());
    return true;
  }

  #begin(mail: WaitingMail): void {
    // Begun in the room: another node that has it next must not find the mail half done.
    const leave = this.#deps.room?.enter();
    this.#inProgress.begin(mail, () => this.#workLogged(mail).finally(() => leave?.()));
  }

  start(): void {
    this.#loop.start();
  }

  async stop() {
    await this.#loop.stop();
    await this.#inProgress.allEnded();
  }

  async #work(mail: WaitingMail): Promise<void> {
    try {
      const raw = (await this.#store.inbound.raws([mail.raw_id])).get(mail.raw_id);
      if (!raw) throw new Error(`The octets of inbound mail ${mail.id} are gone.`);
      if (mail.kind === 'report') {
        await this.#workReport(mail, raw);
        return;
      }
      const read = await this.#deps.reader.read(raw, {
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
        this.#deps.rules,
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
      };
      const key = await mutexKeyOf(this.#deps, classified);
      await this.#mutex(key, async () => this.#finish(mail, await recordMail(this.#deps, classified)));
    } catch (error) {
      await this.#failed(mail, error);
    }
  }

  /** A DMARC or TLS report about us: what cannot be read or is nobody's ends here, and no person is asked. */
  async #workReport(mail: WaitingMail, raw: Uint8Array): Promise<void> {
    const read = await this.#deps.reader.readReport(raw, ownerOf(mail));
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
      this.#finish(mail, await takeMailedReport({ ...this.#deps.reports, store: this.#store }, facts)),
    );
  }

  async #authenticate(mail: InboundMail, raw: Uint8Array): Promise<MailAuthentication | ReaderBusy | null> {
    if (!this.#settings.authenticate) return null;
    const { address, helo, simulated } = clientOf(mail);
    // The sandbox asks nobody: no server sent it.
    if (simulated) return null;
    return this.#deps.reader.authenticate(raw, { clientAddress: address, helo, mailFrom: mail.mail_from });
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
    if (changes.some((change) => appendEvent.is(change) || acceptMessage.is(change))) this.#deps.onEvents();
    if (changes.some((change) => makeReportDue.is(change))) this.#deps.onReports();
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
      };
      const recorded = await recordMail(this.#deps, classified);
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

// The mails that are worked on now: so many at once, and so many octets of them, whichever is less. A slow one holds its own
// place and nobody else's.
interface InProgress {
  /** Number of entries. */
  count(): number;
  /**
   * Tells which mails are not under way now. To be asked before the rows are read: one that ends meanwhile is still found
   * among them.
   */
  others(): (mails: readonly WaitingMail[]) => WaitingMail[];
  /** The first of them, as many as there is room for; the largest mail has room when nothing else is under way. */
  fitting(mails: readonly WaitingMail[]): WaitingMail[];
  /** `work` must not reject. */
  begin(mail: WaitingMail, work: () => Promise<void>): void;
  /** Resolves when one has ended, at once when none is under way. */
  oneEnded(): Promise<void>;
  allEnded(): Promise<void>;
}

export function createInProgress(limits: { mails: number; octets: number }): InProgress {
  const running = new Map<number, Promise<void>>();
  let octets = 0;

  return {
    count: () => running.size,
    others() {
      const ids = new Set(running.keys());
      return (mails) => mails.filter(({ id }) => !ids.has(id));
    },
    fitting(mails) {
      let [count, size] = [running.size, octets];
      const taken: WaitingMail[] = [];
      for (const mail of mails) {
        const isAlone = count === 0;
        if (!isAlone && (count >= limits.mails || size + mail.size_bytes > limits.octets)) break;
        taken.push(mail);
        count += 1;
        size += mail.size_bytes;
      }
      return taken;
    },
    begin({ id, size_bytes: size }, work) {
      octets += size;
      const ended = work().finally(() => {
        octets -= size;
        running.delete(id);
      });
      running.set(id, ended);
    },
    async oneEnded() {
      if (running.size > 0) await Promise.race(running.values());
    },
    async allEnded() {
      await Promise.all(running.values());
    },
  };
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
