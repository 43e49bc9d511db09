// posthorn doctor
import type { Command } from 'commander';
import { adminDoctor } from '../admin/doctor.js';
import { EXIT } from './exit-code.js';
import type { OutputOptions, Terminal } from './terminal.js';
import { print, table } from './terminal.js';

const MARKS = { pass: 'ok', warn: 'WARN', fail: 'FAIL', unknown: '?' } as const;

export function addDoctor(program: Command, terminal: Terminal): void {
  program
    .command('doctor')
    .description('check whether this machine is fit to send mail; exit code 9 when it is not')
    .option('--json', 'print JSON')
    .action(async (options: OutputOptions) => {
      const { status, results } = await adminDoctor(terminal.loadConfig().config, terminal.clock);
      if (status === 'fail') terminal.exitCode = EXIT.checkFailed;
      const rows = table(results.map((r) => [MARKS[r.status], r.name, r.subject ?? '', r.observed]));
      const advice = results.flatMap(({ status, ...r }) => {
        const isBad = status === 'fail' || status === 'warn';
        return isBad
          ? [`${r.name} ${r.subject ?? ''}`.trimEnd(), `  expected: ${r.expected}`, `  ${r.remedy ?? ''}`]
          : [];
      });
      const verdict =
        status === 'fail'
          ? 'This machine is not fit to send mail yet.'
          : 'Nothing keeps this machine from sending mail.';
      print(terminal, options, { status, checks: results }, [rows, '', ...advice, verdict].join('\n'));
    });
}
