// Determines why one attempt did not deliver, in more detail than its category. Explanations and their advice use the cause. It
// does not affect the mail (outbound/outcome/bounce-class.rules.ts and disposition.ts do).
import { cleanReplyText } from '../../lib/smtp-replies/index.js';
import { compileSafePattern } from '../../lib/patterns/index.js';

export const CAUSES = [
  'no_such_domain',
  'null_mx',
  'mail_loop',
  'other_address_family',
  'no_usable_host',
  'dns_failure',
  'connection_refused',
  'connect_timeout',
  'network_unreachable',
  'no_greeting',
  'session_refused',
  'too_many_connections',
  'connection_lost',
  'reply_timeout',
  'smarthost_login',
  'tls_handshake',
  'tls_required',
  'tls_sts',
  'tls_dane',
  'tls_wanted_by_peer',
  'require_tls',
  'not_delivered_onward',
  'ambiguous',
  'greylisted',
  'put_off',
  'host_trouble',
  'rate_limited',
  'mailbox_full',
  'server_full',
  'no_such_mailbox',
  'mailbox_disabled',
  'domain_takes_no_mail',
  'blocklisted',
  'no_reverse_dns',
  'poor_reputation',
  'content_refused',
  'malware_found',
  'spf_failed',
  'dkim_failed',
  'dmarc_failed',
  'auth_failed',
  'relaying_denied',
  'sender_refused',
  'policy',
  'too_large',
  'smtputf8_missing',
  'eight_bit_missing',
  'protocol',
  'unknown',
] as const;
export type Cause = (typeof CAUSES)[number];

/** Failure of one attempt, from its record or, without a record, from the trail. */
export interface Obstacle {
  /** A reply phase, `route`, or `dsn` for a delivery report. `null` if unknown. */
  phase: string | null;
  code: number | null;
  enhanced: string | null;
  category: string | null;
  /** The reply, or the network error. */
  text: string;
  /** `dane`, `tlsa_unusable`, `sts`, `configured`, `require_tls` or `opportunistic`; null when it is not known. */
  tlsPolicy: string | null;
}

const pattern = compileSafePattern;
const TIMED_OUT = pattern(
  'etimedout|no reply within|took no data|timed out|timeout|no tls within|within \\d{1,9} ms',
);
const REFUSED = pattern('econnrefused|connection refused');
const UNREACHABLE = pattern(
  'enetunreach|ehostunreach|eaddrnotavail|network is unreachable|no route to host|eacces|eperm',
);
const TOO_MANY_CONNECTIONS = pattern(
  'too many (?:concurrent |simultaneous |open )?(?:smtp )?(?:connections|sessions)',
);
const GREYLISTING = pattern(
  'gr[ae]y.{0,2}list|\\[gl01\\]|sender.{0,3}recipient pair|triplet|(?:first|new) (?:time )?(?:sender|contact|delivery attempt)|not yet (?:been )?(?:seen|authori[sz]ed)|(?:soon|early)\\b|minimum (?:time|delay|wait)|come back (?:later|in)\\b',
);
const TROUBLE = pattern(
  'timed? ?out|shutting down|maintenance|(?:internal|system|server|local|lookup|dns|temporary|configuration|database|disk|queue file) (?:[a-z]{1,12} )?(?:error|failure|problem|fault)|lookup failed|out of memory|overload|resources',
);
const BLOCKLIST = pattern(
  'spamhaus|spamcop|barracuda|sorbs|uceprotect|dnsbl|\\brbl\\b|block.?list|black.?list|deny.?list|\\bs3140\\b|\\bs3150\\b',
);
const REVERSE_DNS = pattern(
  '\\bptr\\b|reverse.?dns|\\brdns\\b|reverse (?:lookup|hostname|mapping)|cannot find your (?:reverse )?hostname',
);
const MALWARE = pattern('virus|malware|infected|trojan|phish');
const SPF = pattern('\\bspf\\b');
const DKIM = pattern('\\bdkim\\b');
const DMARC = pattern('\\bdmarc\\b|5\\.7\\.(?:509|515)\\b');
const RELAYING = pattern('\\brelay|not our customer|authentication required|must authenticate');
const SENDER = pattern(
  'sender (?:address )?(?:rejected|refused|unknown|verify)|domain of sender|sender.{0,40}(?:does not exist|not found|unverified)',
);
const STS = pattern('mta-?sts');
const DANE = pattern('\\bdane\\b|\\btlsa\\b|dnssec');
const REQUIRED = pattern('starttls|not offered|does not offer|requires? tls|encrypt');

/**
 * Determines the cause from the enhanced code alone, regardless of the category, if the code is specific (RFC 3463 and IANA's
 * registry).
 */
const BY_ENHANCED: Readonly<Record<string, Cause>> = {
  '1.7': 'sender_refused',
  '1.8': 'sender_refused',
  '1.10': 'null_mx',
  '3.1': 'server_full',
  '3.4': 'too_large',
  '4.6': 'mail_loop',
  '6.3': 'eight_bit_missing',
  '6.7': 'smtputf8_missing',
  '7.20': 'dkim_failed',
  '7.21': 'dkim_failed',
  '7.22': 'dkim_failed',
  '7.23': 'spf_failed',
  '7.24': 'spf_failed',
  '7.25': 'no_reverse_dns',
  '7.26': 'dmarc_failed',
  '7.27': 'sender_refused',
  '7.30': 'require_tls',
  '7.509': 'dmarc_failed',
  '7.515': 'dmarc_failed',
};

/** The cause of one obstacle. Texts of peers are read as far as `cleanReplyText` leaves them. */
export function causeOf(obstacle: Obstacle): Cause {
  const text = cleanReplyText(obstacle.text);
  if (obstacle.category === 'ambiguous') return 'ambiguous';
  if (obstacle.phase === 'route') return causeOfRoute(obstacle, text);
  if (obstacle.phase === 'auth') return 'smarthost_login';
  if (obstacle.phase === 'dsn') return causeOfReport(obstacle, text);
  if (obstacle.code === null && obstacle.category !== 'tls') return causeOfSilence(obstacle, text);
  return causeOfReply(obstacle, text);
}

const ROUTES = new Map<string, Cause>([
  ['5.1.2', 'no_such_domain'],
  ['5.1.10', 'null_mx'],
  ['4.4.4', 'other_address_family'],
  ['5.4.4', 'no_usable_host'],
  ['5.4.6', 'mail_loop'],
  ['5.7.30', 'require_tls'],
]);

function causeOfRoute({ enhanced, category }: Obstacle, text: string): Cause {
  return ROUTES.get(enhanced ?? '') ?? (category === 'tls' ? causeOfTls(null, text) : 'dns_failure');
}

/** The network failed, or the peer did not reply. */
function causeOfSilence({ phase }: Obstacle, text: string): Cause {
  if (phase === 'connect') {
    if (REFUSED.test(text)) return 'connection_refused';
    return UNREACHABLE.test(text) ? 'network_unreachable' : 'connect_timeout';
  }
  if (phase === 'greeting') return 'no_greeting';
  if (REFUSED.test(text)) return 'connection_refused';
  return TIMED_OUT.test(text) ? 'reply_timeout' : 'connection_lost';
}

function causeOfTls(policy: string | null, text: string): Cause {
  if (policy === 'dane' || (policy === null && DANE.test(text))) return 'tls_dane';
  if (policy === 'sts' || (policy === null && STS.test(text))) return 'tls_sts';
  if (policy === 'require_tls') return 'require_tls';
  // TLSA records that can't be used still ask for TLS.
  if (policy === 'configured' || policy === 'tlsa_unusable') return 'tls_required';
  return policy === null && REQUIRED.test(text) ? 'tls_required' : 'tls_handshake';
}

/** Categories that say it all. */
const BY_CATEGORY = new Map<string, Cause>([
  ['invalid_recipient', 'no_such_mailbox'],
  ['inactive_mailbox', 'mailbox_disabled'],
  ['bad_domain', 'domain_takes_no_mail'],
  ['quota', 'mailbox_full'],
  ['too_large', 'too_large'],
  ['protocol', 'protocol'],
]);

type Reader = (text: string, obstacle: Obstacle) => Cause;
/** Categories within which the words of the reply decide. */
const WITHIN_CATEGORY = new Map<string, Reader>([
  ['rate_limited', (text) => (TOO_MANY_CONNECTIONS.test(text) ? 'too_many_connections' : 'rate_limited')],
  ['network', causeOfNetworkReply],
  ['greylist', (text) => (GREYLISTING.test(text) ? 'greylisted' : causeOfPutOff(text))],
  ['spam_block', causeOfBlock],
  ['spam_content', causeOfSpam],
  ['auth_failed', causeOfAuthentication],
  ['policy', causeOfPolicy],
  [
    'tls',
    (text, { code, phase, tlsPolicy }) => {
      // If a peer mentions TLS in its own words after the session was established, it requires TLS from this server.
      const isPeersWish = code !== null && phase !== 'starttls' && phase !== 'tls';
      return isPeersWish ? 'tls_wanted_by_peer' : causeOfTls(tlsPolicy, text);
    },
  ],
]);

function causeOfReply(obstacle: Obstacle, text: string): Cause {
  const { phase, code, enhanced, category } = obstacle;
  const exact = BY_ENHANCED[(enhanced ?? '').slice(2)] ?? BY_CATEGORY.get(category ?? '');
  if (exact) return exact;
  const read = WITHIN_CATEGORY.get(category ?? '');
  if (read) return read(text, obstacle);
  return phase === 'greeting' || code === 421 ? 'session_refused' : 'unknown';
}

/** A downstream server gave up, so network failures there do not concern this server's sessions (RFC 3464). */
function causeOfReport(obstacle: Obstacle, text: string): Cause {
  const { code, category } = obstacle;
  if (code === null && category === 'network') return 'not_delivered_onward';
  const cause = causeOfReply(obstacle, text);
  return cause === 'unknown' ? 'not_delivered_onward' : cause;
}

/** The peer reports an error of its own, or only that it accepts nothing now. */
function causeOfNetworkReply(text: string, { phase, code }: Obstacle): Cause {
  if (TOO_MANY_CONNECTIONS.test(text)) return 'too_many_connections';
  const isAtTheDoor = code === 421 || phase === 'connect' || phase === 'greeting' || phase === 'ehlo';
  return isAtTheDoor && !TROUBLE.test(text) ? 'session_refused' : 'host_trouble';
}

// A deferral without a reason is handled as greylisting, which it most often is; but it is not said to be that.
function causeOfPutOff(text: string): Cause {
  return TROUBLE.test(text) ? 'host_trouble' : 'put_off';
}

function causeOfSpam(text: string, { phase }: Obstacle): Cause {
  if (MALWARE.test(text)) return 'malware_found';
  // Before the data, the peer has not seen the content, so the reply concerns this server.
  return phase === 'mail' || phase === 'rcpt' ? causeOfBlock(text) : 'content_refused';
}

function causeOfBlock(text: string): Cause {
  if (REVERSE_DNS.test(text)) return 'no_reverse_dns';
  return BLOCKLIST.test(text) ? 'blocklisted' : 'poor_reputation';
}

function causeOfAuthentication(text: string): Cause {
  if (REVERSE_DNS.test(text)) return 'no_reverse_dns';
  if (DMARC.test(text)) return 'dmarc_failed';
  if (SPF.test(text)) return DKIM.test(text) ? 'auth_failed' : 'spf_failed';
  return DKIM.test(text) ? 'dkim_failed' : 'auth_failed';
}

function causeOfPolicy(text: string): Cause {
  if (REVERSE_DNS.test(text)) return 'no_reverse_dns';
  if (RELAYING.test(text)) return 'relaying_denied';
  return SENDER.test(text) ? 'sender_refused' : 'policy';
}

/** Whether a reply, or a text that quotes one, says that this server's address is on a block list. */
export function speaksOfBlocklist(text: string): boolean {
  return BLOCKLIST.test(cleanReplyText(text));
}
