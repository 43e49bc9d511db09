// The storage of a replica: a folder on another disk, or a bucket of an S3-compatible store. Files are small and never change.
import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, rm, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type BucketSettings, isBucket, openBucket } from '../backups/bucket.js';
import { hasCode, syncFolder } from '../lib/files/index.js';
import type { Config } from '../settings/settings.js';

const PART = '.part';
/** Time (ms) without a response after which a request to a bucket is repeated. The files are small. */
const SILENCE_MS = 20_000;

export type ReplicaStorageSettings = BucketSettings & Pick<Config, 'replicaTo'>;

export interface ReplicaStorage {
  /** Description for people, without secrets. */
  name: string;
  /** Resolves when the file is durable. */
  put(name: string, octets: Buffer): Promise<void>;
  /** Like `put`, unless the file exists; resolves to whether it was created. */
  create(name: string, octets: Buffer): Promise<boolean>;
  /** Whether `create` replaces an existing file, because the store ignores conditions. */
  mayReplace(): Promise<boolean>;
  /** Returns null if there is no such file. Rejects if it has more than `most` octets. */
  get(name: string, most: number): Promise<Buffer | null>;
  /** Returns the names that begin with `start` and sort after `after`, sorted. */
  list(start: string, after?: string): Promise<string[]>;
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens `s3://bucket/prefix` or a folder. Throws a Refusal `validation_error` if settings are missing. */
export function openReplicaStorage(settings: ReplicaStorageSettings, at: string): ReplicaStorage {
  return isBucket(at) ? bucketStorage(settings, at) : folderStorage(resolve(at));
}

function folderStorage(folder: string): ReplicaStorage {
  /** Writes a part under the name that `use` gives it, and leaves no part if that fails. */
  const write = async (name: string, octets: Buffer, use: (part: string) => Promise<void>): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const part = join(folder, `${name}.${randomBytes(4).toString('hex')}${PART}`);
    try {
      const file = await open(part, 'wx', 0o600);
      try {
        await file.writeFile(octets);
        await file.datasync();
      } finally {
        await file.close();
      }
      await use(part);
    } finally {
      await rm(part, { force: true });
    }
    await syncFolder(folder);
  };
  return {
    name: folder,
    put: (name, octets) => write(name, octets, (part) => rename(part, join(folder, name))),
    async create(name, octets) {
      try {
        await write(name, octets, (part) => link(part, join(folder, name)));
        return true;
      } catch (error) {
        if (hasCode(error, 'EEXIST')) return false;
        throw error;
      }
    },
    mayReplace: () => Promise.resolve(false),
    async get(name, most) {
      try {
        const octets = await readFile(join(folder, name));
        if (octets.length > most) throw new Error(`${name} is larger than ${most} bytes.`);
        return octets;
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return null;
        throw error;
      }
    },
    async list(start, after = '') {
      try {
        const names = await readdir(folder);
        return names
          .filter((name) => name.startsWith(start) && name > after && !name.endsWith(PART))
          .toSorted();
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return [];
        throw error;
      }
    },
    remove: (name) => unlink(join(folder, name)),
    close: () => Promise.resolve(),
  };
}

function bucketStorage(settings: ReplicaStorageSettings, at: string): ReplicaStorage {
  const s3 = openBucket(settings, { at, setting: 'MAILKEEL_REPLICA_TO', silenceMs: SILENCE_MS });
  let trying: Promise<boolean> | null = null;
  return {
    name: at,
    async put(name, octets) {
      await s3.putOctets(name, octets);
    },
    create: (name, octets) => s3.putOctets(name, octets, true),
    mayReplace() {
      trying ??= ignoresConditions(s3).catch((error: unknown) => {
        trying = null;
        throw error;
      });
      return trying;
    },
    get: (name, most) => s3.getOctets(name, most),
    list: (start, after) => s3.list(start, after),
    remove: (name) => s3.remove(name),
    close: () => s3.close(),
  };
}

async function ignoresConditions(s3: ReturnType<typeof openBucket>): Promise<boolean> {
  const name = `try-${randomBytes(8).toString('hex')}`;
  const nothing = Buffer.alloc(0);
  await s3.putOctets(name, nothing);
  const isReplaced = await s3.putOctets(name, nothing, true);
  await s3.remove(name);
  return isReplaced;
}
