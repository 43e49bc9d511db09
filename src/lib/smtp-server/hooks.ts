// The decisions that a listener asks for, and the facts of a session that it gives. All policy comes in here.
import type { NotifyKeyword } from '../dsn/index.js';

/** One reply. `text` is one line; the class of `enhanced` (RFC 3463) is that of `code`. */
export interface ServerReply {
  code: number;
  enhanced: string;
  text: string;
}

/** A reply of class 4 or 5; with code 421 the session is closed. */
export type ServerRefusal = ServerReply;

type Maybe<T> = T | Promise<T>;

export interface ListenerSession<Account> {
  /** For the log. */
  readonly id: string;
  /** The address in its one spelling, IPv4-mapped ones as IPv4. */
  readonly client: { readonly address: string; readonly port: number };
  /** As given in EHLO or HELO, lower case, unproven; '' before. */
  readonly helo: string;
  /** Null in clear. */
  readonly tls: { readonly protocol: string; readonly cipher: string } | null;
  /** For the Received field: SMTP, ESMTP, ESMTPS, ESMTPA, ESMTPSA (RFC 3848). */
  readonly protocol: string;
  /** The answer of `authenticate`; null before, and on listeners without AUTH. */
  readonly account: Account | null;
}

/** Parameters of MAIL. */
export interface MailParameters {
  /** SIZE as declared, which may be wrong; null when it was not (RFC 1870). */
  sizeOctets: number | null;
  /** RFC 6152. */
  body: '7bit' | '8bitmime';
  /** RFC 6531. */
  smtpUtf8: boolean;
  /** RFC 8689; only where the listener offers it. */
  requireTls: boolean;
  /** RFC 3461. */
  ret: 'FULL' | 'HDRS' | null;
  /** As given, in xtext. */
  envid: string | null;
}

/** Parameters of RCPT (RFC 3461). */
export interface RcptParameters {
  notify: readonly NotifyKeyword[] | null;
  /** As given, in xtext: `rfc822;ann@example.com`. */
  orcpt: string | null;
}

export interface EnvelopeRecipient<Target> extends RcptParameters {
  /** Local part in its case, quoted only where it must be, domain in A-labels; `postmaster` may stand alone. */
  address: string;
  /** The answer of `rcptTo`. */
  target: Target;
}

export interface Envelope<Target> extends MailParameters {
  /** '' is the null sender; otherwise as the recipients' addresses, and also a name without a domain. */
  mailFrom: string;
  /** Each address once, compared without case. */
  recipients: readonly EnvelopeRecipient<Target>[];
}

export interface Credentials {
  method: 'PLAIN' | 'LOGIN';
  user: string;
  password: string;
}

/** A hook that throws or rejects is a fault of ours: it is logged, and the client gets 451 and keeps its message. */
export interface ListenerHooks<Account, Target> {
  /** Before the greeting. Null takes the client. */
  connect?(client: { address: string; port: number }): Maybe<ServerRefusal | null>;
  /**
   * Of a listener with AUTH. Null when the credentials open nothing: answered 535. All but class 4 counts as a failure. Sessions
   * of the same `owner` share its part of the places.
   */
  authenticate?(
    credentials: Credentials,
    session: ListenerSession<Account>,
  ): Maybe<{ account: Account; owner: string } | { refusal: ServerRefusal } | null>;
  /** True while no mail can be stored: MAIL is answered 452. */
  storageIsFull?(): boolean;
  /** Null takes the sender. */
  mailFrom?(
    sender: string,
    parameters: MailParameters,
    session: ListenerSession<Account>,
  ): Maybe<ServerRefusal | null>;
  /** Whether mail for that address is taken: nothing else decides, so nothing is relayed that this did not take. */
  rcptTo(
    address: string,
    parameters: RcptParameters,
    session: ListenerSession<Account>,
  ): Maybe<{ target: Target } | { refusal: ServerRefusal }>;
  /**
   * A whole message as sent, transparency undone: every line ends with CRLF (made so where the listener mends line
   * ends), no other CR or LF, no NUL. A reply of class 2 says that it is stored: the client then forgets it.
   */
  data(raw: Buffer, envelope: Envelope<Target>, session: ListenerSession<Account>): Maybe<ServerReply>;
}
