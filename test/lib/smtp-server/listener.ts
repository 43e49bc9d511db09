// A listener on loopback whose hooks record what they receive.
import {
  type AdmissionLimits,
  type CertificateSource,
  type ClientAdmission,
  createClientAdmission,
  createSmtpListener,
  type Envelope,
  type ListenerHooks,
  type ListenerLimits,
  type ListenerSession,
  type SmtpListener,
  type SmtpListenerOptions,
} from '../../../src/lib/smtp-server/index.js';
import type { SessionLimits } from '../../../src/lib/rate-limits/index.js';
import type { CertificatePair } from '../../../src/lib/tls/index.js';
import { type Clock, createLog, systemClock } from '../../../src/lib/runtime/index.js';
import { openRawClient, type RawClient } from '../../support/raw-client.js';
import { selfSignedCertificate } from '../../support/test-certificate.js';

interface Kept {
  raw: Buffer;
  envelope: Envelope<string>;
  session: Pick<ListenerSession<string>, 'client' | 'helo' | 'tls' | 'protocol' | 'account'>;
}

export interface TestListener {
  listener: SmtpListener;
  admission: ClientAdmission;
  port: number;
  kept: Kept[];
  /** Lines of the log above debug. */
  logged: string[];
  client(options?: { from?: string; tls?: boolean }): Promise<RawClient>;
  changeCertificate(pair: CertificatePair): void;
  close(): Promise<void>;
}

export interface TestListenerOptions extends Partial<
  Omit<SmtpListenerOptions<string, string>, 'limits' | 'admission' | 'hooks' | 'certificates' | 'log'>
> {
  limits?: Partial<ListenerLimits>;
  admissionLimits?: Partial<Omit<AdmissionLimits, 'sessions'>> & { sessions?: Partial<SessionLimits> };
  admission?: ClientAdmission;
  hooks?: Partial<ListenerHooks<string, string>>;
  clock?: Clock;
  certificates?: null;
}

const LIMITS: ListenerLimits = {
  sizeLimit: 1_000_000,
  recipients: 100,
  wrongRecipients: 10,
  idleMs: 10_000,
  sessionMs: 60_000,
  dataMs: 30_000,
  dataRate: 0,
  dataWindowMs: 30_000,
  signInMs: 30_000,
  maxReceived: 50,
};

const ADMISSION_LIMITS: AdmissionLimits = {
  sessions: {
    total: 100,
    perAddress: 100,
    perNetwork: 100,
    unsigned: null,
    perAccount: 100,
    scarceIdleMs: 15_000,
  },
  sessionsPerMinute: 0,
  messagesPerMinute: 0,
  octetsPerHour: 0,
  memoryOctets: 32_000_000,
  largestMessage: 1_000_000,
  unlimitedClients: [],
};

let shared: CertificatePair | undefined;

/** One for all listeners of a process: making a key takes long. */
function sharedCertificate(): CertificatePair {
  shared ??= selfSignedCertificate('mx.example.com');
  return shared;
}

export async function startListener(options: TestListenerOptions = {}): Promise<TestListener> {
  const kept: Kept[] = [];
  const logged: string[] = [];
  const { clock = systemClock, hooks, limits, admissionLimits, certificates, ...rest } = options;
  const admission =
    options.admission ??
    createClientAdmission({
      limits: {
        ...ADMISSION_LIMITS,
        ...admissionLimits,
        sessions: { ...ADMISSION_LIMITS.sessions, ...admissionLimits?.sessions },
      },
      clock,
    });
  let pair = sharedCertificate();
  let changed = (): void => undefined;
  const source: CertificateSource = {
    current: () => pair,
    onChange(listener) {
      changed = listener;
      return () => (changed = () => undefined);
    },
  };
  const listener = createSmtpListener<string, string>({
    name: 'mx.example.com',
    host: '127.0.0.1',
    port: 0,
    fallbackPort: null,
    implicitTls: false,
    signIn: null,
    mendsLineEnds: false,
    oldTls: false,
    requireTls: false,
    ...rest,
    certificates: certificates === null ? null : source,
    limits: { ...LIMITS, ...limits },
    admission,
    log: createLog('info', { write: (line: string) => void logged.push(line) }),
    hooks: {
      rcptTo: (address) =>
        address.endsWith('@ours.example')
          ? { target: address.toUpperCase() }
          : { refusal: { code: 550, enhanced: '5.1.1', text: 'No such address here' } },
      data(raw, envelope, { client, helo, tls, protocol, account }) {
        kept.push({ raw, envelope, session: { client, helo, tls, protocol, account } });
        return { code: 250, enhanced: '2.0.0', text: `Kept as ${kept.length}` };
      },
      ...hooks,
    },
  });
  const { port } = await listener.start();
  const clients: RawClient[] = [];
  return {
    listener,
    admission,
    port,
    kept,
    logged,
    async client({ from, tls } = {}) {
      const client = await openRawClient({
        port,
        ...(from === undefined ? {} : { from }),
        tls: tls ?? false,
      });
      clients.push(client);
      return client;
    },
    changeCertificate(next) {
      pair = next;
      changed();
    },
    async close() {
      for (const client of clients) client.hangUp();
      await listener.stop(0);
    },
  };
}
