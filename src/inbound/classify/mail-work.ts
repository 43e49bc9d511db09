// The tasks of the mail reader's worker threads.
import { addressDomain, type MailLimits, type ParsedMail } from '../../lib/mime/index.js';
import { invisibleCharacters } from '../../lib/html/index.js';
import type { MailRisk } from '../risk/examine-mail.js';
import type { MailedReport } from '../../lib/reports/index.js';
import type { SplitReply } from '../replies/quoted-reply.rules.js';
import type { ReplyRules } from '../replies/reply-rules.rules.js';
import {
  type MailAuthentication,
  type MailEnvelope,
  unauthenticated,
} from '../../lib/authentication/index.js';
import { systemClock } from '../../lib/runtime/index.js';

export interface MailDns {
  /** From MAILKEEL_DNS_SERVERS. If empty, the system's servers are used. */
  servers: readonly string[];
  /** Name of this server. */
  hostName: string;
  lookUpTimeoutMs: number;
  totalTimeoutMs: number;
}

/** A message in shared memory, which is not copied to the thread, not even when a job is repeated. */
export type SharedOctets = SharedArrayBuffer;

export type ReadJob = {
  kind: 'read';
  raw: SharedOctets;
  limits: MailLimits;
  /** JSON of config/reply-rules.json; `null` if the reply is not to be split. */
  replyRules: string | null;
};
export type AuthenticateJob = {
  kind: 'authenticate';
  raw: SharedOctets;
  envelope: MailEnvelope;
  dns: MailDns;
};
/** A message to an address for DMARC and TLS reports. */
export type ReportJob = { kind: 'report'; raw: SharedOctets; limits: MailLimits };
export type MailJob = ReadJob | AuthenticateJob | ReportJob;

export type VisibleParts = SplitReply;
/** `visible` is empty and `risk` is `null` if the job has no rules. */
export type ReadAnswer = { kind: 'read'; mail: ParsedMail; visible: VisibleParts; risk: MailRisk | null };
/** `fault` is the stack of an internal error, or `null`. */
export type AuthenticateAnswer = {
  kind: 'authenticated';
  authentication: MailAuthentication;
  fault: string | null;
};
/** `fromDomain` is the domain of the From header in lower case, or ''. */
export type ReportAnswer = { kind: 'report'; report: MailedReport; fromDomain: string };
export type MailAnswer = ReadAnswer | AuthenticateAnswer | ReportAnswer;

export const NOTHING_VISIBLE: VisibleParts = {
  visibleText: '',
  quotedText: null,
  signature: null,
  visibleHtml: null,
};

const MAX_CACHED_ANSWERS = 5_000;

type Authenticate = (raw: Uint8Array, envelope: MailEnvelope) => Promise<MailAuthentication>;

/** Returns the function that runs jobs. It caches compiled rules, and a resolver with its answers. */
export function createMailWork(): (job: MailJob) => Promise<MailAnswer> {
  const authenticationFor = remembered(loadAuthentication);
  const rulesFor = remembered(loadReplyRules);

  const read = async ({ raw, limits, replyRules }: ReadJob): Promise<ReadAnswer> => {
    const { parseMail } = await import('../../lib/mail-parser/index.js');
    const mail = await parseMail(Buffer.from(raw), limits);
    if (replyRules === null) return { kind: 'read', mail, visible: NOTHING_VISIBLE, risk: null };
    const { splitReply } = await import('../replies/quoted-reply.rules.js');
    const { examineMail } = await import('../risk/examine-mail.js');
    const { risk, shown } = await examineMail(mail);
    const visible = splitReply({ ...shown, subject: mail.subject }, await rulesFor(replyRules));
    return { kind: 'read', mail, visible: withoutInvisible(visible), risk };
  };

  const authenticate = async ({ raw, envelope, dns }: AuthenticateJob): Promise<AuthenticateAnswer> => {
    try {
      const judge = await authenticationFor(JSON.stringify(dns));
      return { kind: 'authenticated', authentication: await judge(Buffer.from(raw), envelope), fault: null };
    } catch (error) {
      // An internal error says nothing about the sender, so the message is accepted.
      const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { kind: 'authenticated', authentication: unauthenticated('temperror'), fault };
    }
  };

  const report = async ({ raw, limits }: ReportJob): Promise<ReportAnswer> => {
    const { parseMail } = await import('../../lib/mail-parser/index.js');
    const { readMailedReport } = await import('../../lib/reports/index.js');
    const mail = await parseMail(Buffer.from(raw), limits);
    const fromDomain = mail.from === null ? '' : addressDomain(mail.from.email);
    return { kind: 'report', report: await readMailedReport(mail), fromDomain };
  };

  return (job) => {
    switch (job.kind) {
      case 'read':
        return read(job);
      case 'authenticate':
        return authenticate(job);
      case 'report':
        return report(job);
    }
  };
}

/** The HTML may write these characters as references, which only its text shows. */
function withoutInvisible(parts: VisibleParts): VisibleParts {
  const clean = (text: string | null): string | null =>
    text === null ? null : invisibleCharacters(text).text;
  return {
    ...parts,
    visibleText: clean(parts.visibleText) ?? '',
    quotedText: clean(parts.quotedText),
    signature: clean(parts.signature),
  };
}

/** Caches the value for the last text, which rarely changes. */
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

// A thread loads only the packages that its jobs need, because each kind takes tens of megabytes.
async function loadAuthentication(text: string): Promise<Authenticate> {
  // The reader wrote this JSON from a MailDns.
  const dns = JSON.parse(text) as MailDns;
  const { createMailAuthentication } = await import('../../lib/authentication/index.js');
  const { lookUpWith } = await import('../../lib/authentication/index.js');
  const { createResolver } = await import('../../lib/dns/index.js');
  const resolver = createResolver({
    servers: dns.servers,
    timeoutMs: Math.ceil(dns.lookUpTimeoutMs / 3),
    tries: 2,
    cacheSize: MAX_CACHED_ANSWERS,
    clock: systemClock,
  });
  return createMailAuthentication({ ...dns, resolve: lookUpWith(resolver) });
}

/** Returns the buffers of an answer that the thread transfers. */
export function transferableBuffers(answer: MailAnswer): ArrayBuffer[] {
  if (answer.kind !== 'read') return [];
  return answer.mail.parts.flatMap(({ content: { buffer } }) =>
    buffer instanceof ArrayBuffer ? [buffer] : [],
  );
}
