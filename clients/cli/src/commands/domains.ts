// mailkeel domains: the DNS records of a sender's or sub-tenant's domain, and waiting until they are right.
import type { Command } from 'commander';
import type { Mailkeel } from '@mailkeel/sdk';
import { addGlobals, running } from '../command.js';
import { connect } from '../connect.js';
import { CommandError, EXIT, usageError } from '../exit-code.js';
import { listText, type Row } from '../output.js';
import { domainText, recordsTable } from '../presenters.js';
import type { World } from '../world.js';

/** Seconds between two checks; the last one again and again. */
const WAITS_S = [5, 10, 20, 30, 60];
const IS_SUB_TENANT = /^(?:stn_|sub_|external:)/;

export function addDomains(noun: Command, world: World): void {
  const watch = noun
    .command('watch <id>')
    .description('Check the DNS records of a sender or sub-tenant until they are verified')
    .option('--timeout <seconds>', 'Stop after this many seconds (default: never)');
  addGlobals(watch).addHelpText(
    'after',
    '\nExample:\n  mailkeel domains watch snd_01kdyak3se4w5amvgkazjzkvb7 --timeout 3600',
  );
  watch.action(async (id: string, { timeout }: { timeout?: string }) => {
    const { printer, globals } = running(world, watch);
    const timeoutMs = timeout === undefined ? Number.POSITIVE_INFINITY : Number(timeout) * 1000;
    if (!(timeoutMs > 0)) throw usageError('--timeout must be a number of seconds greater than 0.');
    const mailkeel = await connect(world, globals);
    const startedAt = performance.now();
    for (let turn = 0; ; turn += 1) {
      const domain = await checkDomain(world, mailkeel, id);
      const isVerified = domain['status'] === 'verified';
      const waitS = WAITS_S[Math.min(turn, WAITS_S.length - 1)] ?? 60;
      const isOver = performance.now() - startedAt + waitS * 1000 > timeoutMs;
      if (!printer.isJson || isVerified || isOver) printer.show(domain, () => recordsTable(printer, domain));
      if (isVerified) return;
      if (isOver) {
        const message = `The domain is still ${String(domain['status'])}.`;
        throw new CommandError(
          EXIT.checkFailed,
          'not_verified',
          message,
          'Publish the missing records, then run this command again.',
        );
      }
      printer.note(printer.paint('dim', `\nChecking again in ${waitS} seconds…\n`));
      await world.sleep(waitS * 1000);
      world.signal.throwIfAborted();
    }
  });

  const records = addGlobals(noun.command('records <id>'))
    .description('Show the required DNS records and their current state')
    .addHelpText('after', '\nExample:\n  mailkeel domains records snd_01kdyak3se4w5amvgkazjzkvb7');
  records.action(async (id: string) => {
    const { printer, globals } = running(world, records);
    const domain = await readDomain(world, await connect(world, globals), id);
    printer.show(domain, () => domainText(printer, domain));
  });

  const list = addGlobals(noun.command('list'))
    .description('List sender and sub-tenant domains')
    .addHelpText('after', '\nExample:\n  mailkeel domains list');
  list.action(async () => {
    const { printer, globals } = running(world, list);
    const mailkeel = await connect(world, globals);
    const { signal } = world;
    const [senders, subTenants] = await Promise.all([
      mailkeel.senders.list({}, { signal }).page(),
      mailkeel.subTenants.list({}, { signal }).page(),
    ]);
    const rows: Row[] = [
      ...senders.data.map(({ id, domain, kind, status }) => ({ id, domain, kind: `sender ${kind}`, status })),
      ...subTenants.data.map(({ id, sending_domain: domain, status }) => ({
        id,
        domain,
        kind: 'sub-tenant',
        status,
      })),
    ];
    const hasMore = senders.has_more || subTenants.has_more;
    printer.show({ object: 'list', data: rows, has_more: hasMore }, () => {
      const more = hasMore
        ? '\nMore results available. Run "mailkeel senders list --all" and "mailkeel sub-tenants list --all".'
        : '';
      return `${listText(printer, rows)}${more}`;
    });
  });
}

/** Asks the server to check the records again, and reads the results. */
async function checkDomain(world: World, mailkeel: Mailkeel, id: string): Promise<Row> {
  const { signal } = world;
  if (IS_SUB_TENANT.test(id)) await mailkeel.subTenants.verify(id, { signal });
  else await mailkeel.senders.verify(id, { signal });
  return readDomain(world, mailkeel, id);
}

async function readDomain({ signal }: World, mailkeel: Mailkeel, id: string): Promise<Row> {
  return IS_SUB_TENANT.test(id)
    ? { ...(await mailkeel.subTenants.getAuthentication(id, { signal })) }
    : { ...(await mailkeel.senders.getAuthentication(id, { signal })) };
}
