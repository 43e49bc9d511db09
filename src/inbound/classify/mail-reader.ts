// Parses and authenticates received mail in worker threads, which limit the time and memory for each message.
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
import type { MailRisk } from '../risk/examine-mail.js';
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
  /** Threads that parse. As many others authenticate, so that slow name servers do not delay parsing. Default 2. */
  threads?: number;
  /** Limit for parsing one message. Authentication may also take the time of its DNS look-ups. Default 10,000. */
  wallLimitMs?: number;
  /** Limit for the heap of one thread, which does not hold the raw message. Default 256. */
  memoryLimitMb?: number;
  /** Messages that may wait to be parsed, and to be authenticated. Default 200. */
  maxQueue?: number;
  limits?: MailLimits;
  /** The parsed content of config/reply-rules.json. */
  replyRules: unknown;
  dns: {
    /** From MAILKEEL_DNS_SERVERS. If empty, the system's servers are used. */
    servers: readonly string[];
    /** Name of this server, which SPF macros may use. */
    hostName: string;
    /** Default 3,000. */
    lookUpTimeoutMs?: number;
    /** Limit for all look-ups for one message. Default 8,000. */
    totalTimeoutMs?: number;
  };
  /** Called with the stack of an internal error during authentication. */
  onFault: (fault: string) => void;
}

/** `timeout` and `memory` name the exceeded limit; `exit` means that the parser crashed. */
type UnreadableReason = 'timeout' | 'memory' | 'exit';
/** The queue is full, or the reader is closing. Retry later. */
export type ReaderBusy = { kind: 'busy' };
type ReadMail =
  | { kind: 'read'; mail: ParsedMail; visible: VisibleParts; risk: MailRisk | null }
  /** `mail` has only the header, and the reason among its problems. */
  | { kind: 'unreadable'; reason: UnreadableReason; mail: ParsedMail; visible: VisibleParts; risk: null }
  | ReaderBusy;

interface ReadOptions {
  /** Owners take turns in the queue. For inbound mail, the owner is the client address. */
  owner: string;
  /** Whether to split the author's own text from quotes and signature into `visible`. */
  splitsReply: boolean;
}

/** How much of a message is hashed for its key. The pool remembers the keys of messages that exceeded a limit. */
const KEY_BYTES = 65_536;
const AUTHENTICATION_CPU_MS = 5_000;
/** Messages that one thread authenticates concurrently, because a hostile name server can use up the time limit. */
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
    if (plain !== null) return { kind: 'read', mail: plain, visible: NOTHING_VISIBLE, risk: null };
    const replyRules = splitsReply ? this.#replyRules : null;
    const job: ReadJob = { kind: 'read', raw: sharedOctets(raw), limits, replyRules };
    const result = await this.#reading.run(job, { owner, key: () => poolKey(raw) });
    if (result.kind === 'done') return answerTo('read', result.value);
    const reason = brokenReason(result);
    if (reason === 'busy') return { kind: 'busy' };
    const mail = mailOfHeader(raw, limits, SENTENCES[reason]);
    return { kind: 'unreadable', reason, mail, visible: NOTHING_VISIBLE, risk: null };
  }

  /** Returns `temperror` for each check if the message exceeds a limit. The client's address is the owner. */
  async authenticate(raw: Uint8Array, envelope: MailEnvelope): Promise<MailAuthentication | ReaderBusy> {
    const job: AuthenticateJob = { kind: 'authenticate', raw: sharedOctets(raw), envelope, dns: this.#dns };
    const owner = envelope.clientAddress ?? '';
    const result = await this.#authenticating.run(job, { owner, key: () => poolKey(raw) });
    if (result.kind === 'done') {
      const { authentication, fault } = result.value;
      if (fault !== null) this.#onFault(fault);
      return authentication;
    }
    return brokenReason(result) === 'busy' ? { kind: 'busy' } : unauthenticated('temperror');
  }

  /** Reads a DMARC or TLS report in the threads of `read`. Returns `unreadable` if the message exceeds a limit. */
  async readReport(raw: Uint8Array, owner: string): Promise<ReportAnswer | ReaderBusy> {
    const job: ReportJob = { kind: 'report', raw: sharedOctets(raw), limits: this.#limits };
    const result = await this.#reading.run(job, { owner, key: () => `report ${poolKey(raw)}` });
    if (result.kind === 'done') return answerTo('report', result.value);
    if (brokenReason(result) === 'busy') return { kind: 'busy' };
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

/** Narrows the answer to the kind of its job. */
function answerTo<K extends 'read' | 'report'>(
  kind: K,
  answer: ReadAnswer | ReportAnswer,
): Extract<ReadAnswer | ReportAnswer, { kind: K }> {
  if (answer.kind !== kind) throw new Error(`The reader answered ${answer.kind} to ${kind}.`);
  return answer as Extract<ReadAnswer | ReportAnswer, { kind: K }>; // as was just compared
}

function brokenReason(result: Broken | ReaderBusy): UnreadableReason | 'busy' {
  if (result.kind === 'busy') return 'busy';
  if (result.kind === 'timeout') return 'timeout';
  return result.reason === 'closed' ? 'busy' : result.reason;
}

/** Copies the message into memory that every thread can read, unless it is there already. */
function sharedOctets(raw: Uint8Array): SharedOctets {
  if (raw.buffer instanceof SharedArrayBuffer && raw.byteLength === raw.buffer.byteLength) return raw.buffer;
  const copy = new SharedArrayBuffer(raw.byteLength);
  new Uint8Array(copy).set(raw);
  return copy;
}

function poolKey(raw: Uint8Array): string {
  return `${raw.byteLength} ${createHash('sha256').update(raw.subarray(0, KEY_BYTES)).digest('base64')}`;
}
