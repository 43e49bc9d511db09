// `mailkeel admin classify`: shows what a server's reply means for a message, or how a mail in a file would be classified. Does
// not use the database.
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import {
  adminClassify,
  checkClassify,
  REPLY_PHASES,
  type ClassifyAnswer,
  type ClassifyCheck,
  type ReplyPhase,
  readDsnRules,
  readProviders,
  readReplyRules,
  readRules,
  type RuleFiles,
} from './classify.js';
import { EXIT } from './exit-code.js';
import { type OutputOptions, type Terminal, print, table } from './terminal.js';
import { readFileSync } from 'node:fs';
import type { BounceCategory } from '../contract/names.js';
import { addressKey, findField, type ParsedMail } from '../lib/mime/index.js';
import type { BounceReport } from '../lib/dsn/index.js';
import { autoReplyKind } from '../inbound/classify/auto-reply.rules.js';
import { classifyBounceReport } from '../inbound/classify/bounce-report.rules.js';
import { classifyComplaint } from '../inbound/classify/complaint.rules.js';
import { findProvider } from '../outbound/route/provider.rules.js';
import { classifyMail, type Classification } from '../inbound/classify/classification.js';
import { CLASSIFIED_KINDS, type ClassifiedKind } from '../inbound/inbound.tables.js';

interface MailQuestion {
  file: string;
  /** Purpose of the recipient address. */
  to: ClassifiedKind;
  /**
   * Envelope sender. Default: that of the Return-Path field; otherwise the null sender for a bounce or complaint, and From for
   * a reply, because files from the listener lack the field and a null sender would make every reply automatic.
   */
  from?: string;
  /** Recipient of the original message. Default: the first recipient of the report. */
  recipient?: string;
}

interface MailAnswer {
  kind: Classification['kind'];
  /**
   * For a bounce `bounced`, `delayed`, `delivered`, `relayed`, `expanded` or `unclear`; for a complaint `complaint`, `not_spam`
   * or `other`; for a reply `reply` or `auto_reply`; for ignored mail `automatic` or `unrecognized`.
   */
  outcome: string;
  category: BounceCategory | null;
  type: 'hard' | 'soft' | null;
  /** The address would be suppressed; for a complaint, only if the reporter is authenticated. */
  suppress: boolean;
  /** Several such bounces on different days would suppress the address. */
  suppress_when_repeated: boolean;
  /** For a bounce `standard` or a name of config/dsn-rules.json; for a complaint its format. */
  format: string | null;
  code: number | null;
  enhanced_code: string | null;
  /** The remote server's text. */
  message: string | null;
  remote_host: string | null;
  reporting_mta: string | null;
  recipients: string[];
  /** Kind of automatic reply; null for a person's. */
  auto_reply: string | null;
  /** Parsing problems. */
  problems: readonly string[];
}

/**
 * Throws DataProblems if the rules are invalid. Authentication and tokens are not checked, because they need the network and
 * the keys.
 */
async function adminClassifyMail(question: MailQuestion, files: RuleFiles = {}): Promise<MailAnswer> {
  const rules = { dsn: readDsnRules(files), reply: readReplyRules(files) };
  // Loaded on demand, because it would add a third to every command's start.
  const { parseMail } = await import('../lib/mail-parser/index.js');
  const mail = await parseMail(readFileSync(question.file));
  const mailFrom = question.from ?? returnPathOf(mail) ?? presumedSender(mail, question.to);
  const envelope = { kind: question.to, mailFrom, rcptTo: '' };
  const classification = classifyMail(mail, envelope, rules);
  const found = answerOf(classification, question, files);
  return {
    ...NOTHING,
    ...found,
    kind: classification.kind,
    auto_reply: autoReplyKind({ mail, envelopeFrom: mailFrom }, rules.reply),
    problems: mail.problems,
  };
}

type Found = Omit<MailAnswer, 'kind' | 'auto_reply' | 'problems'>;

const NOTHING: Omit<Found, 'outcome'> = {
  category: null,
  type: null,
  suppress: false,
  suppress_when_repeated: false,
  format: null,
  code: null,
  enhanced_code: null,
  message: null,
  remote_host: null,
  reporting_mta: null,
  recipients: [],
};

function answerOf(
  classification: Classification,
  question: MailQuestion,
  files: RuleFiles,
): Pick<Found, 'outcome'> & Partial<Found> {
  switch (classification.kind) {
    case 'bounce':
      return bounceIn(classification.report, question, files);
    case 'complaint': {
      const { report } = classification;
      const outcome = classifyComplaint({ report, authentication: null, sourceIsConfigured: true });
      return {
        outcome,
        suppress: outcome === 'complaint',
        format: report.form,
        message: report.type,
        recipients: [...report.originalRecipients],
      };
    }
    case 'reply':
      return { outcome: classification.autoReply === null ? 'reply' : 'auto_reply' };
    case 'ignored':
      return { outcome: classification.why };
    case 'unsubscribe':
      return { outcome: 'unsubscribe', suppress: true };
  }
}

function bounceIn(
  report: BounceReport,
  { recipient }: MailQuestion,
  files: RuleFiles,
): Pick<Found, 'outcome'> & Partial<Found> {
  const providers = readProviders(files);
  const recipients = report.recipients.flatMap((one) => one.originalRecipient ?? one.finalRecipient ?? []);
  const bounce = classifyBounceReport(
    report,
    {
      recipientKey: addressKey(recipient ?? recipients[0] ?? ''),
      providerOfHost: (host) => findProvider([host], providers),
    },
    readRules(files, providers),
  );
  const { outcome, category, type, suppress, code, enhanced, message, remoteHost } = bounce;
  return {
    ...{ outcome, category, type, code, message, recipients },
    suppress: suppress === 'now',
    suppress_when_repeated: suppress === 'repeated',
    format: report.format,
    enhanced_code: enhanced,
    remote_host: remoteHost,
    reporting_mta: report.reportingMta,
  };
}

function returnPathOf(mail: ParsedMail): string | undefined {
  return /^<([^<>\s]*)>/.exec(findField(mail, 'return-path')?.trim() ?? '')?.[1];
}

function presumedSender(mail: ParsedMail, to: ClassifiedKind): string {
  return to === 'return_path' || to === 'feedback' ? '' : (mail.from?.email ?? '');
}

interface ClassifyOptions extends OutputOptions {
  code?: number;
  text?: string;
  phase: ReplyPhase;
  provider?: string;
  mx?: string;
  check?: true;
  rules?: string;
  providers?: string;
  dsnRules?: string;
  replyRules?: string;
  mail?: string;
  to: MailQuestion['to'];
  from?: string;
  recipient?: string;
}

export function addAdminClassify(admin: Command, terminal: Terminal): void {
  admin
    .command('classify')
    .description('Classify an SMTP reply or an inbound message, or check the rules')
    .option('--code <code>', 'Reply code (default: the code at the start of --text)', replyCode)
    .option('--text <text>', 'Reply text as received')
    .addOption(
      new Option('--phase <phase>', 'SMTP phase of the reply').choices(REPLY_PHASES).default('rcpt' as const),
    )
    .addOption(new Option('--provider <name>', 'Mailbox provider of the recipient').conflicts('mx'))
    .option('--mx <hosts>', "Recipient's MX hosts, separated by commas, to determine the provider")
    .option('--rules <file>', 'Bounce rules file to use instead of the built-in rules')
    .option('--providers <file>', 'Providers file to use instead of the built-in list')
    .addOption(
      new Option('--mail <file>', 'Raw message to classify: a bounce, complaint or reply').conflicts([
        'text',
        'code',
      ]),
    )
    .addOption(
      new Option('--to <kind>', 'Type of address the message was sent to')
        .choices(CLASSIFIED_KINDS)
        .default('return_path' as const),
    )
    .option(
      '--from <address>',
      "Envelope sender; '' is the null sender (default: Return-Path if present, otherwise From for a reply and the null sender for other mail)",
    )
    .option(
      '--recipient <address>',
      'Recipient of the original message (default: the first recipient in the bounce)',
    )
    .option('--dsn-rules <file>', 'Bounce format rules file to use instead of the built-in rules')
    .option('--reply-rules <file>', 'Reply rules file to use instead of the built-in rules')
    .option('--check', 'Check the rules only (exit code 9 if they contain errors)')
    .option('--json', 'Output JSON')
    .action(async (options: ClassifyOptions) => {
      const files = only({
        rules: options.rules,
        providers: options.providers,
        dsnRules: options.dsnRules,
        replyRules: options.replyRules,
      });
      if (options.check === true) {
        const result = checkClassify(files);
        if (!result.ok) terminal.exitCode = EXIT.checkFailed;
        print(terminal, options, result, checkInWords(result));
        return;
      }
      if (options.mail !== undefined) {
        const { mail: file, to, from, recipient } = options;
        const found = await adminClassifyMail({ file, to, ...only({ from, recipient }) }, files);
        print(terminal, options, found, mailInWords(found));
        return;
      }
      const { text = '', phase, provider, mx } = options;
      const mxHosts = mx?.split(',').map((host) => host.trim());
      const question = { phase, code: options.code ?? codeIn(text), text, ...only({ provider, mxHosts }) };
      const answer = adminClassify(question, files);
      print(terminal, options, answer, inWords(answer));
    });
}

/** Returns the options that are set. */
function only<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function replyCode(text: string): number {
  if (!/^[2-5]\d{2}$/.test(text)) throw new InvalidArgumentError('Must be a number from 200 to 599.');
  return Number(text);
}

function codeIn(text: string): number {
  const code = /^\s*([2-5]\d{2})(?:[ -]|$)/.exec(text)?.[1];
  if (code === undefined) {
    throw new CommanderError(
      EXIT.usage,
      'mailkeel.code',
      'Pass --code <code>, or a --text that starts with a reply code',
    );
  }
  return Number(code);
}

function checkInWords({ ok, problems, ...counts }: ClassifyCheck): string {
  if (!ok) return problems.join('\n');
  const { rules, enhanced_codes: codes, providers, bounce_formats: formats, attributions } = counts;
  return `Rules are valid: ${rules} rules, ${codes} enhanced codes, ${providers} providers, ${formats} bounce formats, ${attributions} attributions.`;
}

function suppressionInWords(answer: Pick<ClassifyAnswer, 'suppress' | 'suppress_when_repeated'>): string {
  if (answer.suppress) return 'yes';
  return answer.suppress_when_repeated ? 'if repeated on different days' : 'no';
}

function inWords(answer: ClassifyAnswer): string {
  const { disposition, category, type, by, pattern, provider, retry_hint_seconds: hint } = answer;
  return table([
    ['disposition', disposition],
    ['category', category],
    ['suppress', suppressionInWords(answer)],
    ['type', type ?? 'none'],
    ['provider', provider ?? 'unknown'],
    ['retry hint', hint === null ? 'no' : `${hint} s`],
    ['matched by', pattern === null ? by : `${by}: ${pattern}`],
  ]);
}

function mailInWords(answer: MailAnswer): string {
  const { kind, outcome, category, type, format, code, enhanced_code: enhanced } = answer;
  const given = (value: string | number | null): string => (value === null ? 'none' : String(value));
  return table([
    ['kind', kind],
    ['outcome', outcome],
    ['category', given(category)],
    ['type', given(type)],
    ['suppress', suppressionInWords(answer)],
    ['format', given(format)],
    ['code', [code, enhanced].filter((part) => part !== null).join(' ') || 'none'],
    ['message', given(answer.message)],
    ['remote host', given(answer.remote_host)],
    ['about', answer.recipients.join(', ') || 'none'],
    ['automatic', given(answer.auto_reply)],
    ...answer.problems.map((problem) => ['problem', problem]),
  ]);
}
