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
}

export function addAdminClassify(admin: Command, terminal: Terminal): void {
  admin
    .command('classify')
    .description("show what becomes of a message after a server's reply, or check the rules for it")
    .option('--code <code>', 'the reply code; not needed when the text begins with it', replyCode)
    .option('--text <text>', 'the reply as it was received')
    .addOption(
      new Option('--phase <phase>', 'what the reply is to').choices(REPLY_PHASES).default('rcpt' as const),
    )
    .addOption(new Option('--provider <name>', 'whose server it is').conflicts('mx'))
    .option('--mx <hosts>', 'mail hosts of the recipient, separated by commas, that tell whose server it is')
    .option('--rules <file>', 'bounce rules in place of the shipped ones')
    .option('--providers <file>', 'providers in place of the shipped ones')
    .option('--check', 'check the rules only; exit code 9 when they hold mistakes')
    .option('--json', 'print JSON')
    .action((options: ClassifyOptions) => {
      const { rules, providers } = options;
      const files = {
        ...(rules === undefined ? {} : { rules }),
        ...(providers === undefined ? {} : { providers }),
      };
      if (options.check === true) {
        const result = checkClassify(files);
        if (!result.ok) terminal.exitCode = EXIT.checkFailed;
        print(terminal, options, result, checkInWords(result));
        return;
      }
      const { text = '', phase, provider, mx } = options;
      const mxHosts = mx?.split(',').map((host) => host.trim());
      const answer = adminClassify(
        {
          phase,
          code: options.code ?? codeIn(text),
          text,
          ...(provider === undefined ? {} : { provider }),
          ...(mxHosts ? { mxHosts } : {}),
        },
        files,
      );
      print(terminal, options, answer, inWords(answer));
    });
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
  return `No mistakes: ${counts.rules} rules, ${counts.enhanced_codes} enhanced codes, ${counts.providers} providers.`;
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
