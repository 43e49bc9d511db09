// Obtains the certificate from an authority by ACME (RFC 8555), with retries, and stores its files.
import { createPrivateKey } from 'node:crypto';
import {
  acmeAdvice,
  type AcmeChallenges,
  type AcmeFailure,
  type ListenAddress,
  newAccountKey,
  openChallengeListener,
  orderCertificate,
  type OrderOutcome,
} from '../../lib/acme/index.js';
import { type Certificate, readCertificate, timeProblem } from '../../lib/tls/index.js';
import { areSameNames, isTryDue, nextTryAt, renewalAt, renewalReason } from './certificate-renewal.rules.js';
import type { Clock, Log } from '../../lib/runtime/index.js';
import type { CertificateContext } from './certificates.js';
import { StoredCertificate } from './stored-certificate.js';
import { readText, type WholeFiles } from '../../lib/files/index.js';

// State that survives a restart, so that a server that keeps crashing does not send more orders.
interface AcmeState {
  /** Directory URL of the authority that issued the stored certificate; `null` if there is none. */
  issuedBy: string | null;
  /** Names and server that the failures belong to. If either changes, the next attempt is immediate. */
  wanted: string;
  /** Consecutive attempts that failed or were interrupted. */
  failures: number;
  /** Epoch ms; 0 for now. */
  nextTryAt: number;
  /** For an operator who reads the file. */
  lastFailure: string | null;
}

const FORMAT = 1;
const STATE_FILE = 'acme.json';
const ACCOUNT_FILE = 'acme-account.pem';

function createAcmeStateFile(files: WholeFiles) {
  return {
    /** Returns the state before a first attempt if the file is missing or unreadable. */
    read: async () => parseState((await readText(files, STATE_FILE)) ?? ''),
    write: (state: AcmeState) =>
      files.replace(STATE_FILE, `${JSON.stringify({ format: FORMAT, ...state }, null, 2)}\n`),
  };
}

function parseState(text: string): AcmeState {
  const { issuedBy, wanted, failures, nextTryAt: tryAt, lastFailure } = parseObject(text);
  return {
    issuedBy: typeof issuedBy === 'string' ? issuedBy : null,
    wanted: typeof wanted === 'string' ? wanted : '',
    failures: typeof failures === 'number' && Number.isSafeInteger(failures) ? Math.max(0, failures) : 0,
    nextTryAt: typeof tryAt === 'number' && Number.isSafeInteger(tryAt) ? tryAt : 0,
    lastFailure: typeof lastFailure === 'string' ? lastFailure : null,
  };
}

function parseObject(text: string): Partial<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // damaged or missing; only the record of failures is lost
  }
}

export interface AcmeSettings {
  directoryUrl: string;
  email: string;
  names: readonly string[];
  renewBeforeMs: number;
  extraCaFile: string | null;
  /** Where challenges are answered besides the API's port. `null` for nowhere. */
  listenAt: ListenAddress | null;
}

export const ACME_FILE = 'acme.pem';
/** Every file that ACME stores. */
export const ACME_FILES = [ACME_FILE, ACCOUNT_FILE, STATE_FILE] as const;

interface AcmeContext extends Pick<CertificateContext, 'clock' | 'log'> {
  files: WholeFiles;
  settings: AcmeSettings;
  challenges: AcmeChallenges;
  random: () => number;
  mayFetch: () => boolean;
}

export class Acme {
  readonly #context: AcmeContext;
  readonly #settings: AcmeSettings;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #random: () => number;
  readonly #pair: StoredCertificate;
  readonly #stateFile: ReturnType<typeof createAcmeStateFile>;
  readonly #wanted: string;
  #hasLoggedTime = false;

  constructor(context: AcmeContext) {
    const { files, settings, clock, log, random } = context;
    this.#context = context;
    this.#settings = settings;
    this.#clock = clock;
    this.#log = log;
    this.#random = random;
    this.#pair = new StoredCertificate(files, ACME_FILE, 'acme');
    this.#stateFile = createAcmeStateFile(files);
    this.#wanted = [settings.directoryUrl, settings.email, ...settings.names].join(' ');
  }

  /** Returns the stored certificate, or `null` if there is none that is still valid. */
  async stored(): Promise<Certificate | null> {
    const held = await this.#pair.read();
    return held !== null && this.#clock() < held.notAfter ? held : null;
  }

  /**
   * Fetches a certificate if one is due. Returns `null` if none is due or the order failed, which is logged. Takes up to ten
   * minutes. Rejects if the files cannot be written.
   */
  async fetchIfDue(signal: AbortSignal): Promise<Certificate | null> {
    if (!this.#context.mayFetch()) return null;
    const { names, directoryUrl, renewBeforeMs } = this.#settings;
    const state = await this.#readState();
    const where = { heldFrom: state.issuedBy, from: directoryUrl };
    const now = this.#clock();
    const reason = renewalReason({ held: await this.#pair.read(), ...where, names, renewBeforeMs, now });
    if (reason === null) return null;
    if (!isTryDue(state.nextTryAt, now)) {
      this.#logNextTry(state);
      return null;
    }
    this.#hasLoggedTime = true;
    this.#log.info({ names, reason, directory: directoryUrl }, 'ACME certificate order started');
    // Counted as a failure before it begins, so that a process that crashes does not retry immediately.
    const pessimist = { failures: state.failures + 1, now, jitter: this.#random(), askedWaitMs: null };
    await this.#stateFile.write({
      ...state,
      failures: pessimist.failures,
      nextTryAt: nextTryAt(pessimist),
    });
    return this.#take(state, await order(this.#context, signal));
  }

  /** Failures with other names or another server do not count. */
  async #readState(): Promise<AcmeState> {
    const state = await this.#stateFile.read();
    const wanted = this.#wanted;
    if (state.wanted === wanted) return state;
    return { ...state, wanted, failures: 0, nextTryAt: 0, lastFailure: null };
  }

  #logNextTry(state: AcmeState): void {
    if (this.#hasLoggedTime) return;
    this.#hasLoggedTime = true;
    this.#log.warn(
      {
        failures: state.failures,
        last_failure: state.lastFailure,
        next_try_at: new Date(state.nextTryAt).toISOString(),
        file: this.#context.files.placeOf(STATE_FILE),
      },
      'ACME retry scheduled after earlier failures: to retry now, stop the server, delete the file and start the server',
    );
  }

  async #take(state: AcmeState, outcome: OrderOutcome): Promise<Certificate | null> {
    if (outcome.kind === 'failed') return this.#fail(state, outcome.failure);
    const { names, directoryUrl, renewBeforeMs } = this.#settings;
    const problem = certificateProblem(outcome.pair, names, this.#clock());
    if (problem !== null) {
      const advice = acmeAdvice({ type: 'unusable', detail: problem });
      return this.#fail(state, { type: 'unusable', detail: problem, advice, askedWaitMs: null });
    }
    const certificate = await this.#pair.replace(outcome.pair);
    await this.#stateFile.write({
      issuedBy: directoryUrl,
      wanted: this.#wanted,
      failures: 0,
      nextTryAt: 0,
      lastFailure: null,
    });
    const renewal = new Date(renewalAt(certificate, renewBeforeMs)).toISOString();
    this.#log.info({ names, renewal_at: renewal }, 'ACME certificate issued');
    return certificate;
  }

  async #fail(state: AcmeState, failure: AcmeFailure): Promise<null> {
    const failures = state.failures + 1;
    const { type, detail, askedWaitMs } = failure;
    const at = nextTryAt({ failures, now: this.#clock(), jitter: this.#random(), askedWaitMs });
    await this.#stateFile.write({ ...state, failures, nextTryAt: at, lastFailure: `${type}: ${detail}` });
    this.#log.warn(
      {
        names: this.#settings.names,
        problem: type,
        detail,
        what_to_do: failure.advice,
        failures,
        next_try_at: new Date(at).toISOString(),
      },
      'ACME certificate order failed',
    );
    return null;
  }
}

async function order(context: AcmeContext, signal: AbortSignal): Promise<OrderOutcome> {
  const { settings, challenges, clock, files, log } = context;
  const { directoryUrl, email, names, extraCaFile } = settings;
  const accountKey = await readAccountKey(files);
  const listener = await listenForChallenges(context);
  try {
    const now = clock();
    return await orderCertificate({
      directoryUrl,
      accountKey,
      email,
      names,
      challenges,
      extraCaFile,
      now,
      signal,
    });
  } finally {
    await listener?.close();
    await challenges.closeAll().catch((error: unknown) => {
      // Remaining rows do no harm, and a later order removes them.
      log.warn({ err: error }, 'removing ACME challenges failed');
    });
  }
}

async function listenForChallenges({ settings, challenges, log }: AcmeContext) {
  const { listenAt } = settings;
  if (listenAt === null) return null;
  const listener = await openChallengeListener(challenges, listenAt);
  if (listener.ok) return listener;
  // A proxy on that port may forward challenges to the API's port, so the order continues.
  log.warn(
    { ...listenAt, code: listener.code, what_to_do: PORT_ADVICE },
    'ACME challenge port not available',
  );
  return null;
}

const PORT_ADVICE =
  'Allow this user to listen on the port, or configure the program on that port to forward /.well-known/acme-challenge/ to the API port and set MAILKEEL_ACME_PORT=0.';

/** Creates the key at the first call. It identifies this server to the authority. */
async function readAccountKey(files: WholeFiles): Promise<string> {
  const key =
    (await readText(files, ACCOUNT_FILE)) ?? (await files.createOnce(ACCOUNT_FILE, await newAccountKey()));
  try {
    createPrivateKey(key);
  } catch (error) {
    const where = files.placeOf(ACCOUNT_FILE);
    throw new Error(`${where} contains no private key. Delete it to create a new account.`, { cause: error });
  }
  return key;
}

function certificateProblem(
  pair: { key: string; cert: string },
  names: readonly string[],
  now: number,
): string | null {
  const answer = readCertificate(pair, 'acme');
  if (!answer.ok) return `the issued certificate ${answer.problem}`;
  const { certificate } = answer;
  // A start in the future is not a problem: the local clock is behind, which passes.
  if (now >= certificate.notAfter) return `the issued certificate ${timeProblem(certificate, now) ?? ''}`;
  if (!areSameNames(certificate.names, names))
    return `the issued certificate is for ${certificate.names.join(', ')}`;
  return null;
}
