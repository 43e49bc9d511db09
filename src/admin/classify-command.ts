// posthorn admin classify: reads no database.
import type { Command } from 'commander';
import { CommanderError, InvalidArgumentError, Option } from 'commander';
import {
  adminClassify,
  checkClassify,
  REPLY_PHASES,
  type ClassifyAnswer,
  type ClassifyCheck,
  type ReplyPhase,
} from '../admin/classify.js';
import {
  adminClassifyMail,
  INBOUND_KINDS,
  type MailAnswer,
  type MailQuestion,
} from '../admin/classify-mail.js';
import { EXIT } from './exit-code.js';
import type { OutputOptions, Terminal } from './terminal.js';
import { print, table } from './terminal.js';

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
    .description(
      "show what becomes of a message after a server's reply, or what a mail is taken for; or check the rules",
    )
    .option('--code <code>', 'the reply code; not needed when the text begins with it', replyCode)
    .option('--text <text>', 'the reply as it was received')
    .addOption(
      new Option('--phase <phase>', 'what the reply is to').choices(REPLY_PHASES).default('rcpt' as const),
    )
    .addOption(new Option('--provider <name>', 'whose server it is').conflicts('mx'))
    .option('--mx <hosts>', 'mail hosts of the recipient, separated by commas, that tell whose server it is')
    .option('--rules <file>', 'bounce rules in place of the shipped ones')
    .option('--providers <file>', 'providers in place of the shipped ones')
    .addOption(
      new Option('--mail <file>', 'a bounce, complaint or answer, as it came').conflicts(['text', 'code']),
    )
    .addOption(
      new Option('--to <kind>', 'what the address that the mail came to is for')
        .choices(INBOUND_KINDS)
        .default('return_path' as const),
    )
    .option(
      '--from <address>',
      "envelope sender of the mail; '' is the null sender (default: its Return-Path; without one From for an answer, else the null sender)",
    )
    .option(
      '--recipient <address>',
      'whom our message was for (default: the first one that the bounce names)',
    )
    .option('--dsn-rules <file>', 'rules for bounces by mail in place of the shipped ones')
    .option('--reply-rules <file>', 'rules for answers in place of the shipped ones')
    .option('--check', 'check the rules only; exit code 9 when they hold mistakes')
    .option('--json', 'print JSON')
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

/** What was given. */
function only<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function replyCode(text: string): number {
  if (!/^[2-5]\d{2}$/.test(text)) throw new InvalidArgumentError('A reply code is a number from 200 to 599.');
  return Number(text);
}

function codeIn(text: string): number {
  const code = /^\s*([2-5]\d{2})(?:[ -]|$)/.exec(text)?.[1];
  if (code === undefined) {
    throw new CommanderError(
      EXIT.usage,
      'posthorn.code',
      "option '--code <code>' is needed, or a text with one",
    );
  }
  return Number(code);
}

function checkInWords({ ok, problems, ...counts }: ClassifyCheck): string {
  if (!ok) return problems.join('\n');
  const { rules, enhanced_codes: codes, providers, bounce_formats: formats, attributions } = counts;
  return (
    `No mistakes: ${rules} rules, ${codes} enhanced codes, ${providers} providers, ` +
    `${formats} forms of bounces, ${attributions} attributions.`
  );
}

function inWords(answer: ClassifyAnswer): string {
  const { disposition, category, suppress, type, by, pattern, provider, retry_hint_seconds: hint } = answer;
  return table([
    ['disposition', disposition],
    ['category', category],
    ['suppress', suppress ? 'yes' : 'no'],
    ['type', type ?? 'none'],
    ['provider', provider ?? 'unknown'],
    ['asks to wait', hint === null ? 'no' : `${hint} s`],
    ['decided by', pattern === null ? by : `${by}: ${pattern}`],
  ]);
}

function mailInWords(answer: MailAnswer): string {
  const { kind, outcome, category, type, suppress, format, code, enhanced_code: enhanced } = answer;
  const given = (value: string | number | null): string => (value === null ? 'none' : String(value));
  return table([
    ['kind', kind],
    ['outcome', outcome],
    ['category', given(category)],
    ['type', given(type)],
    ['suppress', suppress ? 'yes' : 'no'],
    ['format', given(format)],
    ['code', [code, enhanced].filter((part) => part !== null).join(' ') || 'none'],
    ['says', given(answer.message)],
    ['remote host', given(answer.remote_host)],
    ['about', answer.recipients.join(', ') || 'nobody'],
    ['automatic', given(answer.auto_reply)],
    ...answer.problems.map((problem) => ['problem', problem]),
  ]);
}
