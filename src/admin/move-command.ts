// `mailkeel admin move`: moves all rows and files from the SQLite data folder to a PostgreSQL server, or back.
import type { Command } from 'commander';
import { readFile } from 'node:fs/promises';
import { Refusal } from '../contract/refusal.js';
import { FILE_FOLDERS } from '../operations/files/installation-files.js';
import { EXIT } from './exit-code.js';
import { type Moved, moveInstallation } from './move.js';
import { readTarget } from './move-target.js';
import { type OutputOptions, type Terminal, print, table } from './terminal.js';

const BATCH_ROWS = 1_000;
const MOST_BATCH_ROWS = 100_000;
/** Rows between progress lines. */
const PROGRESS_ROWS = 200_000;

interface MoveOptions extends OutputOptions {
  to?: string;
  toFile?: string;
  batch: string;
  restart?: boolean;
  dropNul?: boolean;
}

export function addAdminMove(admin: Command, terminal: Terminal): void {
  admin
    .command('move')
    .description('Move all data from SQLite to PostgreSQL or back; stop the server first')
    .option('--to <target>', 'Target: a postgres:// URL or a data folder (default: MAILKEEL_MOVE_TO)')
    .option(
      '--to-file <file>',
      'File that contains the target, because other users can see command arguments',
    )
    .option('--batch <rows>', 'Rows to read and write at a time', String(BATCH_ROWS))
    .option('--restart', 'Delete the data of an unfinished move from the target and start again')
    .option('--drop-nul', 'Strip NUL characters from text, which PostgreSQL cannot store')
    .option('--json', 'Output JSON')
    .action(async (options: MoveOptions) => {
      const { config } = terminal.loadConfig();
      const batchRows = Number(options.batch);
      if (!Number.isInteger(batchRows) || batchRows < 1 || batchRows > MOST_BATCH_ROWS) {
        throw new Refusal('validation_error', `--batch must be a number from 1 to ${MOST_BATCH_ROWS}.`);
      }
      const moved = await moveInstallation({
        ...{
          config,
          batchRows,
          isRestarted: options.restart === true,
          dropsNul: options.dropNul === true,
          now: terminal.clock(),
        },
        target: await readTarget(await givenTarget(options, config.moveTo)),
        listener: progress(terminal),
      });
      if (!moved.isGood) terminal.exitCode = EXIT.checkFailed;
      print(terminal, options, jsonOf(moved), textOf(moved));
    });
}

async function givenTarget({ to, toFile }: MoveOptions, ofSettings: string | null): Promise<string> {
  if (to !== undefined && toFile !== undefined) {
    throw new Refusal('validation_error', 'Use either --to or --to-file, not both.');
  }
  const given = toFile === undefined ? (to ?? ofSettings) : await readFile(toFile, 'utf8');
  if (given !== null && given.trim() !== '') return given;
  throw new Refusal('validation_error', 'No target given. Pass --to or --to-file, or set MAILKEEL_MOVE_TO.');
}

/** Prints progress for a person; a program reads only the result. */
function progress({ stdout, stderr }: Terminal): Parameters<typeof moveInstallation>[0]['listener'] {
  if (stdout.isTTY !== true) return {};
  const say = (line: string): void => void stderr.write(`${line}\n`);
  let shown = { table: '', rows: 0 };
  return {
    phase: (sentence) => {
      shown = { table: '', rows: 0 };
      say(sentence);
    },
    batch: ({ table: name, rows, of }) => {
      const since = name === shown.table ? rows - shown.rows : rows;
      if (since < PROGRESS_ROWS && rows < of) return;
      shown = { table: name, rows };
      say(`  ${name}: ${rows} of ${of} rows`);
    },
  };
}

function jsonOf({ from, to, tables, files, chains, proofs, isGood, tookMs, ...rest }: Moved): unknown {
  return {
    ...{ from, to, good: isGood, took_ms: tookMs },
    rows: sum(tables, 'rows'),
    bytes: sum(tables, 'bytes'),
    tables: tables.map(({ name, rows, bytes, sha256, tookMs: ms, droppedNul, difference }) => ({
      ...{ name, rows, bytes, sha256, took_ms: ms, texts_without_nul: droppedNul, difference },
    })),
    files,
    workspaces: chains.map(({ workspaceId, entries, head, broken, isAsBefore }) => ({
      ...{ workspace_id: workspaceId, entries, head, broken, as_before: isAsBefore },
    })),
    proofs,
    staying: rest.staying,
    next: nextSteps({ from, to, isGood, ...rest }),
  };
}

function textOf(moved: Moved): string {
  const { tables, files, chains, proofs, isGood, tookMs } = moved;
  const filled = tables.filter(({ rows, difference }) => rows > 0 || difference !== null);
  const broken = chains.filter((chain) => chain.broken !== null);
  return [
    table([
      ['table', 'rows', 'bytes', 'ms', ''],
      ...filled.map(({ name, rows, bytes, tookMs: ms, droppedNul, difference }) => [
        ...[name, String(rows), String(bytes), String(ms)],
        `${difference === null ? 'identical' : `DIFFERENT: ${difference}`}${droppedNul === 0 ? '' : `, NUL characters stripped from ${droppedNul} texts`}`,
      ]),
    ]),
    `${tables.length - filled.length} empty tables. Total: ${sum(tables, 'rows')} rows, ${sum(tables, 'bytes')} bytes, ${tookMs} ms`,
    ...files.map(
      ({ folder, files: count, bytes, differ }) =>
        `${folder}: ${count} files, ${bytes} bytes${differ.length === 0 ? '' : `, DIFFERENT: ${differ.join(', ')}`}`,
    ),
    `Event chains: ${chains.length} verified, ${broken.length} broken`,
    ...broken.map(
      ({ workspaceId, broken: at, isAsBefore }) =>
        `  ${workspaceId}: broken at entry ${at?.seq}: ${at?.reason}${isAsBefore ? ' (already broken before the move)' : ''}`,
    ),
    `Proofs: ${proofs.checked} compared, ${proofs.failed.length} different${proofs.failed.map((id) => ` ${id}`).join('')}`,
    isGood
      ? 'All rows and files are identical.'
      : 'THE TARGET IS DIFFERENT AND MUST NOT BE USED. The server refuses to start with it.',
    ...nextSteps(moved),
  ].join('\n');
}

/** Returns the operator's next steps as sentences. */
function nextSteps({
  from,
  to,
  isGood,
  source,
  dataFolder,
  staying,
}: Pick<Moved, 'from' | 'to' | 'isGood' | 'source' | 'dataFolder' | 'staying'>): string[] {
  if (!isGood) return [`${from} was not changed. Keep using it and report this problem.`];
  const others = `These files stay in ${dataFolder}: ${staying.join(', ')}`;
  if (source.kind === 'file') {
    return [
      `Set MAILKEEL_DATABASE_URL to ${to} with user and password, and start the server with the same MAILKEEL_DATA_DIR.`,
      `${others}. Keep them: without the keys, encrypted data in the database cannot be decrypted.`,
      `${from} was not changed. It is no longer used, and neither are ${FILE_FOLDERS.join(', ')} in ${dataFolder}. Keep them until the new database has proven itself.`,
    ];
  }
  const folder = to.replace(/[\\/]mail\.db$/, '');
  const isElsewhere = folder !== dataFolder;
  return [
    `Unset MAILKEEL_DATABASE_URL and start the server${isElsewhere ? ` with MAILKEEL_DATA_DIR=${folder}` : ''}.`,
    isElsewhere
      ? `${others}. Copy them, especially the keys, to ${folder} before you start the server.`
      : `${others}. Keep them.`,
    `The rows and files on ${from} were not changed and are no longer used.`,
  ];
}

function sum(tables: Moved['tables'], what: 'rows' | 'bytes'): number {
  return tables.reduce((total, one) => total + one[what], 0);
}
