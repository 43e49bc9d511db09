// Tests a disk that fills up: requests are refused as a whole with 503, accepted mail remains and arrives, and the program
// continues when there is space again. Needs root to create a small file system.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverEnds } from '../support/appliance.js';
import { watch, WATCHED } from '../support/drill.js';
import { startMailRig, type MailRig } from '../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait.js';

const SIZE = '24m';
const ATTEMPTS = 200;
const LATER = '451 4.3.2 Later';
/** Of each message; all differ, because equal ones may share their storage. */
const ATTACHMENT_BYTES = 200_000;

const folder = mkdtempSync(join(tmpdir(), 'mailkeel-disk-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder]).status === 0;
if (!mounted) console.warn('skipped: a full disk: needs root, and leave to mount a tmpfs');

const ballast = join(folder, 'ballast');

/** Fills all remaining space, including space that the program frees meanwhile. */
function fill(): void {
  const file = openSync(ballast, 'a');
  try {
    for (let bytes = 1 << 20; bytes >= 1; bytes >>= 1) {
      while (tryWrite(file, bytes)) continue;
    }
  } finally {
    closeSync(file);
  }
}

function tryWrite(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes)) === bytes;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}

afterAll(() => {
  if (mounted) spawnSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!mounted)('a full disk', () => {
  let sink: SmtpSink;
  let rig: MailRig;
  /** Its mail is in the queue while the disk is full, and due again and again. */
  let isWaiting = true;

  beforeAll(async () => {
    sink = await startSmtpSink({
      keep: true,
      onRcpt: (to) => (isWaiting && to.startsWith('waiting') ? LATER : null),
    });
    const env = { ...WATCHED, MAILKEEL_MIN_FREE_DISK: '1' };
    rig = await startMailRig({ mxPort: sink.port, dataDir: join(folder, 'data'), env });
  });
  afterAll(async () => {
    await rig.close();
    await sink.close();
  });

  it('returns 503, loses no accepted mail, and recovers when there is space', async () => {
    const waiting = await rig.send('waiting');
    await rig.logged(waiting, 'deferred');
    const accepted: string[] = [];
    const refused: { status: number; type: string }[] = [];
    for (let number = 0; number < ATTEMPTS && refused.length < 3; number += 1) {
      const attachments = [{ filename: 'a.bin', content: randomBytes(ATTACHMENT_BYTES).toString('base64') }];
      const answer = await rig.appliance.api('POST', '/v1/messages', {
        body: rig.draft(`r${number}`, { attachments }),
      });
      if (answer.status === 202) accepted.push((answer.json as { id: string }).id);
      else {
        const { error } = answer.json as { error: { type: string } };
        refused.push({ status: answer.status, type: error.type });
        if (refused.length === 1) fill();
        isWaiting = false;
      }
    }
    expect(accepted.length).toBeGreaterThan(0);
    expect(refused).toEqual(Array(3).fill({ status: 503, type: 'unavailable' }));
    expect((await rig.appliance.api('GET', '/healthz', { key: '' })).status).toBe(200);
    await waitFor(
      'a server that is not ready',
      () => rig.appliance.api('GET', '/readyz', { key: '' }),
      ({ status }) => status === 503,
    );
    // Small requests are attempted, so people can still sign in, cancel and delete.
    await waitFor(
      'a small write that the store refuses',
      () =>
        rig.appliance.api('POST', '/v1/suppressions', {
          body: { email: `${randomBytes(8).toString('hex')}@x.example` },
        }),
      ({ status }) => status === 503,
    );
    const seen = watch(rig.appliance);
    expect(await seen.metric('mailkeel_store_unavailable_total')).toBeGreaterThan(0);
    await seen.metricIs('mailkeel_disk_free_bytes', '', (bytes) => bytes < 1 << 20);
    expect(await seen.logged('store unavailable')).toMatchObject({ level: 'error' });

    rmSync(ballast);
    spawnSync('mount', ['-o', 'remount,size=96m', folder]);
    for (const id of [waiting, ...accepted]) await rig.reached(id, 'delivered', 60_000);
    await waitFor(
      'space that the server has seen',
      () => rig.appliance.api('GET', '/readyz', { key: '' }),
      ({ status }) => status === 200,
    );
    const late = await rig.send('late');
    await rig.reached(late, 'delivered');
    // Refused mail is not in the mailbox; accepted mail is, and twice only if it was flagged.
    const arrived = sink.messages.map(({ rcptTo }) => rcptTo[0]);
    expect(new Set(arrived).size).toBe(accepted.length + 2);
    expect(arrived.filter((to) => to?.startsWith('waiting'))).toHaveLength(1);
    console.info(`${accepted.length} accepted on a disk of ${SIZE}, ${arrived.length} copies arrived`);
  });

  it('survives a kill while it is full, and starts again with space', async () => {
    fill();
    const answer = await rig.appliance.api('POST', '/v1/messages', { body: rig.draft('nobody') });
    expect([202, 503]).toContain(answer.status);
    await rig.appliance.end('SIGKILL');
    rmSync(ballast);
    await rig.appliance.startHere();
    const list = await waitFor(
      'the list',
      () => rig.appliance.api('GET', '/v1/messages?limit=1'),
      ({ status }) => status === 200,
    );
    expect(list.status).toBe(200);
    await rig.reached(await rig.send('after'), 'delivered');
  });

  it('is reported in one sentence at the start', async () => {
    const data = join(folder, 'other');
    mkdirSync(data);
    fill();
    const { code, stderr } = await serverEnds({ MAILKEEL_DATA_DIR: data, MAILKEEL_HTTP_PORT: '0' });
    rmSync(ballast);
    expect(code).toBe(1);
    expect(stderr).toMatch(/disk|full|space/i);
    expect(stderr).not.toContain('    at ');
  });
});
