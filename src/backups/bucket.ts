// Buckets of an S3-compatible store, for backups and the replica.
import { Refusal } from '../contract/refusal.js';
import { createS3 } from '../lib/http/index.js';
import type { Config } from '../settings/settings.js';

const SCHEME = 's3://';

export type BucketSettings = Pick<
  Config,
  'backupS3Endpoint' | 'backupS3Region' | 'backupS3AccessKeyId' | 'backupS3SecretAccessKey' | 'extraCaFile'
>;

/** Returns whether an address names a bucket and not a folder. */
export function isBucket(at: string): boolean {
  return at.startsWith(SCHEME);
}

/**
 * Opens the bucket of `s3://bucket/prefix`. Throws a Refusal `validation_error` if settings are missing; `setting` is the variable
 * with the address.
 */
export function openBucket(
  settings: BucketSettings,
  { at, setting, silenceMs }: { at: string; setting: string; silenceMs?: number },
): ReturnType<typeof createS3> {
  const { backupS3Endpoint, backupS3Region: region, extraCaFile } = settings;
  const { backupS3AccessKeyId: accessKeyId, backupS3SecretAccessKey: secretAccessKey } = settings;
  const [bucket = '', ...rest] = at.slice(SCHEME.length).split('/').filter(Boolean);
  if (bucket === '' || accessKeyId === null || secretAccessKey === null) {
    const message = `A bucket requires ${setting}=s3://bucket/prefix, MAILKEEL_BACKUP_S3_ACCESS_KEY_ID and MAILKEEL_BACKUP_S3_SECRET_ACCESS_KEY.`;
    throw new Refusal('validation_error', message);
  }
  return createS3({
    endpoint: backupS3Endpoint ?? `https://s3.${region}.amazonaws.com`,
    prefix: rest.length === 0 ? '' : `${rest.join('/')}/`,
    ...{ region, bucket, accessKeyId, secretAccessKey, extraCaFile },
    ...(silenceMs === undefined ? {} : { silenceMs }),
  });
}
