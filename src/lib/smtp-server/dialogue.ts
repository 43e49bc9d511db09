// Runs one client's session between the SMTP library and the hooks: its limits, the message in progress, and
// how it ends.
import type { Log } from '../runtime/index.js';
import type { Visit } from './client-admission.js';
import type { SmtpConnection } from './connection.js';
import type {
  Credentials,
  Envelope,
  EnvelopeRecipient,
  ListenerHooks,
  ListenerSession,
  MailParameters,
  RcptParameters,
  ServerRefusal,
  ServerReply,
} from './hooks.js';
import { Intake } from './intake.js';
import { countReceivedFields } from './octet-check.js';
import type { WrittenParameters } from './parameters.js';
import {
  ACCOUNT_TAKEN,
  LOCKED_OUT,
  MESSAGE_REFUSALS,
  NO_SIGN_IN,
  OUT_OF_TIME,
  SIGN_IN_FIRST,
  STORAGE_FULL,
  TLS_FIRST,
  TOO_MANY_FAILURES,
  TOO_MANY_HOPS,
  TOO_MANY_WRONG,
  TOO_SLOW,
  WRONG_CREDENTIALS,
} from './replies.js';
import type { Seat } from './session-places.js';
import type { SignInGuard } from './sign-in-guard.js';

export interface SessionTerms {
  sizeLimit: number;
  /** Recipients refused permanently; the next RCPT after them ends the session. */
  wrongRecipients: number;
  sessionMs: number;
  dataMs: number;
  /**
   * Minimum octets of a message per second, measured over windows of `dataWindowMs`; 0 turns the check off.
   */
  dataRate: number;
  dataWindowMs: number;
  /** Received fields from which a message counts as looping. */
  maxReceived: number;
}

/** Failed sign-ins per session; the last of them ends it. */
const MAX_SIGN_IN_FAILURES = 3;

interface DialogueDeps<Account, Target> {
  connection: SmtpConnection;
  visit: Visit;
  terms: SessionTerms;
  /** `null` without AUTH. */
  signIn: { guard: SignInGuard; authInClear: boolean } | null;
  /** Turns a bare CR or LF into CRLF; otherwise such a message is refused. */
  mendsLineEnds: boolean;
  hooks: ListenerHooks<Account, Target>;
  log: Log;
  /** Called when the socket is closed. */
  closed: () => void;
}

/** `null` accepts. */
type Decision = ServerRefusal | null;

export interface Dialogue {
  connect(): Promise<Decision>;
  secured(tls: { protocol: string; cipher: string }): void;
  /** Resolves to a refusal, or to `null` once `session.account` is set. */
  authenticate(credentials: Credentials): Promise<Decision>;
  mailFrom(address: string): Promise<Decision>;
  rcptTo(address: string, notify: RcptParameters['notify'], key: object): Promise<Decision>;
  /** Starts to receive the octets after 354. */
  beginData(): Intake;
  endData(recipients: readonly object[]): Promise<ServerReply>;
  /** Called after the reply to the message was sent. */
  dataAnswered(): void;
  /** Sends this reply and closes; if a message is in progress, after the reply to it. */
  end(reply: ServerReply): void;
  /** Sends this reply and closes, even while the client is still sending a message. */
  giveWay(reply: ServerReply): void;
  /** Closes immediately without a reply. */
  cut(): void;
  /** Called when the socket is closed. */
  closed(): void;
}

export function createDialogue<Account, Target>(deps: DialogueDeps<Account, Target>): Dialogue {
  const { connection, visit, terms, hooks } = deps;
  const progress = createSessionProgress(visit.seat);
  let account: Account | null = null;
  let tls: ListenerSession<Account>['tls'] = null;

  const session: ListenerSession<Account> = {
    id: connection.id,
    client: { address: visit.address, port: connection.remotePort },
    get helo() {
      return connection.hostNameAppearsAs || '';
    },
    get tls() {
      return tls;
    },
    get protocol() {
      return connection.session.transmissionType;
    },
    get account() {
      return account;
    },
  };
  const transaction = createTransaction(deps, session, progress);
  const message = createMessagePhase(deps, progress, (raw, keys) => transaction.store(raw, keys));
  const sessionTimer = setTimeout(() => message.end(OUT_OF_TIME), terms.sessionMs).unref();

  return {
    async connect() {
      return (await hooks.connect?.(session.client)) ?? null;
    },
    secured(facts) {
      tls = facts;
      progress.secured();
    },
    authenticate: createSignIn(deps, session, (signedIn) => {
      account = signedIn;
      progress.signedIn();
    }),
    mailFrom: (address) => transaction.mailFrom(address),
    rcptTo: (address, notify, key) => transaction.rcptTo(address, notify, key),
    beginData: () => message.begin(transaction.declaredOctets()),
    endData: (recipients) => message.finish(recipients),
    dataAnswered: () => message.answered(),
    end: (reply) => message.end(reply),
    giveWay: (reply) => message.giveWay(reply),
    cut() {
      message.drop();
      connection.cut();
    },
    closed() {
      clearTimeout(sessionTimer);
      message.drop();
      deps.closed();
    },
  };
}

type Progress = ReturnType<typeof createSessionProgress>;

/** Decides on MAIL and RCPT, and keeps the envelope of the current transaction. */
function createTransaction<Account, Target>(
  { connection, visit, terms, signIn, hooks }: DialogueDeps<Account, Target>,
  session: ListenerSession<Account>,
  progress: Progress,
) {
  let wrong = 0;
  let mail: MailParameters = readMailParameters(connection.written);
  let recipients = new WeakMap<object, EnvelopeRecipient<Target>>();

  async function checkSender(address: string): Promise<Decision> {
    if (signIn !== null && session.account === null) return SIGN_IN_FIRST;
    if (hooks.storageIsFull?.() === true) return STORAGE_FULL;
    const reason = visit.messageRefusal(mail.sizeOctets ?? 0);
    if (reason !== null) return MESSAGE_REFUSALS[reason];
    return (await hooks.mailFrom?.(address, mail, session)) ?? null;
  }

  return {
    declaredOctets: () => mail.sizeOctets,
    async mailFrom(address: string): Promise<Decision> {
      mail = readMailParameters(connection.written);
      recipients = new WeakMap();
      const decision = await checkSender(address);
      if (decision === null) progress.mailBegan();
      return decision;
    },
    async rcptTo(address: string, notify: RcptParameters['notify'], key: object): Promise<Decision> {
      if (wrong >= terms.wrongRecipients) return TOO_MANY_WRONG;
      const parameters = { notify, orcpt: connection.written.get('ORCPT') ?? null };
      const decision = await hooks.rcptTo(address, parameters, session);
      if ('target' in decision) {
        recipients.set(key, { address, ...parameters, target: decision.target });
        progress.recipientTaken();
        return null;
      }
      if (decision.refusal.code >= 500) wrong += 1;
      return decision.refusal;
    },
    async store(raw: Buffer, keys: readonly object[]): Promise<ServerReply> {
      if (countReceivedFields(raw) >= terms.maxReceived) return TOO_MANY_HOPS;
      // Each further recipient costs the same work again, and almost as much storage.
      visit.countOctets(raw.length * (keys.length - 1));
      const taken = keys.map((key) => recipients.get(key)).filter((recipient) => recipient !== undefined);
      const envelope: Envelope<Target> = { ...mail, mailFrom: readSender(connection), recipients: taken };
      return hooks.data(raw, envelope, session);
    },
  };
}

/** Receives one message after the other. A reply that ends the session waits for the reply to a message. */
function createMessagePhase<Account, Target>(
  { connection, visit, terms, mendsLineEnds }: DialogueDeps<Account, Target>,
  progress: Progress,
  store: (raw: Buffer, recipients: readonly object[]) => Promise<ServerReply>,
) {
  let intake: Intake | null = null;
  let isAnswering = false;
  let lastWords: ServerReply | null = null;
  let unwatch = (): void => undefined;

  function end(reply: ServerReply): void {
    if (intake === null && !isAnswering) connection.say(reply);
    else lastWords = reply;
  }

  function drop(): void {
    unwatch();
    intake?.drop();
    intake = null;
  }

  function giveWay(reply: ServerReply): void {
    drop();
    end(reply);
  }

  return {
    end,
    drop,
    giveWay,
    begin(declaredOctets: number | null): Intake {
      visit.countMessage();
      progress.dataBegan();
      intake = new Intake({ visit, sizeLimit: terms.sizeLimit, declaredOctets, mendsLineEnds });
      unwatch = watchData(intake, terms, giveWay);
      return intake;
    },
    async finish(recipients: readonly object[]): Promise<ServerReply> {
      unwatch();
      const message = intake;
      intake = null;
      if (message === null) return OUT_OF_TIME;
      isAnswering = true;
      visit.seat.setWorking(true);
      try {
        const raw = message.finish();
        const reply = 'code' in raw ? raw : await store(raw, recipients);
        if (reply.code < 300) progress.messageTaken();
        return reply;
      } finally {
        message.drop();
      }
    },
    answered(): void {
      isAnswering = false;
      visit.seat.setWorking(false);
      connection.messageEnded();
      if (lastWords !== null) connection.say(lastWords);
    },
  };
}

/** Stages of a session since its last accepted message. Each accepted recipient is a step beyond `mail`. */
const STAGES = { secured: 1, signedIn: 2, mail: 3, data: Infinity };

/** Tracks the progress of a session. Commands that lead no further don't count, because a client could repeat them forever. */
function createSessionProgress(seat: Pick<Seat, 'progressed'>) {
  let stage = 0;
  let recipients = 0;

  function reached(next: number): void {
    if (next <= stage) return;
    stage = next;
    seat.progressed();
  }

  return {
    secured: () => reached(STAGES.secured),
    signedIn: () => reached(STAGES.signedIn),
    mailBegan() {
      recipients = 0;
      reached(STAGES.mail);
    },
    recipientTaken() {
      recipients += 1;
      reached(STAGES.mail + recipients);
    },
    dataBegan: () => reached(STAGES.data),
    messageTaken() {
      stage = STAGES.signedIn;
      seat.progressed();
    },
  };
}

/** Returns the sign-in check of a session; it calls `done` with the account. */
function createSignIn<Account, Target>(
  { connection, visit, signIn, hooks, log }: DialogueDeps<Account, Target>,
  session: ListenerSession<Account>,
  done: (account: Account) => void,
) {
  const { address, seat } = visit;
  let failures = 0;
  return async (credentials: Credentials): Promise<Decision> => {
    if (signIn === null || hooks.authenticate === undefined) return NO_SIGN_IN;
    if (!connection.secure && !signIn.authInClear) return TLS_FIRST;
    if (signIn.guard.isLockedOut(address, credentials.user)) return LOCKED_OUT;
    const answered = await hooks.authenticate(credentials, session);
    if (answered !== null && 'account' in answered) {
      if (!seat.signIn(answered.owner)) return ACCOUNT_TAKEN;
      signIn.guard.succeeded(address, credentials.user);
      done(answered.account);
      return null;
    }
    const refusal = answered?.refusal ?? WRONG_CREDENTIALS;
    if (refusal.code < 500) return refusal;
    failures += 1;
    if (signIn.guard.failed(address, credentials.user)) {
      log.warn({ session: session.id, client: address }, 'SMTP client locked out: too many failed sign-ins');
    }
    return failures < MAX_SIGN_IN_FAILURES ? refusal : TOO_MANY_FAILURES;
  };
}

/**
 * Calls `tooSlow` if the message takes too long or a window received too few octets. Call the result to stop
 * watching.
 */
function watchData(intake: Intake, terms: SessionTerms, tooSlow: (reply: ServerReply) => void): () => void {
  const { dataMs, dataRate, dataWindowMs } = terms;
  let seen = 0;
  const whole = setTimeout(() => tooSlow(OUT_OF_TIME), dataMs).unref();
  const windows = setInterval(() => {
    const octets = intake.receivedOctets - seen;
    seen = intake.receivedOctets;
    if (octets * 1_000 < dataRate * dataWindowMs) tooSlow(TOO_SLOW);
  }, dataWindowMs).unref();
  return () => {
    clearTimeout(whole);
    clearInterval(windows);
  };
}

function readSender(connection: SmtpConnection): string {
  const { mailFrom } = connection.session.envelope;
  return mailFrom === false ? '' : mailFrom.address;
}

function readMailParameters(written: WrittenParameters): MailParameters {
  const ret = written.get('RET')?.toUpperCase();
  const size = written.get('SIZE');
  return {
    sizeOctets: size === undefined ? null : Number(size),
    body: written.get('BODY')?.toUpperCase() === '8BITMIME' ? '8bitmime' : '7bit',
    smtpUtf8: written.has('SMTPUTF8'),
    requireTls: written.has('REQUIRETLS'),
    ret: ret === 'FULL' || ret === 'HDRS' ? ret : null,
    envid: written.get('ENVID') ?? null,
  };
}
