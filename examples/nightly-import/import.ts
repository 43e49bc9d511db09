// Imports a CSV file of contacts into a list, and reports the result of each row.
import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { Mailkeel, MailkeelError, type Import } from '@mailkeel/sdk';

const EXIT = { done: 0, failed: 1, rowsRefused: 2, usage: 3 } as const;
const ASK_EVERY_MS = 500;

const isAtWork = ({ status }: Import): boolean => status === 'queued' || status === 'running';

/** Polls until the import is completed, failed or canceled. */
async function untilEnded(mailkeel: Mailkeel, id: string): Promise<Import> {
  for (;;) {
    const job = await mailkeel.imports.get(id);
    if (!isAtWork(job)) return job;
    await wait(ASK_EVERY_MS);
  }
}

/** Waits for earlier imports into the list, because two imports at the same time would overwrite each other's fields. */
async function awaitEarlier(mailkeel: Mailkeel, listId: string): Promise<void> {
  const { data } = await mailkeel.imports.list({ limit: 100 });
  for (const job of data) {
    if (job.list_id !== listId || !isAtWork(job)) continue;
    console.log(`${job.id} is still running. Waiting for it.`);
    await untilEnded(mailkeel, job.id);
  }
}

async function importFile(file: string, listId: string): Promise<number> {
  // The timeout applies to the whole upload.
  const mailkeel = new Mailkeel({ timeoutMs: 300_000 });
  // Fails here if the file does not exist, before anything is sent.
  const { size } = await stat(file);
  const report = `${file}.rejected.csv`;
  // Remove the report of the previous night.
  await rm(report, { force: true });
  await awaitEarlier(mailkeel, listId);

  // Stream the file: it is never in memory as a whole.
  const rows = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>;
  const { id } = await mailkeel.imports.create(rows, { list_id: listId, format: 'csv' });
  console.log(`${id}: ${file}, ${size} bytes`);

  const job = await untilEnded(mailkeel, id);
  const { total, created, updated, unchanged, failed, not_rejoined: notRejoined } = job;
  console.log(
    `${id}: ${job.status}, ${total ?? 0} rows: ${created} new, ${updated} changed, ${unchanged} as before, ` +
      `${failed} refused; ${notRejoined} have left the list and were not added`,
  );
  if (failed > 0) {
    const { body } = await mailkeel.imports.getRejectedRows(id);
    if (body !== null) await pipeline(Readable.fromWeb(body), createWriteStream(report));
    console.error(`${failed} rows were refused; ${report} says why.`);
  }
  if (job.status !== 'completed') {
    console.error(`The import is ${job.status}: ${job.error ?? 'someone canceled it.'}`);
    return EXIT.failed;
  }
  return failed > 0 ? EXIT.rowsRefused : EXIT.done;
}

const [file] = process.argv.slice(2);
const { MAILKEEL_LIST: listId } = process.env;
if (file === undefined || !listId) {
  console.error('Usage: MAILKEEL_LIST=lst_... node import.ts FILE.csv');
  process.exitCode = EXIT.usage;
} else {
  try {
    process.exitCode = await importFile(file, listId);
  } catch (error) {
    // Print only the message of an expected error, and the stack of any other error.
    const isExpected = error instanceof MailkeelError || (error instanceof Error && 'syscall' in error);
    console.error(isExpected ? error.message : error);
    process.exitCode = EXIT.failed;
  }
}
