// mailkeel doctor, queue, proof verify, open: looking after an appliance.
import type { Command } from 'commander';
import { proofs, type ProofKeySet } from '@mailkeel/sdk';
import { addGlobals, running } from '../command.js';
import { connect, connectKeyless, findConnection } from '../connect.js';
import { CommandError, Ended, EXIT, usageError } from '../exit-code.js';
import { cleanText, type Row } from '../output.js';
import { checksText, queueText } from '../presenters.js';
import { parseJson, readBytes } from '../values.js';
import type { World } from '../world.js';
import { offerValues } from './completion.js';

export function addDoctor(program: Command, world: World): void {
  const doctor = program
    .command('doctor')
    .description('Check whether the server is ready to send mail (exit code 9 if not)')
    .option('--last', 'Show the results of the last check')
    .option('--offline', "Run the installed server's own checks without calling the API");
  addGlobals(doctor).addHelpText('after', '\nExamples:\n  mailkeel doctor\n  mailkeel doctor --offline');
  doctor.action(async ({ last, offline }: { last?: boolean; offline?: boolean }) => {
    const { printer, globals } = running(world, doctor);
    if (offline === true) throw await endedByServer(world, globals.json === true);
    const mailkeel = await connect(world, globals).catch(async (error: unknown) => {
      // On the server's own machine, no sign-in is needed.
      const isUnknown = error instanceof CommandError && error.code === 'not_signed_in';
      throw isUnknown ? await endedByServer(world, globals.json === true, error) : error;
    });
    const { signal } = world;
    const report = await (last === true
      ? mailkeel.health.getChecks({ signal })
      : mailkeel.health.runChecks({ signal }));
    printer.show(report, () => checksText(printer, { ...report }));
    if (report.status === 'fail') throw new CheckFailed();
  });
}

class CheckFailed extends Ended {
  constructor() {
    super(EXIT.checkFailed);
  }
}

/** Runs the server's own doctor. Returns `otherwise` if there is no server on this machine. */
async function endedByServer(world: World, isJson: boolean, otherwise?: Error): Promise<Error> {
  const exitCode = await world.runServer(isJson ? ['doctor', '--json'] : ['doctor']);
  return exitCode === null ? (otherwise ?? noServer('doctor --offline')) : new Ended(exitCode);
}

export function noServer(command: string): CommandError {
  return new CommandError(
    EXIT.other,
    'no_server_here',
    `"mailkeel ${command}" requires the Mailkeel server, which is not installed on this machine.`,
    `Run it on the server: "npm run mailkeel -- ${command}" in the source folder, or "docker exec <container> mailkeel ${command}" for a container.`,
  );
}

export function addQueue(queue: Command, world: World): void {
  addGlobals(queue).addHelpText(
    'after',
    '\nExamples:\n  mailkeel queue\n  mailkeel queue retry-destination example.com',
  );
  queue.action(async (_options: unknown, command: Command) => {
    const [unknown] = command.args;
    if (unknown !== undefined)
      throw usageError(`Unknown command: queue ${unknown}.`, 'Run "mailkeel queue --help" for usage.');
    const { printer, globals } = running(world, queue);
    const mailkeel = await connect(world, globals);
    const { signal } = world;
    const [state, destinations] = await Promise.all([
      mailkeel.queue.get({ signal }),
      mailkeel.queue.listDestinations({}, { signal }).page(),
    ]);
    const rows = destinations.data.map((one): Row => ({ ...one }));
    const answer = { ...state, waiting: rows, has_more: destinations.has_more };
    printer.show(answer, () => queueText(printer, { ...state }, rows));
  });
}

export function addProofVerify(noun: Command, world: World): void {
  const verify = noun
    .command('verify <file>')
    .description('Verify a proof locally (exit code 9 if invalid)')
    .option('--keys <file>', "Issuer's key set to trust; works offline")
    .option('--fetch', 'Trust the keys published by the server')
    .option('--ask', 'Also ask the server to verify the proof');
  addGlobals(verify).addHelpText(
    'after',
    `
Examples:
  mailkeel messages get-proof msg_01kdyak3se4w5amvgkazjzkvb7 > proof.json
  mailkeel proof verify proof.json --fetch
  mailkeel proof verify proof.json --keys proof-keys.json`,
  );
  verify.action(async (file: string, options: { keys?: string; fetch?: boolean; ask?: boolean }) => {
    const { printer, globals } = running(world, verify);
    if (options.keys !== undefined && options.fetch === true)
      throw usageError('Use either --keys or --fetch, not both.');
    const text = (await readBytes(world, file, 'file')).toString('utf8');
    const needsUrl = options.fetch === true || options.ask === true;
    const mailkeel = needsUrl ? connectKeyless((await findConnection(world, globals)).url) : null;
    const { signal } = world;
    const fetched = options.fetch === true ? ((await mailkeel?.proofs.getKeys({ signal })) ?? null) : null;
    const keys = options.keys === undefined ? fetched : await readKeys(world, options.keys);
    const verdict = await proofs.verifyOffline(text, keys);
    const asked =
      options.ask === true && verdict.valid
        ? await mailkeel?.proofs.verify(JSON.parse(text) as never, { signal })
        : null;
    const isValid = verdict.valid && asked?.valid !== false;
    printer.show({ ...verdict, valid: isValid, ...(asked ? { asked: asked.valid } : {}) }, () => {
      const sandbox = verdict.sandbox === true ? ' (SANDBOX MESSAGE, NEVER DELIVERED)' : '';
      const head = isValid ? printer.paint('green', `VALID${sandbox}`) : printer.paint('red', 'NOT VALID');
      const { bundle } = verdict;
      const about = bundle === null ? [] : [`Message ${bundle.message_id} to ${bundle.to}: ${bundle.status}`];
      const refused = asked?.valid === false ? ['The server rejected the proof.'] : [];
      return [head, ...[...about, ...verdict.reasons, ...refused].map(cleanText)].join('\n');
    });
    if (!isValid) throw new CheckFailed();
  });
}

async function readKeys(world: World, path: string): Promise<ProofKeySet> {
  const keys = parseJson((await readBytes(world, path, '--keys')).toString('utf8'), '--keys');
  const isSet = typeof keys === 'object' && keys !== null && Array.isArray(Reflect.get(keys, 'keys'));
  if (!isSet) throw usageError(`${path} is not a key set. Use the issuer's /.well-known/proof-keys.json.`);
  return keys as ProofKeySet;
}

const PAGES: Readonly<Record<string, string>> = { dashboard: '/', docs: '/docs', device: '/device' };

export function addOpen(program: Command, world: World): void {
  const open = program
    .command('open [page]')
    .description('Open the dashboard, docs or device sign-in page in a browser')
    .option('--print', 'Print the URL instead of opening it');
  offerValues(open, Object.keys(PAGES));
  addGlobals(open).addHelpText('after', '\nExamples:\n  mailkeel open\n  mailkeel open docs --print');
  open.action(async (given: string | undefined, { print }: { print?: boolean }) => {
    const { printer, globals } = running(world, open);
    const page = given ?? 'dashboard';
    const path = Object.hasOwn(PAGES, page) ? PAGES[page] : undefined;
    if (path === undefined)
      throw usageError(`Unknown page: ${page}.`, `Available pages: ${Object.keys(PAGES).join(', ')}.`);
    const url = `${(await findConnection(world, globals)).url.replace(/\/+$/, '')}${path}`;
    const isOpened = print !== true && !printer.isJson && (await world.openBrowser(url));
    printer.show({ object: 'page', url }, () => (isOpened ? `Opened ${url} in your browser.` : url));
  });
}
