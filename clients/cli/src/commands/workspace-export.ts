// Command export workspace: creates a workspace export and downloads its file.
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { addGlobals, running } from '../command.js';
import { connect } from '../connect.js';
import { CommandError, EXIT, usageError } from '../exit-code.js';
import { fields } from '../output.js';
import { startProgress, untilEnded } from '../progress.js';
import type { World } from '../world.js';

export function addWorkspaceExport(noun: Command, world: World): void {
  const command = noun
    .command('workspace <file>')
    .description('Export the environment of the key to a file that another Mailkeel server can import')
    .option('--sub-tenant-id <id>', 'Export only this sub-tenant');
  addGlobals(command).addHelpText('after', '\nExample:\n  mailkeel export workspace workspace.ndjson');
  command.action(async (file: string, { subTenantId }: { subTenantId?: string }) => {
    const { printer, globals } = running(world, command);
    const mailkeel = await connect(world, globals);
    const { signal } = world;
    const body = {
      kind: 'workspace',
      ...(subTenantId === undefined ? {} : { sub_tenant_id: subTenantId }),
    } as const;
    const begun = await mailkeel.exports.create(body, { signal });
    const progress = startProgress(world, printer, 'Exporting');
    const done = await untilEnded(world, begun, {
      read: () => mailkeel.exports.get(begun.id, { signal }),
      seen: ({ processed }) => progress.at(0, `${processed} objects`),
    });
    progress.end(`Exported ${done.processed} objects.`);
    if (done.status !== 'completed') {
      throw new CommandError(EXIT.other, `export_${done.status}`, done.error ?? `Export ${done.status}.`);
    }
    const response = await mailkeel.exports.getFile(done.id, { signal });
    try {
      await pipeline(Readable.fromWeb(response.body as never), createWriteStream(file, { mode: 0o600 }));
    } catch (error) {
      throw usageError(`Can't write ${file}: ${error instanceof Error ? error.message : String(error)}.`);
    }
    printer.show({ ...done, file }, () => fields(printer, { id: done.id, objects: done.processed, file }));
  });
}
