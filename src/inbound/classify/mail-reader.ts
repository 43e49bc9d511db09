// Parses and authenticates received mail in worker threads, which bound what one mail may cost.
import { createHash } from 'node:crypto';
import {
  isQuick,
  MAIL_LIMITS,
  type MailLimits,
  mailOfHeader,
  type ParsedMail,
  readPlainMail,
} from '../../lib/mime/index.js';
import {
  type MailAuthentication,
  type MailEnvelope,
  unauthenticated,
} from '../../lib/authentication/index.js';
import { type BoundedPool, type Broken, createBoundedPool } from '../../lib/threads/index.js';
import { workerUrl } from '../../lib/runtime/index.js';
import {
  NOTHING_VISIBLE,
  type AuthenticateAnswer,
  type AuthenticateJob,
  type MailDns,
  type ReadAnswer,
  type ReadJob,
  type ReportAnswer,
  type ReportJob,
  type SharedOctets,
  type VisibleParts,
} from './mail-work.js';

export interface MailReaderOptions {
  /** Threads that parse, and as many that authenticate: slow name servers must not hold up the parsing. Default 2. */
  threads?: number;
  /** Longest that parsing one mail may take; authenticating may take the time of its look-ups too. Default 10,000. */
  wallLimitMs?: number;
  /** Of the heap of one thread, which does not hold the octets themselves. Default 256. */
  memoryLimitMb?: number;
  /** Mails that may wait, of each kind. Default 200. */
  maxQueue?: number;
  limits?: MailLimits;
  /** config/reply-rules.json as written. */
  replyRules: unknown;
  dns: {
    /** As MAILKEEL_DNS_SERVERS gives them; none: the system's. */
    servers: readonly string[];
    /** Our own name, which SPF records may ask for. */
    hostName: string;
    /** Default 3,000. */
    lookUpTimeoutMs?: number;
    /** Of all look-ups for one mail. Default 8,000. */
    totalTimeoutMs?: number;
  };
  /** Called with the stack of an error that kept a mail from being authenticated. */
  onFault: (fault: string) => void;
}

/** `timeout` and `memory`: it broke the limit; `exit`: the parser broke down over it. */
export type UnreadableReason = 'timeout' | 'memory' | 'exit';
/** Too much work waits already, or the reader is closing: the same mail may be read later. */
export type ReaderBusy = { kind: 'busy' };
export type ReadMail =
  | { kind: 'read'; mail: ParsedMail; visible: VisibleParts }
  /** `mail` has what the header says, and the reason among its problems. */
  | { kind: 'unreadable'; reason: UnreadableReason; mail: ParsedMail; visible: VisibleParts }
  | ReaderBusy;

export interface ReadOptions {
  /** The owner of the mail, for fairness among those who wait: the client's network where anybody may send. */
  owner: string;
  /** Whether `visible` is wanted: what the person wrote, apart from quotes and signature. */
  splitsReply: boolean;
}

/** Of the octets that tell one mail from another for the pool, which remembers the mails that broke a limit. */
const KEY_BYTES = 65_536;
const AUTHENTICATION_CPU_MS = 5_000;
/** Of one thread: name servers may take seconds, hostile ones all the time that they are given. */
const LOOK_UPS_AT_ONCE = 16;

/**
 * Starts its threads with the first message that needs one; small plain messages are parsed in the calling thread. The methods
 * reject only on an internal error.
 */
export class MailReader {
  readonly #reading: BoundedPool<ReadJob | ReportJob, ReadAnswer | ReportAnswer>;
  readonly #authenticating: BoundedPool<AuthenticateJob, AuthenticateAnswer>;
  readonly #limits: MailLimits;
  readonly #dns: MailDns;
  readonly #replyRules: string;
  readonly #onFault: (fault: string) => void;

  constructor(options: MailReaderOptions) {
    const { threads = 2, wallLimitMs = 10_000, memoryLimitMb = 256, maxQueue = 200 } = options;
    this.#limits = options.limits ?? MAIL_LIMITS;
    this.#dns = { lookUpTimeoutMs: 3_000, totalTimeoutMs: 8_000, ...options.dns };
    this.#replyRules = JSON.stringify(options.replyRules);
    this.#onFault = options.onFault;
    const entry = workerUrl('inbound/classify/mail-worker.js');
    const shared = { entry, size: threads, memoryLimitMb, maxQueue };
    this.#reading = createBoundedPool({ ...shared, wallLimitMs });
    this.#authenticating = createBoundedPool({
      ...shared,
      slots: LOOK_UPS_AT_ONCE,
      maxBatch: 1,
      wallLimitMs: Math.max(wallLimitMs, this.#dns.totalTimeoutMs + AUTHENTICATION_CPU_MS),
    });
  }

  async read(raw: Uint8Array, { owner, splitsReply }: ReadOptions): Promise<ReadMail> {
    const limits = this.#limits;
    const plain = !splitsReply && isQuick(raw) ? readPlainMail(raw, limits) : null;
    if (plain !== null) return { kind: 'read', mail: plain, visible: NOTHING_VISIBLE };
    const replyRules = splitsReply ? this.#replyRules : null;
    const job: ReadJob = { kind: 'read', raw: sharedOctets(raw), limits, replyRules };
    const result = await this.#reading.run(job, { owner, key: () => keyOf(raw) });
    if (result.kind === 'done') return answerTo('read', result.value);
    const reason = reasonOf(result);
    if (reason === 'busy') return { kind: 'busy' };
    const mail = mailOfHeader(raw, limits, SENTENCES[reason]);
    return { kind: 'unreadable', reason, mail, visible: NOTHING_VISIBLE };
  }

  /** Returns `temperror` for each check if the message exceeds a limit. The client's address is the owner. */
  async authenticate(raw: Uint8Array, envelope: MailEnvelope): Promise<MailAuthentication | ReaderBusy> {
    const job: AuthenticateJob = { kind: 'authenticate', raw: sharedOctets(raw), envelope, dns: this.#dns };
    const owner = envelope.clientAddress ?? '';
    const result = await this.#authenticating.run(job, { owner, key: () => keyOf(raw) });
    if (result.kind === 'done') {
      const { authentication, fault } = result.value;
      if (fault !== null) this.#onFault(fault);
      return authentication;
    }
    return reasonOf(result) === 'busy' ? { kind: 'busy' } : unauthenticated('temperror');
  }

  /** Reads a DMARC or TLS report in the threads of `read`. Returns `unreadable` if the message exceeds a limit. */
  async readReport(raw: Uint8Array, owner: string): Promise<ReportAnswer | ReaderBusy> {
    const job: ReportJob = { kind: 'report', raw: sharedOctets(raw), limits: this.#limits };
    const result = await this.#reading.run(job, { owner, key: () => `report ${keyOf(raw)}` });
    if (result.kind === 'done') return answerTo('report', result.value);
    if (reasonOf(result) === 'busy') return { kind: 'busy' };
    return {
      kind: 'report',
      report: { kind: 'refused', refusal: 'unreadable', problem: null },
      fromDomain: '',
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#reading.close(), this.#authenticating.close()]);
  }
}

const SENTENCES: Readonly<Record<UnreadableReason, string>> = {
  timeout: 'Parsing took too long, so only the header was read.',
  memory: 'Parsing used too much memory, so only the header was read.',
  exit: 'The parser crashed, so only the header was read.',
};

/** The thread answers a job with its own kind of answer. */
function answerTo<K extends 'read' | 'report'>(
  kind: K,
  answer: ReadAnswer | ReportAnswer,
): Extract<ReadAnswer | ReportAnswer, { kind: K }> {
  if (answer.kind !== kind) throw new Error(`The reader answered ${answer.kind} to ${kind}.`);
  return answer as Extract<ReadAnswer | ReportAnswer, { kind: K }>; // as was just compared
}

function reasonOf(result: Broken | ReaderBusy): UnreadableReason | 'busy' {
  if (result.kind === 'busy') return 'busy';
  if (result.kind === 'timeout') return 'timeout';
  return result.reason === 'closed' ? 'busy' : result.reason;
}

/** The octets where every thread can read them: the one copy that is made, unless they are there already. */
function sharedOctets(raw: Uint8Array): SharedOctets {
  if (raw.buffer instanceof SharedArrayBuffer && raw.byteLength === raw.buffer.byteLength) return raw.buffer;
  const copy = new SharedArrayBuffer(raw.byteLength);
  new Uint8Array(copy).set(raw);
  return copy;
}

function keyOf(raw: Uint8Array): string {
  return `${raw.byteLength} ${createHash('sha256').update(raw.subarray(0, KEY_BYTES)).digest('base64')}`;
}
