// The tasks of the mail reader's worker threads.
import type { MailLimits } from '../../lib/mime/mail-limits.js';
import type { ParsedMail } from '../../lib/mime/parsed-mail.js';
import type { SplitReply } from '../replies/quoted-reply.rules.js';
import type { ReplyRules } from '../replies/reply-rules.rules.js';
import type { MailAuthentication, MailEnvelope } from '../../lib/authentication/mail-authentication.js';
import { systemClock } from '../../lib/runtime/clock.js';

export interface MailDns {
  /** As POSTHORN_DNS_SERVERS gives them; none: the system's. */
  servers: readonly string[];
  /** Our own name. */
  hostName: string;
  lookUpTimeoutMs: number;
  totalTimeoutMs: number;
}

/** Octets that the thread reads where they are: they are copied neither on the way nor when a job is sent again. */
export type SharedOctets = SharedArrayBuffer;

export type ReadJob = {
  kind: 'read';
  raw: SharedOctets;
  limits: MailLimits;
  /** JSON of config/reply-rules.json; null when nobody asks what the person wrote. */
  replyRules: string | null;
};
export type AuthenticateJob = {
  kind: 'authenticate';
  raw: SharedOctets;
  envelope: MailEnvelope;
  dns: MailDns;
};
export type MailJob = ReadJob | AuthenticateJob;

export type VisibleParts = SplitReply;
/** `visible` is empty when nobody asked. */
export type ReadAnswer = { kind: 'read'; mail: ParsedMail; visible: VisibleParts };
export type AuthenticateAnswer = { kind: 'authenticated'; authentication: MailAuthentication };
export type MailAnswer = ReadAnswer | AuthenticateAnswer;

export const NOTHING_VISIBLE: VisibleParts = {
  visibleText: '',
  quotedText: null,
  signature: null,
  visibleHtml: null,
};

const MAX_CACHED_ANSWERS = 5_000;

type Authenticate = (raw: Uint8Array, envelope: MailEnvelope) => Promise<MailAuthentication>;

/** Makes the function that answers jobs; between them it keeps compiled rules, and a resolver with its answers. */
export function createMailWork(): (job: MailJob) => Promise<MailAnswer> {
  const authenticationFor = remembered(loadAuthentication);
  const rulesFor = remembered(loadReplyRules);

  const read = async ({ raw, limits, replyRules }: ReadJob): Promise<ReadAnswer> => {
    const { parseMail } = await import('../../lib/mime/mime-parse.js');
    const mail = await parseMail(Buffer.from(raw), limits);
    if (replyRules === null) return { kind: 'read', mail, visible: NOTHING_VISIBLE };
    const { splitReply } = await import('../replies/quoted-reply.rules.js');
    return { kind: 'read', mail, visible: splitReply(mail, await rulesFor(replyRules)) };
  };

  const authenticate = async ({ raw, envelope, dns }: AuthenticateJob): Promise<AuthenticateAnswer> => {
    const judge = await authenticationFor(JSON.stringify(dns));
    return { kind: 'authenticated', authentication: await judge(Buffer.from(raw), envelope) };
  };

  return (job) => (job.kind === 'read' ? read(job) : authenticate(job));
}

/** Caches the value made from the last text, which hardly ever changes. */
function remembered<Made>(make: (text: string) => Promise<Made>): (text: string) => Promise<Made> {
  let last: { text: string; made: Promise<Made> } | null = null;
  return (text) => {
    if (last?.text !== text) last = { text, made: make(text) };
    return last.made;
  };
}

async function loadReplyRules(text: string): Promise<ReplyRules> {
  const { compileReplyRules } = await import('../replies/reply-rules.rules.js');
  return compileReplyRules(JSON.parse(text));
}

// A thread loads only what its jobs need: the packages of either kind take tens of megabytes.
async function loadAuthentication(text: string): Promise<Authenticate> {
  // Written above, from options of that type.
  const dns = JSON.parse(text) as MailDns;
  const { createMailAuthentication } = await import('../../lib/authentication/mail-authentication.js');
  const { lookUpWith } = await import('../../lib/authentication/look-ups.js');
  const { createResolver } = await import('../../lib/dns/resolver.js');
  const resolver = createResolver({
    servers: dns.servers,
    timeoutMs: Math.ceil(dns.lookUpTimeoutMs / 3),
    tries: 2,
    cacheSize: MAX_CACHED_ANSWERS,
    clock: systemClock,
  });
  return createMailAuthentication({ ...dns, resolve: lookUpWith(resolver) });
}

/** The buffers of an answer that the thread hands over. */
export function buffersOf(answer: MailAnswer): ArrayBuffer[] {
  if (answer.kind !== 'read') return [];
  return answer.mail.parts.flatMap(({ content: { buffer } }) =>
    buffer instanceof ArrayBuffer ? [buffer] : [],
  );
}
