// Composes inbound SMTP: the listener, the relay, and the processing of their mail.
import type { CredentialCache } from '../accounts/api-keys/credential-cache.js';
import { Inbound } from '../inbound/index.js';
import type { DiskGuard } from '../lib/files/index.js';
import type { Clock, Log } from '../lib/runtime/index.js';
import type { Keys } from '../lib/secrets/index.js';
import type { CertificateSource, SmtpListener } from '../lib/smtp-server/index.js';
import type { Submission } from '../messages/accept/accept.js';
import type { QuotaCheck } from '../messages/accept/quota-check.js';
import type { WakeUps } from '../events/wake-ups.js';
import type { OutboundRules } from '../outbound/route/outbound-rules.js';
import { DeliveryReports } from '../relay/delivery-reports/delivery-reports.js';
import type { RelayContext } from '../relay/context.js';
import { createRelayListeners } from '../relay/index.js';
import type { NodeRole } from '../contract/names.js';
import type { RoomOf } from './node.js';
import type { Config } from '../settings/settings.js';
import type { Store } from './store.js';

interface MailInDeps {
  store: Store;
  config: Config;
  keys: Keys;
  disk: Pick<DiskGuard, 'isFull'>;
  certificates: CertificateSource;
  credentials: CredentialCache;
  submission: Submission;
  quota: QuotaCheck;
  rules: Pick<OutboundRules, 'providers' | 'bounces' | 'egress'>;
  clock: Clock;
  log: Log;
  wakeUps: WakeUps;
  /** Called after mail was spooled, which another node may process. */
  onSpooled: () => void;
  roomOf: RoomOf;
  /** Roles of this node, which determine its ports. */
  roles: ReadonlySet<NodeRole>;
}

/** A mail port with its address, or the reason why it is not open. */
export interface MailPort {
  what: 'inbound' | 'relay' | 'relay with TLS';
  /** `host:port`; null if it is not open. */
  at: string | null;
  note: string | null;
}

export interface MailIn {
  /** Throws if a port that the operator chose cannot be opened. */
  start(): Promise<MailPort[]>;
  /** Reads a submitted message in a thread. */
  parse: RelayContext['parse'];
  /** Starts processing after mail was spooled without the listener. */
  notifyInbound(): void;
  /** Stops accepting sessions; messages being received are completed. */
  stopListening(): Promise<void>;
  /** Stops after the messages in progress; the rest stays in the spool. */
  stopWork(): Promise<void>;
}

export function createMailIn(deps: MailInDeps): MailIn {
  const { config, log, wakeUps } = deps;
  const isStorageFull = (): boolean => deps.disk.isFull();
  const reports = new DeliveryReports(deps, deps.roomOf('delivery reports'));
  const inbound = new Inbound({
    ...deps,
    room: deps.roomOf('inbound'),
    isStorageFull,
    onQueued: (queueIds) => wakeUps.queue(queueIds),
    onEvents: () => wakeUps.events(),
    onReports: () => reports.ring(),
  });
  const parse: RelayContext['parse'] = (raw, owner) =>
    inbound.reader.read(raw, { owner, splitsReply: false });
  let ports: ListeningPort[] = [];

  function createListeners(): ListeningPort[] {
    const inboundPorts =
      config.inbound && deps.roles.has('inbound')
        ? [portOf('inbound', inbound.createListener(), config.inboundPort)]
        : [];
    if (!config.relay || !deps.roles.has('relay')) return inboundPorts;
    const { plain, secure } = createRelayListeners({
      ...deps,
      parse,
      isStorageFull,
    });
    return [
      ...inboundPorts,
      portOf('relay', plain, config.relayPort),
      portOf('relay with TLS', secure, config.relayTlsPort),
    ];
  }

  return {
    async start() {
      inbound.start();
      reports.start();
      ports = createListeners();
      const opened: MailPort[] = [];
      for (const port of ports) opened.push(await open(port, log));
      return opened;
    },
    parse,
    notifyInbound: () => inbound.notify(),
    async stopListening() {
      // A slow client must not use up the time that the remaining shutdown needs.
      const graceMs = config.shutdownGraceMs / 2;
      await Promise.all(ports.map(({ listener }) => listener.stop(graceMs)));
    },
    async stopWork() {
      await Promise.all([inbound.stop(), reports.stop()]);
    },
  };
}

interface ListeningPort {
  what: MailPort['what'];
  listener: SmtpListener;
  /** Port of the settings. */
  asked: number;
  /** True if the operator chose the port, so the server does not start without it. */
  isChosen: boolean;
}

/** A well-known port is a default that another program may occupy, so the server starts without it. */
function portOf(what: MailPort['what'], listener: SmtpListener, asked: number): ListeningPort {
  return { what, listener, asked, isChosen: ![25, 587, 465].includes(asked) };
}

async function open({ what, listener, asked, isChosen: mustBe }: ListeningPort, log: Log): Promise<MailPort> {
  try {
    const { host, port, insteadBecause } = await listener.start();
    const why = insteadBecause === 'EACCES' ? 'no permission to listen on' : 'another program is using';
    return { what, at: `${host}:${port}`, note: insteadBecause && `${why} port ${asked}` };
  } catch (error) {
    const reason = whyNotOpen(error, what);
    if (mustBe || errorCode(error) === 'EADDRNOTAVAIL') throw new Error(reason, { cause: error });
    log.warn({ port: what, reason }, 'mail port not available');
    return { what, at: null, note: reason };
  }
}

const PORT_SETTINGS: Record<MailPort['what'], string> = {
  inbound: 'MAILKEEL_INBOUND_PORT',
  relay: 'MAILKEEL_RELAY_PORT',
  'relay with TLS': 'MAILKEEL_RELAY_TLS_PORT',
};

/** Returns the reason for the operator, with the setting to change. */
function whyNotOpen(error: unknown, what: MailPort['what']): string {
  const text = error instanceof Error ? error.message : String(error);
  const settings = `MAILKEEL_INBOUND_HOST, ${PORT_SETTINGS[what]}`;
  switch (errorCode(error)) {
    case 'EADDRINUSE':
      return `Another program is using this port: ${text}. Change ${settings}.`;
    case 'EACCES':
      return `No permission to listen on this port: ${text}. Change ${settings}.`;
    case 'EADDRNOTAVAIL':
      return `This machine does not have this address: ${text}. Change ${settings}.`;
    default:
      return text;
  }
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
