// The thread that replicates the database.
import { statSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { isBucket } from '../backups/bucket.js';
import { createLog, systemClock } from '../lib/runtime/index.js';
import { masterKeyIn, readKeyFiles, readKeySetId, sealWithPassphrase } from '../lib/secrets/index.js';
import { replicaNames } from './names.rules.js';
import { replicaKey } from './page-file.js';
import { openReplicaStorage } from './replica-storage.js';
import type { FromShipper, ShipperSettings, ToShipper } from './shipper-port.js';
import { Shipper } from './shipper.js';

const STATE_MS = 1_000;
const STOP_MS = 5_000;
/** Time (ms) after which the server starts without a response of the storage. */
const START_MS = 5_000;

const port = parentPort;
if (port === null) throw new Error('This is the entry of a worker thread.');
const settings = workerData as ShipperSettings;
const { keysFolder, masterKeyFile, passphrase } = settings;
const say = (message: FromShipper): void => port.postMessage(message);

const masterKey = await masterKeyIn(keysFolder, masterKeyFile);
const keySetId = await readKeySetId(keysFolder, masterKeyFile);
if (masterKey === null || keySetId === null) throw new Error(`No keys found in ${keysFolder}.`);

const storage = openReplicaStorage(settings.storage, settings.to);
let beginTurn: () => void = () => undefined;

const shipper = new Shipper({
  ...settings,
  storage,
  names: replicaNames(keySetId),
  key: replicaKey(masterKey, keySetId),
  async sealKeys() {
    if (passphrase === null) return null;
    const files = JSON.stringify(await readKeyFiles(keysFolder, masterKeyFile));
    return sealWithPassphrase(passphrase, Buffer.from(files));
  },
  clock: systemClock,
  log: createLog(settings.logLevel),
  async inTurn(work) {
    const begun = new Promise<void>((resolve) => {
      beginTurn = resolve;
    });
    say({ kind: 'turn' });
    await begun;
    try {
      return work();
    } finally {
      say({ kind: 'turn_over' });
    }
  },
  onFenced: ({ generation, isBehind }) => say({ kind: 'fenced', generation, isBehind }),
});

port.on('message', (message: ToShipper) => {
  if (message.kind === 'turn_begun') beginTurn();
  else if (message.kind === 'store') {
    const { token } = message;
    void shipper.store().then(() => say({ kind: 'stored', token }));
  } else void stop();
});
const telling = setInterval(
  () => say({ kind: 'state', state: { ...shipper.state, isOnSameDisk: isOnSameDisk() } }),
  STATE_MS,
);

/** If a disk is not mounted, its folder is on the disk of the database. */
function isOnSameDisk(): boolean {
  const { to, file } = settings;
  if (isBucket(to)) return false;
  const folder = statSync(to, { throwIfNoEntry: false });
  return folder !== undefined && folder.dev === statSync(file).dev;
}

async function stop(): Promise<void> {
  clearInterval(telling);
  await shipper.stop(STOP_MS);
  await storage.close();
  say({ kind: 'stopped' });
  port?.close();
}

await shipper.start(START_MS);
say({ kind: 'held' });
