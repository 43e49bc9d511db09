// `posthorn admin classify --mail`: what a mail in a file would be taken for if it came in, and what would follow.
import { readFileSync } from 'node:fs';
import type { BounceCategory } from '../contract/names.js';
import { addressKey } from '../lib/mime/address.js';
import type { BounceReport } from '../lib/dsn/dsn.js';
import { parseMail } from '../lib/mime/mime-parse.js';
import { fieldOf, type ParsedMail } from '../lib/mime/parsed-mail.js';
import { autoReplyKind } from '../inbound/classify/auto-reply.rules.js';
import { judgeBounceReport } from '../inbound/classify/bounce-report.rules.js';
import { judgeComplaint } from '../inbound/classify/complaint.rules.js';
import { providerOf } from '../outbound/route/provider.rules.js';
import type { InboundKind } from '../store/tables/correspondence.js';
import { verdictOf, type Verdict } from '../inbound/classify/classification.js';
import { readDsnRules, readProviders, readReplyRules, readRules, type RuleFiles } from './classify.js';

export { INBOUND_KINDS } from '../store/tables/correspondence.js';

export interface MailQuestion {
  file: string;
  /** What the address that it came to is for. */
  to: InboundKind;
  /**
   * Envelope sender; without one that of its Return-Path field. Without that the null sender for a bounce or a complaint, and
   * From for an answer: octets kept by the listener have no such field, and a null sender would make each a machine's.
   */
  from?: string;
  /** Whom our message was for; without one the first recipient of the report. */
  recipient?: string;
}

export interface MailAnswer {
  kind: Verdict['kind'];
  /**
   * Of a bounce `bounced`, `delayed`, `delivered`, `relayed`, `expanded` or `unclear`; of a complaint `complaint`,
   * `not_spam` or `other`; of an answer `reply` or `auto_reply`; of what is ignored `automatic` or `unrecognized`.
   */
  outcome: string;
  category: BounceCategory | null;
  type: 'hard' | 'soft' | null;
  /** The address would get no more mail; of a complaint only when its reporter is proven. */
  suppress: boolean;
  /** Of a bounce `standard` or a name of config/dsn-rules.json; of a complaint its form. */
  format: string | null;
  code: number | null;
  enhanced_code: string | null;
  /** The remote's words. */
  message: string | null;
  remote_host: string | null;
  reporting_mta: string | null;
  recipients: string[];
  /** What kind of automatic answer it is by itself; null for a person's. */
  auto_reply: string | null;
  /** What could not be read. */
  problems: readonly string[];
}

/** Throws DataProblems when the rules hold mistakes. Authentication and tokens are left out: they need the network and the keys. */
export async function adminClassifyMail(question: MailQuestion, files: RuleFiles = {}): Promise<MailAnswer> {
  const rules = { dsn: readDsnRules(files), reply: readReplyRules(files) };
  const mail = await parseMail(readFileSync(question.file));
  const mailFrom = question.from ?? returnPathOf(mail) ?? presumedSender(mail, question.to);
  const envelope = { kind: question.to, mailFrom, rcptTo: '' };
  const verdict = verdictOf(mail, envelope, rules);
  const told = answerOf(verdict, question, files);
  return {
    ...NOTHING,
    ...told,
    kind: verdict.kind,
    auto_reply: autoReplyKind({ mail, envelopeFrom: mailFrom }, rules.reply),
    problems: mail.problems,
  };
}

type Told = Omit<MailAnswer, 'kind' | 'auto_reply' | 'problems'>;

const NOTHING: Omit<Told, 'outcome'> = {
  category: null,
  type: null,
  suppress: false,
  format: null,
  code: null,
  enhanced_code: null,
  message: null,
  remote_host: null,
  reporting_mta: null,
  recipients: [],
};

function answerOf(
  verdict: Verdict,
  question: MailQuestion,
  files: RuleFiles,
): Pick<Told, 'outcome'> & Partial<Told> {
  switch (verdict.kind) {
    case 'bounce':
      return bounceIn(verdict.report, question, files);
    case 'complaint': {
      const { report } = verdict;
      const outcome = judgeComplaint({ report, authentication: null, sourceIsConfigured: true });
      return {
        outcome,
        suppress: outcome === 'complaint',
        format: report.form,
        message: report.type,
        recipients: [...report.originalRecipients],
      };
    }
    case 'reply':
      return { outcome: verdict.autoReply === null ? 'reply' : 'auto_reply' };
    case 'ignored':
      return { outcome: verdict.why };
    case 'unsubscribe':
      return { outcome: 'unsubscribe', suppress: true };
  }
}

function bounceIn(
  report: BounceReport,
  { recipient }: MailQuestion,
  files: RuleFiles,
): Pick<Told, 'outcome'> & Partial<Told> {
  const providers = readProviders(files);
  const recipients = report.recipients.flatMap((one) => one.originalRecipient ?? one.finalRecipient ?? []);
  const judgement = judgeBounceReport(
    report,
    {
      recipientKey: addressKey(recipient ?? recipients[0] ?? ''),
      providerOfHost: (host) => providerOf([host], providers),
    },
    readRules(files, providers),
  );
  const { outcome, category, type, suppress, code, enhanced, message, remoteHost } = judgement;
  return {
    ...{ outcome, category, type, suppress, code, message, recipients },
    format: report.format,
    enhanced_code: enhanced,
    remote_host: remoteHost,
    reporting_mta: report.reportingMta,
  };
}

function returnPathOf(mail: ParsedMail): string | undefined {
  return /^<([^<>\s]*)>/.exec(fieldOf(mail, 'return-path')?.trim() ?? '')?.[1];
}

function presumedSender(mail: ParsedMail, to: InboundKind): string {
  return to === 'return_path' || to === 'feedback' ? '' : (mail.from?.email ?? '');
}
