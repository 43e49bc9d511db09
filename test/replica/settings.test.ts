// Tests that settings under which a replica would be lost with the machine are refused.
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { replicaOpener } from '../../src/app/replica.js';
import { loadConfig } from '../../src/settings/load.js';

const open = (to: string): unknown =>
  replicaOpener(loadConfig({ env: { MAILKEEL_DATA_DIR: '/srv/mail', MAILKEEL_REPLICA_TO: to } }).config, {
    log: pino({ level: 'silent' }),
    onFenced: () => undefined,
  });

describe('the place of a replica', () => {
  it.each([
    'replica',
    's3:/bucket/prefix',
    'S3://bucket',
    '/srv/mail',
    '/srv/mail/replica',
    '/srv/x/../mail/a',
  ])('cannot be %s', (to) => {
    expect(() => open(to)).toThrow('must be s3://bucket/prefix, or the absolute path of a folder outside');
  });

  it.each(['/mnt/replica', '/srv/mail-replica', '/srv/mail/../replica', '/srv'])('can be %s', (to) => {
    expect(open(to)).toBeTypeOf('function');
  });
});
