// Commands top and trace: live activity of the server, for the operator.
import type { Command } from 'commander';
import type { Activity, Mailkeel } from '@mailkeel/sdk';
import { addGlobals, running } from '../command.js';
import { connect } from '../connect.js';
import { cleanText, type Printer } from '../output.js';
import type { World } from '../world.js';

const EVERY_MS = 2_000;
const TRACE_EVERY_MS = 1_000;
const MOST_DESTINATIONS = 10;
const MIB = 1024 ** 2;
/** Moves the cursor to the top left and clears the rest. */
const CLEAR = '\u001b[H\u001b[2J';

export function addTop(program: Command, world: World): void {
  const top = program
    .command('top')
    .description('Monitor mail flow, queue, sessions, limits, CPU and memory')
    .option('--once', 'Print a single snapshot and exit');
  addGlobals(top).addHelpText('after', '\nExamples:\n  mailkeel top\n  mailkeel top --once --json');
  top.action(async ({ once }: { once?: boolean }) => {
    const { printer, globals } = running(world, top);
    const mailkeel = await connect(world, globals);
    let before: Activity | null = null;
    while (!world.signal.aborted) {
      const { signal } = world;
      const [activity, queue, page] = await Promise.all([
        mailkeel.system.getActivity({ signal }),
        mailkeel.queue.get({ signal }),
        firstDestinations(mailkeel, signal),
      ]);
      const former = before;
      if (once !== true && !printer.isJson) world.stdout.write(CLEAR);
      printer.line({ activity, queue, destinations: page }, () =>
        [
          ...activityLines(activity, former, printer),
          `queue      ${queue.depth} queued, ${queue.due} due, ${queue.held} held`,
          ...page.map(
            ({ domain, depth, state }) =>
              `  ${String(depth).padStart(8)}  ${state.padEnd(9)}  ${cleanText(domain)}`,
          ),
        ].join('\n'),
      );
      if (once === true) return;
      before = activity;
      await world.sleep(EVERY_MS);
    }
  });
}

async function firstDestinations(mailkeel: Mailkeel, signal: AbortSignal) {
  const { data } = await mailkeel.queue.listDestinations({ limit: MOST_DESTINATIONS }, { signal });
  return data;
}

/** Rates need a previous response. Without one, the counts are shown. */
function activityLines(now: Activity, before: Activity | null, printer: Printer): string[] {
  const seconds = before === null ? 0 : (Date.parse(now.at) - Date.parse(before.at)) / 1000;
  const isCounting = before !== null && seconds > 0 && before.counted_since === now.counted_since;
  const rate = (name: 'accepted' | 'delivered' | 'deferred' | 'bounced'): string =>
    isCounting ? `${((now[name] - before[name]) / seconds).toFixed(1)}/s` : String(now[name]);
  const cpu = isCounting
    ? `${((100 * (now.cpu_seconds - before.cpu_seconds)) / seconds).toFixed(0)}% of a core`
    : `${now.cpu_seconds.toFixed(0)} s`;
  const open = now.sessions.reduce((sum, session) => sum + session.open, 0);
  const { database, suspended_sources: suspended } = now;
  return [
    printer.paint('bold', `mailkeel top  ${now.at}`),
    `mail       accepted ${rate('accepted')}, delivered ${rate('delivered')}, deferred ${rate('deferred')}, bounced ${rate('bounced')}`,
    `sessions   ${open} open`,
    `limits     ${now.limits} active, ${now.routes} routes, suspended sources: ${suspended.length === 0 ? 'none' : suspended.join(', ')}`,
    `server     CPU ${cpu}, memory ${Math.round(now.memory_bytes / MIB)} MiB, uptime ${Math.round(now.uptime_seconds)} s`,
    ...(database === null
      ? []
      : [
          `database   ${Math.round(database.bytes / MIB)} MiB, log ${Math.round(database.log_bytes / MIB)} MiB${growthText(database)}`,
        ]),
  ];
}

function growthText({
  growth_bytes_per_day: growth,
  disk_full_at: fullAt,
}: NonNullable<Activity['database']>): string {
  if (growth === null) return '';
  const end = fullAt === null ? 'no disk-full date predicted' : `disk full on ${fullAt.slice(0, 10)}`;
  return `, ${growth < 0 ? '−' : '+'}${Math.round(Math.abs(growth) / MIB)} MiB/day, ${end}`;
}

export function addTrace(program: Command, world: World): void {
  const trace = program
    .command('trace')
    .description('Follow SMTP conversations with a recipient domain')
    .requiredOption('--domain <domain>', 'Recipient domain to follow')
    .option('--addresses', 'Show sender and recipient addresses');
  addGlobals(trace).addHelpText('after', '\nExample:\n  mailkeel trace --domain example.com');
  trace.action(async ({ domain, addresses }: { domain: string; addresses?: boolean }) => {
    const { printer, globals } = running(world, trace);
    const mailkeel = await connect(world, globals);
    const { signal } = world;
    let after = 0;
    while (!signal.aborted) {
      const query = { after, addresses: addresses === true };
      const found = await mailkeel.queue.traceDestination(domain, query, { signal });
      after = found.next;
      if (found.missed > 0)
        printer.note(`${found.missed === 1 ? '1 attempt was' : `${found.missed} attempts were`} missed.`);
      for (const attempt of found.data) {
        const { at, message_id: id, number, outcome, source, host, opening, conversation } = attempt;
        const head = `${at}  ${id}  attempt ${number}  ${outcome}  from ${source} to ${host ?? 'no host'}`;
        const lines = [...(opening ?? []), ...conversation].map((line) => `  ${cleanText(line)}`);
        printer.line(attempt, () => [printer.paint('bold', head), ...lines].join('\n'));
      }
      await world.sleep(TRACE_EVERY_MS);
    }
  });
}
