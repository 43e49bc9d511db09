// Provides the certificate of the HTTPS and SMTP servers from files, by ACME or self-signed, and replaces it while they run.
import { type AcmeChallenges, createAcmeChallenges } from '../../lib/acme/index.js';
import { type Certificate, coversName, createCertificateFiles } from '../../lib/tls/index.js';
import { acmeNames, selfSignedNames } from './certificate-names.rules.js';
import type { Clock, Log } from '../../lib/runtime/index.js';
import { ConfigProblems } from '../../settings/load.js';
import type { Config } from '../../settings/settings.js';
import { createLoop, type Loop } from '../../lib/concurrency/index.js';
import type { OperationContext } from '../context.js';
import type { InstallationFiles } from '../files/installation-files.js';
import { Acme, type AcmeSettings } from './acme.js';
import { SelfSigned } from './self-signed.js';

/** Interval (ms) between checks for a due renewal. */
const RENEWAL_LOOK_MS = 60_000;
const END_WARNING_MS = 14 * 24 * 3_600_000;
const END_WARNING_EVERY_MS = 24 * 3_600_000;

type CertificateSettings = Pick<
  Config,
  | 'tlsCertFile'
  | 'tlsKeyFile'
  | 'tlsReloadMs'
  | 'acmeEmail'
  | 'acmeDirectory'
  | 'acmeDomains'
  | 'acmePort'
  | 'acmeRenewBeforeMs'
  | 'extraCaFile'
  | 'hostname'
  | 'inboundDomain'
  | 'bounceDomain'
  | 'publicUrl'
  | 'inboundHost'
>;

export interface CertificateContext extends Pick<OperationContext, 'clock' | 'log'> {
  config: CertificateSettings;
  files: Pick<InstallationFiles, 'tls' | 'challenges'>;
  /** In [0, 1), to spread retries. Default is `Math.random`. */
  random?: () => number;
  /** False while another node renews, in which case this node uses the stored certificate. Default is always true. */
  mayFetch?: () => boolean;
}

/** An origin of certificates. */
interface Source {
  /** Throws ConfigProblems. */
  first(): Promise<Certificate>;
  /** Returns a certificate, or `null` if there is no new one. */
  next(signal: AbortSignal): Promise<Certificate | null>;
  lookMs: number;
}

export class Certificates {
  /** Answers the authority's challenges, for `GET /.well-known/acme-challenge/:token`. */
  readonly challenges: Pick<AcmeChallenges, 'answer'>;
  readonly #config: CertificateSettings;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #source: Source;
  readonly #listeners = new Set<(certificate: Certificate) => void>();
  readonly #loop: Loop;
  #current: Certificate;
  #warnedAt = -Infinity;

  /** Throws ConfigProblems if the configured certificate cannot be used. */
  static async open(context: CertificateContext): Promise<Certificates> {
    // Without ACME, no challenge is open on any node.
    const shared = context.config.acmeEmail === null ? null : context.files.challenges;
    const challenges = createAcmeChallenges({ shared, clock: context.clock });
    const source = openSource(context, challenges);
    return new Certificates(context, { challenges, source, first: await source.first() });
  }

  private constructor(
    { config, clock, log }: CertificateContext,
    { challenges, source, first }: { challenges: AcmeChallenges; source: Source; first: Certificate },
  ) {
    this.challenges = challenges;
    this.#config = config;
    this.#clock = clock;
    this.#log = log;
    this.#source = source;
    this.#current = first;
    this.#logLoaded();
    this.#loop = createLoop({
      name: 'certificates',
      run: async (signal) => {
        await this.refresh(signal);
        return false;
      },
      intervalMs: source.lookMs,
      maxBackoffMs: 10 * 60_000,
      log,
    });
  }

  current(): Certificate {
    return this.#current;
  }

  /** Calls `listener` after each change, until the returned function is called. */
  subscribe(listener: (certificate: Certificate) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Reads changed files and renews a certificate that is due. Runs periodically after `start()`. */
  async refresh(signal = new AbortController().signal): Promise<void> {
    const next = await this.#source.next(signal);
    this.#warnOfExpiry();
    if (next === null || next.fingerprint === this.#current.fingerprint) return;
    this.#current = next;
    this.#logLoaded();
    for (const listener of this.#listeners) {
      try {
        listener(next);
      } catch (error) {
        // The other servers still get the certificate.
        this.#log.error({ err: error }, 'listener rejected the new TLS certificate');
      }
    }
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  #logLoaded(): void {
    const { origin, names, notAfter, fingerprint } = this.#current;
    const { hostname } = this.#config;
    const until = new Date(notAfter).toISOString();
    this.#log.info({ origin, names, not_after: until, fingerprint }, 'TLS certificate loaded');
    if (!coversName(this.#current, hostname)) {
      this.#log.warn({ names, hostname }, 'TLS certificate does not match MAILKEEL_HOSTNAME');
    }
  }

  #warnOfExpiry(): void {
    const now = this.#clock();
    const { origin, notAfter } = this.#current;
    // Certificates of other origins renew automatically, which logs its own failures.
    if (origin !== 'files' || notAfter - now > END_WARNING_MS) return;
    if (now - this.#warnedAt < END_WARNING_EVERY_MS) return;
    this.#warnedAt = now;
    const until = new Date(notAfter).toISOString();
    this.#log.warn(
      { not_after: until, file: this.#config.tlsCertFile },
      'TLS certificate expires soon: renew its files',
    );
  }
}

function openSource(context: CertificateContext, challenges: AcmeChallenges): Source {
  const { config, clock, log, random = Math.random, mayFetch = () => true } = context;
  const { tlsCertFile, tlsKeyFile, acmeEmail } = config;
  if (tlsCertFile !== null || tlsKeyFile !== null) {
    if (acmeEmail !== null) log.warn('MAILKEEL_ACME_EMAIL ignored: MAILKEEL_TLS_CERT is set');
    return filesSource(context);
  }
  const files = context.files.tls;
  const names = selfSignedNames(config);
  const selfSigned = new SelfSigned({ files, names, clock, mayRenew: mayFetch });
  if (acmeEmail === null) return selfSignedSource(selfSigned);
  const settings = acmeSettings(config, acmeEmail);
  return acmeSource(new Acme({ files, settings, challenges, clock, log, random, mayFetch }), selfSigned);
}

function filesSource({ config, clock, log }: CertificateContext): Source {
  const { tlsCertFile: cert, tlsKeyFile: key, tlsReloadMs } = config;
  if (cert === null || key === null) {
    const [there, missing] =
      cert === null ? ['MAILKEEL_TLS_KEY', 'MAILKEEL_TLS_CERT'] : ['MAILKEEL_TLS_CERT', 'MAILKEEL_TLS_KEY'];
    throw new ConfigProblems([`${there} is set without ${missing}. Set both or neither.`]);
  }
  const files = createCertificateFiles({ cert, key });
  return {
    lookMs: tlsReloadMs,
    async first() {
      const look = await files.look(clock());
      if (look.kind === 'changed') return look.certificate;
      const problem = look.kind === 'bad' ? look.problem : 'the files are not readable';
      throw new ConfigProblems([`MAILKEEL_TLS_CERT and MAILKEEL_TLS_KEY: ${problem}`]);
    },
    async next() {
      const look = await files.look(clock());
      if (look.kind === 'bad') {
        log.warn(
          { problem: look.problem },
          'new TLS certificate not usable: previous certificate remains in use',
        );
      }
      return look.kind === 'changed' ? look.certificate : null;
    },
  };
}

function selfSignedSource(selfSigned: SelfSigned): Source {
  const get = (): Promise<Certificate> => selfSigned.get();
  return { lookMs: RENEWAL_LOOK_MS, first: get, next: get };
}

function acmeSource(acme: Acme, selfSigned: SelfSigned): Source {
  return {
    lookMs: RENEWAL_LOOK_MS,
    first: async () => (await acme.stored()) ?? selfSigned.get(),
    // Another node may have fetched the stored one.
    next: async (signal) => (await acme.fetchIfDue(signal)) ?? acme.stored(),
  };
}

function acmeSettings(config: CertificateSettings, email: string): AcmeSettings {
  const named = acmeNames(config.acmeDomains, config);
  const problems = named.ok ? [] : named.problems.map((problem) => `MAILKEEL_ACME_DOMAINS: ${problem}`);
  if (!/^[^\s@,]+@[^\s@,]+$/.test(email)) problems.push('MAILKEEL_ACME_EMAIL must be an email address');
  if (!named.ok || problems.length > 0) throw new ConfigProblems(problems);
  const { acmePort, inboundHost, extraCaFile, acmeDirectory, acmeRenewBeforeMs } = config;
  return {
    directoryUrl: acmeDirectory,
    email,
    names: named.names,
    renewBeforeMs: acmeRenewBeforeMs,
    extraCaFile,
    listenAt: acmePort === 0 ? null : { host: inboundHost, port: acmePort },
  };
}
