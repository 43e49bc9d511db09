// Opens a replica for reading: its storage and its keys.
import { Refusal } from '../contract/refusal.js';
import {
  KeyFileError,
  masterKeyIn,
  openWithPassphrase,
  readKeySetId,
  writeKeyFiles,
} from '../lib/secrets/index.js';
import { listBases, readBase } from './base-copy.js';
import { parseReplicaName, replicaNames } from './names.rules.js';
import { replicaKey } from './page-file.js';
import type { ReplicaSource } from './replica-copy.js';
import type { ReplicaStorage } from './replica-storage.js';

const MOST_KEYS_BYTES = 1024 * 1024;

interface KeysOfReplica {
  /** Folder of the keys on this machine; may be missing or empty. */
  folder: string;
  masterKeyFile: string | null;
  /** Opens the keys in the storage; null without one. */
  passphrase: string | null;
  /** Folder that receives the keys of the storage if this machine has none. */
  stagedFolder: string;
}

/** Refuses with `not_found` without a replica, with `conflict` if it is unclear which one, and with `validation_error` without its keys. */
export async function openReplicaSource(
  storage: ReplicaStorage,
  keys: KeysOfReplica,
): Promise<ReplicaSource> {
  const here = await keysIn(keys.folder, keys.masterKeyFile);
  if (here !== null && !(await hasReplica(storage, here.keySetId))) refuseOthers(storage, keys.folder);
  const keySetId = here?.keySetId ?? (await onlyKeySet(storage));
  const names = replicaNames(keySetId);
  const masterKey = here?.masterKey ?? (await fetchKeys(storage, keySetId, keys));
  return { storage, names, key: replicaKey(masterKey, keySetId) };
}

/** Whether the storage has a base copy of these keys; of any keys if `keySetId` is null. */
export async function hasReplica(storage: ReplicaStorage, keySetId: string | null): Promise<boolean> {
  if (keySetId !== null) return (await listBases(storage, replicaNames(keySetId))).length > 0;
  return (await keySets(storage)).length > 0;
}

async function keysIn(
  folder: string,
  masterKeyFile: string | null,
): Promise<{ keySetId: string; masterKey: Buffer } | null> {
  try {
    const keySetId = await readKeySetId(folder, masterKeyFile);
    const masterKey = await masterKeyIn(folder, masterKeyFile);
    return keySetId === null || masterKey === null ? null : { keySetId, masterKey };
  } catch (error) {
    // The replica may have good ones.
    if (error instanceof KeyFileError) return null;
    throw error;
  }
}

async function keySets(storage: ReplicaStorage): Promise<string[]> {
  const found = (await storage.list('replica-')).flatMap((name) => {
    const file = parseReplicaName(name);
    return file?.kind === 'base' ? [file.keySetId] : [];
  });
  return [...new Set(found)];
}

function refuseOthers({ name }: ReplicaStorage, folder: string): never {
  const message = `${name} has no replica that the keys in ${folder} open. To use the replica of another installation, move these keys away. To restore a backup, pass its path instead of latest.`;
  throw new Refusal('conflict', message);
}

async function onlyKeySet(storage: ReplicaStorage): Promise<string> {
  const [only, ...others] = await keySets(storage);
  if (only === undefined) throw new Refusal('not_found', `No replica found in ${storage.name}.`);
  if (others.length === 0) return only;
  const message = `${storage.name} contains replicas of several installations, and this machine has the keys of none. Pass the folder with the keys with --keys.`;
  throw new Refusal('conflict', message);
}

async function fetchKeys(
  storage: ReplicaStorage,
  keySetId: string,
  { passphrase, stagedFolder, masterKeyFile }: KeysOfReplica,
): Promise<Buffer> {
  const names = replicaNames(keySetId);
  const newest = (await listBases(storage, names)).at(-1);
  const file = newest === undefined ? null : (await readBase(storage, names, newest)).keys;
  const sealed = file === null ? null : await storage.get(file, MOST_KEYS_BYTES);
  if (sealed === null || passphrase === null) {
    const hint =
      sealed === null
        ? 'Pass the folder that contains them with --keys.'
        : 'They are encrypted in the replica. Set MAILKEEL_BACKUP_PASSPHRASE.';
    throw new Refusal('validation_error', `The keys of the replica are missing. ${hint}`);
  }
  const files = JSON.parse((await openWithPassphrase(passphrase, sealed.toString())).toString()) as Record<
    string,
    unknown
  >;
  await writeKeyFiles(stagedFolder, files);
  const masterKey = await masterKeyIn(stagedFolder, masterKeyFile);
  if (masterKey === null)
    throw new Refusal('validation_error', 'The keys of the replica have no master key.');
  return masterKey;
}
