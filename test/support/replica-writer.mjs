// Writes a database and replicates it, for tests that kill it. Replies to each message with { rows } when they are in the
// storage.
import { randomBytes } from 'node:crypto';

const [, , file, folder, storageFolder, key, keySet] = process.argv;
const modules = new URL('../../dist/modules/', import.meta.url);
const load = (path) => import(new URL(path, modules).href);
const { Database } = await load('database/engine/sqlite-driver.js');
const { Shipper } = await load('replica/shipper.js');
const { openReplicaStorage } = await load('replica/replica-storage.js');
const { replicaNames } = await load('replica/names.rules.js');

const writer = new Database(file);
writer.pragma('journal_mode = WAL');
writer.pragma('wal_autocheckpoint = 0');
writer.exec('CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text BLOB)');
const quiet = () => undefined;
const shipper = new Shipper({
  ...{ file, folder, archiveFolder: `${folder}-archive`, key: Buffer.from(key, 'hex') },
  storage: openReplicaStorage({ replicaTo: storageFolder }, storageFolder),
  names: replicaNames(keySet),
  sealKeys: async () => null,
  timing: { intervalMs: 5, logBytes: 65_536, waitingBytes: 2 ** 30, copyMs: 86_400_000, keepMs: 172_800_000 },
  clock: Date.now,
  log: { info: quiet, warn: quiet, error: quiet },
  inTurn: async (work) => work(),
  onFenced: (generation) => process.send({ fenced: generation }),
});
void shipper.start(0);
const insert = writer.prepare('INSERT INTO notes (text) VALUES (?) RETURNING id').pluck();
process.on('message', async ({ rows }) => {
  const ids = writer.transaction(() => Array.from({ length: rows }, () => insert.get(randomBytes(300))))();
  await shipper.store();
  process.send({ stored: ids, generation: shipper.state.generation });
});
process.send({ ready: true });
