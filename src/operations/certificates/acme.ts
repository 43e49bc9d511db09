// The certificate of an authority, by ACME: when it is fetched, what happens when that fails, and where it is kept.
import { createPrivateKey } from 'node:crypto';
import {
  openChallengeListener,
  type AcmeChallenges,
  type ListenAddress,
} from '../../lib/tls/acme-challenges.js';
import {
  newAccountKey,
  orderCertificate,
  type AcmeFailure,
  type OrderOutcome,
} from '../../lib/tls/acme-order.js';
import { readCertificate, timeProblem, type Certificate } from '../../lib/tls/certificate.js';
import { acmeAdvice } from '../../lib/tls/acme-problem.rules.js';
import { areSameNames, isTryDue, nextTryAt, renewalAt, renewalReason } from './certificate-renewal.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import type { Log } from '../../lib/runtime/log.js';
import { createStoredCertificate } from './stored-certificate.js';
import { readText, type WholeFiles } from '../../lib/runtime/stored-files.js';

// ACME state that survives a restart, so that a program that crashes again and again asks no more often.
interface AcmeState {
  /** Directory URL of the authority of the certificate that is kept; null while there is none. */
  issuedBy: string | null;
  /** Names and server that the failures belong to: other names or another server are tried at once. */
  wanted: string;
  /** Tries in a row that failed, or that did not come to an end. */
  failures: number;
  /** Epoch ms; 0: at once. */
  nextTryAt: number;
  /** For the operator who looks into the file. */
  lastFailure: string | null;
}

const FORMAT = 1;
const STATE_FILE = 'acme.json';
const ACCOUNT_FILE = 'acme-account.pem';

interface AcmeStateFile {
  /** That of a first try when there is no file, or none that can be read. */
  read(): Promise<AcmeState>;
  write(state: AcmeState): Promise<void>;
}

function createAcmeStateFile(files: WholeFiles): AcmeStateFile {
  return {
    read: async () => parseState((await readText(files, STATE_FILE)) ?? ''),
    write: (state) => files.replace(STATE_FILE, `${JSON.stringify({ format: FORMAT, ...state }, null, 2)}\n`),
  };
}

function parseState(text: string): AcmeState {
  const { issuedBy, wanted, failures, nextTryAt, lastFailure } = parseObject(text);
  return {
    issuedBy: typeof issuedBy === 'string' ? issuedBy : null,
    wanted: typeof wanted === 'string' ? wanted : '',
    failures: typeof failures === 'number' && Number.isSafeInteger(failures) ? Math.max(0, failures) : 0,
    nextTryAt: typeof nextTryAt === 'number' && Number.isSafeInteger(nextTryAt) ? nextTryAt : 0,
    lastFailure: typeof lastFailure === 'string' ? lastFailure : null,
  };
}

function parseObject(text: string): Partial<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {}; // damaged or missing: it is only a memory of failures
  }
}

export interface AcmeSettings {
  directoryUrl: string;
  email: string;
  names: readonly string[];
  renewBeforeMs: number;
  extraCaFile: string | null;
  /** Where challenges are answered besides the API's port; null: nowhere. */
  listenAt: ListenAddress | null;
}

export interface AcmeDeps {
  files: WholeFiles;
  settings: AcmeSettings;
  challenges: AcmeChallenges;
  clock: Clock;
  log: Log;
  /** In [0, 1), to spread the waits. */
  random: () => number;
  /** False while another node is the one that fetches. */
  mayFetch: () => boolean;
}

/** Among the files of certificates. */
export const ACME_FILE = 'acme.pem';
/** All that ACME keeps. */
export const ACME_FILES = [ACME_FILE, ACCOUNT_FILE, STATE_FILE] as const;

export interface Acme {
  /** The one that is kept; null when there is none that is still valid. */
  kept(): Promise<Certificate | null>;
  /**
   * Fetches one when one is due and its time has come; null when not, or when that failed, which is logged. Takes up to ten
   * minutes. Rejects when the files cannot be written.
   */
  fetchIfDue(signal: AbortSignal): Promise<Certificate | null>;
}

export function createAcme(deps: AcmeDeps): Acme {
  const { settings, clock, log } = deps;
  const { names, directoryUrl } = settings;
  const pair = createStoredCertificate(deps.files, ACME_FILE, 'acme');
  const memory = createAcmeStateFile(deps.files);
  const wanted = [directoryUrl, settings.email, ...names].join(' ');
  let hasLoggedTime = false;

  async function recall(): Promise<AcmeState> {
    const state = await memory.read();
    return state.wanted === wanted
      ? state
      : { ...state, wanted, failures: 0, nextTryAt: 0, lastFailure: null };
  }

  function sayWhen(state: AcmeState): void {
    if (hasLoggedTime) return;
    hasLoggedTime = true;
    log.warn(
      {
        failures: state.failures,
        last_failure: state.lastFailure,
        next_try_at: new Date(state.nextTryAt).toISOString(),
        file: deps.files.placeOf(STATE_FILE),
      },
      'ACME retry scheduled after earlier failures: to retry now, stop the server, delete the file and start the server',
    );
  }

  async function fail(state: AcmeState, failure: AcmeFailure): Promise<null> {
    const failures = state.failures + 1;
    const { type, detail, askedWaitMs } = failure;
    const at = nextTryAt({ failures, now: clock(), jitter: deps.random(), askedWaitMs });
    await memory.write({ ...state, failures, nextTryAt: at, lastFailure: `${type}: ${detail}` });
    log.warn(
      {
        names,
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

  async function take(state: AcmeState, outcome: OrderOutcome): Promise<Certificate | null> {
    if (outcome.kind === 'failed') return fail(state, outcome.failure);
    const problem = problemOf(outcome.pair, names, clock());
    if (problem !== null) {
      const advice = acmeAdvice({ type: 'unusable', detail: problem });
      return fail(state, { type: 'unusable', detail: problem, advice, askedWaitMs: null });
    }
    const certificate = await pair.replace(outcome.pair);
    await memory.write({ issuedBy: directoryUrl, wanted, failures: 0, nextTryAt: 0, lastFailure: null });
    const renewal = new Date(renewalAt(certificate, settings.renewBeforeMs)).toISOString();
    log.info({ names, renewal_at: renewal }, 'ACME certificate issued');
    return certificate;
  }

  return {
    async kept() {
      const held = await pair.read();
      return held !== null && clock() < held.notAfter ? held : null;
    },
    async fetchIfDue(signal) {
      if (!deps.mayFetch()) return null;
      const state = await recall();
      const { renewBeforeMs } = settings;
      const where = { heldFrom: state.issuedBy, from: directoryUrl };
      const now = clock();
      const reason = renewalReason({ held: await pair.read(), ...where, names, renewBeforeMs, now });
      if (reason === null) return null;
      if (!isTryDue(state.nextTryAt, now)) {
        sayWhen(state);
        return null;
      }
      hasLoggedTime = true;
      log.info({ names, reason, directory: directoryUrl }, 'ACME certificate order started');
      // Counted before it begins: a try that ends with the process must not be repeated at once either.
      const pessimist = { failures: state.failures + 1, now, jitter: deps.random(), askedWaitMs: null };
      await memory.write({ ...state, failures: pessimist.failures, nextTryAt: nextTryAt(pessimist) });
      return take(state, await order(deps, signal));
    },
  };
}

async function order(deps: AcmeDeps, signal: AbortSignal): Promise<OrderOutcome> {
  const { settings, challenges, clock } = deps;
  const { directoryUrl, email, names, extraCaFile } = settings;
  const accountKey = await accountKeyIn(deps.files);
  const listener = await listenForChallenges(deps);
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
      // Rows that stay are of no more use, and go with a later order. The certificate counts.
      deps.log.warn({ err: error }, 'removing ACME challenges failed');
    });
  }
}

async function listenForChallenges({ settings, challenges, log }: AcmeDeps) {
  const { listenAt } = settings;
  if (listenAt === null) return null;
  const listener = await openChallengeListener(challenges, listenAt);
  if (listener.ok) return listener;
  // A proxy on that port may pass challenges on to the API's port, so the order is tried all the same.
  log.warn(
    { ...listenAt, code: listener.code, what_to_do: PORT_ADVICE },
    'ACME challenge port not available',
  );
  return null;
}

const PORT_ADVICE =
  'Allow this user to listen on the port, or configure the program on that port to forward /.well-known/acme-challenge/ to the API port and set MAILKEEL_ACME_PORT=0.';

/** Made once: the authority knows us by it. */
async function accountKeyIn(files: WholeFiles): Promise<string> {
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

function problemOf(
  pair: { key: string; cert: string },
  names: readonly string[],
  now: number,
): string | null {
  const answer = readCertificate(pair, 'acme');
  if (!answer.ok) return `the issued certificate ${answer.problem}`;
  const { certificate } = answer;
  // Not before its time is our clock's fault and heals; authorities backdate by an hour for it.
  if (now >= certificate.notAfter) return `the issued certificate ${timeProblem(certificate, now) ?? ''}`;
  if (!areSameNames(certificate.names, names))
    return `the issued certificate is for ${certificate.names.join(', ')}`;
  return null;
}
