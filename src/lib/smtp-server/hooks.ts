// Defines the hooks through which a listener takes its policy, and the session facts that it gives them.
import type { NotifyKeyword } from '../dsn/index.js';

/** One reply. `text` is a single line, and `enhanced` (RFC 3463) has the class of `code`. */
export interface ServerReply {
  code: number;
  enhanced: string;
  text: string;
}

/** A reply of class 4 or 5. Code 421 also closes the session. */
export type ServerRefusal = ServerReply;

type Maybe<T> = T | Promise<T>;

export interface ListenerSession<Account> {
  /** Identifies the session in the log. */
  readonly id: string;
  /** The client's address in canonical form; IPv4-mapped addresses as IPv4. */
  readonly client: { readonly address: string; readonly port: number };
  /** The name given in EHLO or HELO, in lower case and unverified; '' before. */
  readonly helo: string;
  /** `null` without TLS. */
  readonly tls: { readonly protocol: string; readonly cipher: string } | null;
  /** The keyword for the Received field: SMTP, ESMTP, ESMTPS, ESMTPA or ESMTPSA (RFC 3848). */
  readonly protocol: string;
  /** The account that `authenticate` returned; `null` before, and on listeners without AUTH. */
  readonly account: Account | null;
}

/** Parameters of MAIL. */
export interface MailParameters {
  /** SIZE as declared, which may be wrong; `null` if not declared (RFC 1870). */
  sizeOctets: number | null;
  /** RFC 6152. */
  body: '7bit' | '8bitmime';
  /** RFC 6531. */
  smtpUtf8: boolean;
  /** RFC 8689; only if the listener offers it. */
  requireTls: boolean;
  /** RFC 3461. */
  ret: 'FULL' | 'HDRS' | null;
  /** ENVID as written, in xtext. */
  envid: string | null;
}

/** Parameters of RCPT (RFC 3461). */
export interface RcptParameters {
  notify: readonly NotifyKeyword[] | null;
  /** ORCPT as written, in xtext: `rfc822;ann@example.com`. */
  orcpt: string | null;
}

export interface EnvelopeRecipient<Target> extends RcptParameters {
  /**
   * Keeps the case of the local part, quotes it only if necessary, and has the domain in A-labels. May be
   * `postmaster` alone.
   */
  address: string;
  /** The target that `rcptTo` returned. */
  target: Target;
}

export interface Envelope<Target> extends MailParameters {
  /**
   * The sender in the same form as recipient addresses, which may be a name without a domain; '' is the null
   * sender.
   */
  mailFrom: string;
  /** The accepted recipients, without duplicates (compared ignoring case). */
  recipients: readonly EnvelopeRecipient<Target>[];
}

export interface Credentials {
  method: 'PLAIN' | 'LOGIN';
  user: string;
  password: string;
}

/**
 * Policy of a listener. A hook that throws or rejects is an internal error: it is logged, and the client gets
 * 451 and keeps its message.
 */
export interface ListenerHooks<Account, Target> {
  /** Decides before the greeting. `null` accepts the client. */
  connect?(client: { address: string; port: number }): Maybe<ServerRefusal | null>;
  /**
   * Checks credentials on a listener with AUTH. `null` means that they are invalid (535). Every answer except
   * class 4 counts as a failed sign-in. Sessions with the same `owner` share that owner's session limit.
   */
  authenticate?(
    credentials: Credentials,
    session: ListenerSession<Account>,
  ): Maybe<{ account: Account; owner: string } | { refusal: ServerRefusal } | null>;
  /** Returns true while no mail can be stored; MAIL is then answered with 452. */
  storageIsFull?(): boolean;
  /** Decides on the sender. `null` accepts it. */
  mailFrom?(
    sender: string,
    parameters: MailParameters,
    session: ListenerSession<Account>,
  ): Maybe<ServerRefusal | null>;
  /** Decides on a recipient. It alone grants acceptance, so nothing is relayed that it did not accept. */
  rcptTo(
    address: string,
    parameters: RcptParameters,
    session: ListenerSession<Account>,
  ): Maybe<{ target: Target } | { refusal: ServerRefusal }>;
  /**
   * Stores a complete message with dot-stuffing removed. Every line ends with CRLF (converted if the listener
   * mends line ends); there is no other CR or LF and no NUL. A reply of class 2 confirms that the message is
   * stored, after which the client forgets it.
   */
  data(raw: Buffer, envelope: Envelope<Target>, session: ListenerSession<Account>): Maybe<ServerReply>;
}
