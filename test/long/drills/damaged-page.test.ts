// Drill: a page of the database is overwritten. Its rows cannot be read, backups refuse to copy it, and the last good backup is
// restored.
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { Database } from '../../../src/database/engine/sqlite-driver.js';
import { watch, WATCHED } from '../../support/drill.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { IS_ON_POSTGRES } from '../../support/postgres-databases.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';

/** A page of the SQLite file, because a database server manages its own files. */
const onFile = it.skipIf(IS_ON_POSTGRES);

const PAGE = 4096;
const PEOPLE = ['a', 'b', 'c'];
let sink: SmtpSink;
let rig: MailRig;
let backups: string;

afterEach(async () => {
  await rig.close();
  await sink.close();
  rmSync(backups, { recursive: true, force: true });
});

/** Overwrites the first page of the contents of messages. */
function damage(file: string): void {
  const database = new Database(file);
  database.pragma('wal_checkpoint(TRUNCATE)');
  const { rootpage } = database
    .prepare(`SELECT rootpage FROM sqlite_master WHERE name = 'contents'`)
    .get() as { rootpage: number };
  database.close();
  const open = openSync(file, 'r+');
  writeSync(open, Buffer.alloc(PAGE, 0xa5), 0, PAGE, (rootpage - 1) * PAGE);
  closeSync(open);
}

onFile(
  'is said in the log and by the next backup, and the restored copy sends nothing again',
  async () => {
    backups = mkdtempSync(join(tmpdir(), 'mailkeel-drill-'));
    sink = await startSmtpSink({ keep: true });
    rig = await startMailRig({
      process: 'shared',
      mxPort: sink.port,
      env: {
        ...WATCHED,
        MAILKEEL_BACKUP_TO: backups,
        MAILKEEL_BACKUP_PASSPHRASE: 'correct horse battery',
      },
    });
    const ids = await Promise.all(PEOPLE.map((name) => rig.send(name)));
    for (const id of ids) await rig.reached(id, 'delivered');
    const seen = watch(rig.appliance);
    expect((await seen.admin('backup')).code).toBe(0);
    const file = join(rig.appliance.dataDir, 'mail.db');
    await rig.appliance.end();
    expect(readFileSync(file).readUInt16BE(16)).toBe(PAGE);
    damage(file);

    await rig.appliance.start();
    const fresh = await rig.appliance.api('POST', '/v1/messages', { body: rig.draft('fresh') });
    expect(fresh).toMatchObject({ status: 503, json: { error: { code: 'database_damaged' } } });
    const logged = await seen.logged(
      'the database is damaged: stop the server and restore a backup (docs/runbook.md, "A damaged database")',
    );
    expect(logged['reason']).toContain('malformed');
    expect(await seen.metric('mailkeel_http_requests_total', 'status="503"')).toBe(1);
    expect(await seen.metric('mailkeel_database_damaged')).toBe(1);
    const ready = await rig.appliance.api('GET', '/readyz');
    expect(ready).toMatchObject({ status: 503, json: { error: { code: 'database_damaged' } } });
    const refused = await seen.admin('backup');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('The copy is invalid');

    await rig.appliance.end();
    expect((await seen.admin('restore', 'latest', '--force')).code).toBe(0);
    await rig.appliance.start();
    expect(await seen.metric('mailkeel_database_damaged')).toBe(0);
    for (const id of ids) expect(await rig.message(id)).toMatchObject({ status: 'delivered' });
    const late = await rig.send('late');
    const released = await seen.admin('restore', '--release', '--all');
    expect(released.code, released.stderr).toBe(0);
    await rig.reached(late, 'delivered', 30_000);
    expect(sink.messages).toHaveLength(PEOPLE.length + 1);
  },
  120_000,
);
