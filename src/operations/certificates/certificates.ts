// The certificate that our HTTPS and SMTP servers show, from files, by ACME or self-signed, and its changes while they run.
import { createAcmeChallenges, type AcmeChallenges } from '../../lib/tls/acme-challenges.js';
import { createCertificateFiles } from '../../lib/tls/certificate-files.js';
import { coversName, type Certificate } from '../../lib/tls/certificate.js';
import { acmeNames, selfSignedNames } from './certificate-names.rules.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { ConfigProblems } from '../../settings/load.js';
import type { Config } from '../../settings/settings.js';
import type { Log } from '../../lib/runtime/log.js';
import { createLoop } from '../../lib/runtime/loop.js';
import type { InstallationFiles } from '../files/installation-files.js';
import { createAcme, type Acme, type AcmeSettings } from './acme.js';
import { createSelfSigned, type SelfSigned } from './self-signed.js';

/** Between two looks whether a certificate of our own is to be renewed. */
const RENEWAL_LOOK_MS = 60_000;
const END_WARNING_MS = 14 * 24 * 3_600_000;
const END_WARNING_EVERY_MS = 24 * 3_600_000;

export type CertificateSettings = Pick<
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

export interface CertificatesDeps {
  settings: CertificateSettings;
  files: Pick<InstallationFiles, 'tls' | 'challenges'>;
  clock: Clock;
  log: Log;
  /** In [0, 1). */
  random?: () => number;
  /**
   * False while another node of the installation is the one that fetches and renews; this one takes what is there. Default: always
   * true.
   */
  mayFetch?: () => boolean;
}

export interface Certificates {
  current(): Certificate;
  /** Calls `listener` after each change; the returned function ends that. */
  subscribe(listener: (certificate: Certificate) => void): () => void;
  /** Answers the authority's challenges, for `GET /.well-known/acme-challenge/:token`. */
  challenges: Pick<AcmeChallenges, 'answer'>;
  /** One look: reads changed files, renews what is due. Run by itself after start(). */
  look(signal?: AbortSignal): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** Where certificates come from. */
interface Source {
  /** Throws ConfigProblems. */
  first(): Promise<Certificate>;
  /** Another one than before, or null. */
  next(signal: AbortSignal): Promise<Certificate | null>;
  lookMs: number;
}

/** Throws ConfigProblems when the certificate that is configured cannot be used. */
export async function createCertificates(deps: CertificatesDeps): Promise<Certificates> {
  const { settings, clock, log } = deps;
  // Without ACME no challenge is open anywhere.
  const shared = settings.acmeEmail === null ? null : deps.files.challenges;
  const challenges = createAcmeChallenges({ shared, clock });
  const source = sourceOf(deps, challenges);
  const listeners = new Set<(certificate: Certificate) => void>();
  let current = await source.first();
  let warnedAt = -Infinity;
  announce(current);

  function announce({ origin, names, notAfter, fingerprint }: Certificate): void {
    const until = new Date(notAfter).toISOString();
    log.info({ origin, names, not_after: until, fingerprint }, 'TLS certificate loaded');
    if (!coversName(current, settings.hostname)) {
      log.warn({ names, hostname: settings.hostname }, 'TLS certificate does not match MAILKEEL_HOSTNAME');
    }
  }

  function warnOfEnd(): void {
    const now = clock();
    // Others are renewed here, and what keeps that from happening is logged there.
    if (current.origin !== 'files' || current.notAfter - now > END_WARNING_MS) return;
    if (now - warnedAt < END_WARNING_EVERY_MS) return;
    warnedAt = now;
    const until = new Date(current.notAfter).toISOString();
    log.warn(
      { not_after: until, file: settings.tlsCertFile },
      'TLS certificate expires soon: renew its files',
    );
  }

  async function look(signal = new AbortController().signal): Promise<void> {
    const next = await source.next(signal);
    warnOfEnd();
    if (next === null || next.fingerprint === current.fingerprint) return;
    current = next;
    announce(next);
    for (const listener of listeners) {
      try {
        listener(next);
      } catch (error) {
        // One server that cannot take it must not keep it from the others.
        log.error({ err: error }, 'listener rejected the new TLS certificate');
      }
    }
  }

  const loop = createLoop({
    name: 'certificates',
    run: async (signal) => {
      await look(signal);
      return false;
    },
    intervalMs: source.lookMs,
    maxBackoffMs: 10 * 60_000,
    log,
  });
  return {
    current: () => current,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    challenges,
    look,
    start: () => loop.start(),
    stop: () => loop.stop(),
  };
}

function sourceOf(deps: CertificatesDeps, challenges: AcmeChallenges): Source {
  const { settings, clock, log, mayFetch = () => true } = deps;
  const { tlsCertFile, tlsKeyFile, acmeEmail } = settings;
  if (tlsCertFile !== null || tlsKeyFile !== null) {
    if (acmeEmail !== null) log.warn('MAILKEEL_ACME_EMAIL ignored: MAILKEEL_TLS_CERT is set');
    return filesSource(deps);
  }
  const files = deps.files.tls;
  const names = selfSignedNames(settings);
  const selfSigned = createSelfSigned({ files, names, clock, mayRenew: mayFetch });
  if (acmeEmail === null) return selfSignedSource(selfSigned);
  const random = deps.random ?? Math.random;
  const acme = acmeSettingsOf(settings, acmeEmail);
  return acmeSource(
    createAcme({ ...{ files, settings: acme, challenges, clock, log, random, mayFetch } }),
    selfSigned,
  );
}

function filesSource({ settings, clock, log }: CertificatesDeps): Source {
  const { tlsCertFile: cert, tlsKeyFile: key, tlsReloadMs } = settings;
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
    first: async () => (await acme.kept()) ?? selfSigned.get(),
    // Another node may have fetched the one that is kept.
    next: async (signal) => (await acme.fetchIfDue(signal)) ?? acme.kept(),
  };
}

function acmeSettingsOf(settings: CertificateSettings, email: string): AcmeSettings {
  const named = acmeNames(settings.acmeDomains, settings);
  const problems = named.ok ? [] : named.problems.map((problem) => `MAILKEEL_ACME_DOMAINS: ${problem}`);
  if (!/^[^\s@,]+@[^\s@,]+$/.test(email)) problems.push('MAILKEEL_ACME_EMAIL must be an email address');
  if (!named.ok || problems.length > 0) throw new ConfigProblems(problems);
  const { acmePort, inboundHost, extraCaFile, acmeDirectory, acmeRenewBeforeMs } = settings;
  return {
    directoryUrl: acmeDirectory,
    email,
    names: named.names,
    renewBeforeMs: acmeRenewBeforeMs,
    extraCaFile,
    listenAt: acmePort === 0 ? null : { host: inboundHost, port: acmePort },
  };
}
