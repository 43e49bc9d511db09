// Tests `mailkeel admin inbound`.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAppliance, type Appliance } from '../../src/app/installation/open-appliance.js';
import { runCommandLine } from '../../src/admin/program.js';
import { loadConfig } from '../../src/settings/load.js';
import { fixedClock } from '../support/fixed-clock.js';
import { layDataFolder } from '../support/migrated-file.js';
import { temporaryFolder } from '../support/open-engines.js';
import { spoolMail } from '../../src/inbound/spool.store.js';

const clock = fixedClock();
const RAW = Buffer.from('Subject: \xe4 bounce\r\n\r\nx\r\n', 'latin1');

let folder: ReturnType<typeof temporaryFolder>;
let dataDir: string;
/** Stays open, as a running server keeps it. */
let server: Appliance;

beforeEach(async () => {
  folder = temporaryFolder();
  dataDir = join(folder.path, 'data');
  await layDataFolder(dataDir);
  server = await openAppliance({ dataDir, groupCommitMaxPlans: 50 });
});
afterEach(async () => {
  await server.store.close();
  folder.remove();
});

async function inbound(args: string[], isTTY = false) {
  let stdout = '';
  let stderr = '';
  const code = await runCommandLine(['admin', 'inbound', ...args], {
    stdout: { write: (text) => (stdout += text), isTTY },
    stderr: { write: (text) => (stderr += text) },
    readStdin: () => Promise.resolve(''),
    loadConfig: () =>
      loadConfig({ env: { MAILKEEL_DATA_DIR: dataDir, MAILKEEL_HOSTNAME: 'mx.example.com' } }),
    clock: clock.now,
    exitCode: 0,
  });
  return { code, stdout, stderr, json: (stdout.startsWith('{') ? JSON.parse(stdout) : null) as unknown };
}

async function cameIn(rcptTo: string, row: { state: 'waiting' | 'done' | 'failed'; outcome: string | null }) {
  await server.store.commit([
    spoolMail({
      raw: RAW,
      mails: [
        {
          received_at: clock.now(),
          client: '{"address":"192.0.2.1","helo":"mx.example","tls":null}',
          mail_from: '',
          rcpt_to: rcptTo,
          kind: rcptTo.startsWith('b-') ? 'return_path' : 'reply',
          target: 'msg_1',
          attempts: 6,
          due_at: clock.now(),
          detail: row.state === 'waiting' ? null : '{"message":"msg_1","format":"standard"}',
          ...row,
        },
      ],
    }),
  ]);
}

const SECRET = 'x'.repeat(43);

beforeEach(async () => {
  await cameIn(`b-${SECRET}@bounce.shop.example`, { state: 'done', outcome: 'bounced' });
  await cameIn(`reply+${SECRET}@reply.shop.example`, { state: 'failed', outcome: 'fault' });
  await cameIn('help@reply.shop.example', { state: 'waiting', outcome: null });
});

describe('mailkeel admin inbound', () => {
  it('lists inbound mail, newest first, without the secrets of addresses', async () => {
    const { code, json, stdout } = await inbound([]);
    expect(code).toBe(0);
    expect(json).toMatchObject({
      object: 'list',
      data: [
        { id: 3, rcpt_to: 'help@reply.shop.example', state: 'waiting', outcome: null, message_id: null },
        { id: 2, rcpt_to: 'reply+…@reply.shop.example', state: 'failed', outcome: 'fault' },
        {
          id: 1,
          received_at: '2026-01-02T03:04:05.678Z',
          kind: 'return_path',
          rcpt_to: 'b-…@bounce.shop.example',
          mail_from: '',
          client_address: '192.0.2.1',
          state: 'done',
          outcome: 'bounced',
          attempts: 6,
          size_bytes: RAW.length,
          message_id: 'msg_1',
          detail: { format: 'standard' },
        },
      ],
    });
    expect(stdout).not.toContain('xxx');
    expect((await inbound(['--limit', '1', '--state', 'failed'])).json).toMatchObject({ data: [{ id: 2 }] });
  });

  it('shows a table on a terminal', async () => {
    const { stdout } = await inbound([], true);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^id +received +kind +to +outcome +bytes +message$/);
    expect(lines[3]).toMatch(
      /^1 +2026-01-02T03:04:05\.678Z +return_path +b-…@bounce\.shop\.example +bounced +\d+ +msg_1$/,
    );
    expect((await inbound(['--state', 'failed', '--limit', '0'], true)).code).toBe(2);
  });
});

describe('mailkeel admin inbound retry', () => {
  it('queues failed mail again while a server runs', async () => {
    expect(await inbound(['retry', '2', '--json'], true)).toMatchObject({
      code: 0,
      json: { object: 'inbound_mail', id: 2, state: 'waiting' },
    });
    expect(await server.store.inbound.due(clock.now(), 10)).toMatchObject([
      { id: 2, attempts: 0, outcome: null, detail: null },
      { id: 3, attempts: 6 },
    ]);
  });

  it('does not change processed mail, and reports a missing one', async () => {
    const again = await inbound(['retry', '1']);
    expect(again.code).toBe(5);
    expect(again.stderr).toContain('has already been processed: bounced');
    expect((await inbound(['retry', '99'])).code).toBe(4);
    expect((await inbound(['retry', 'all'])).code).toBe(2);
    expect(await server.store.inbound.byId(1)).toMatchObject({ state: 'done', outcome: 'bounced' });
  });
});

describe('mailkeel admin inbound save', () => {
  it('writes the octets to a new file that only its owner can read', async () => {
    const file = join(folder.path, 'mail.eml');
    expect((await inbound(['save', '1', file])).json).toMatchObject({ id: 1, file, size_bytes: RAW.length });
    expect(readFileSync(file).equals(RAW)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await inbound(['save', '1', file])).code).toBe(1);
    expect((await inbound(['save', '99', `${file}2`])).code).toBe(4);
  });
});
