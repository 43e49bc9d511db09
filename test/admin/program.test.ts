// Tests the operator's command line in general: text or JSON, exit codes, and `mailkeel proof verify`.
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../src/admin/program.js';
import { type Proof, signProof } from '../../src/messages/proof/proof.rules.js';
import { keyFingerprint, type ProofSigningKey, publicKeySet } from '../../src/lib/tokens/index.js';
import { loadConfig } from '../../src/settings/load.js';
import { fixedClock } from '../support/fixed-clock.js';
import { temporaryFolder } from '../support/open-engines.js';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

async function run(args: string[], options: { isTTY?: boolean; stdin?: string } = {}) {
  let stdout = '';
  let stderr = '';
  const code = await runCommandLine(args, {
    stdout: { write: (text) => (stdout += text), isTTY: options.isTTY ?? false },
    stderr: { write: (text) => (stderr += text) },
    readStdin: () => Promise.resolve(options.stdin ?? ''),
    loadConfig: () => loadConfig({ env: { MAILKEEL_DATA_DIR: join(folder.path, 'data') } }),
    clock: fixedClock().now,
    exitCode: 0,
  });
  return { code, stdout, stderr };
}

function newKey(): ProofSigningKey {
  const pair = generateKeyPairSync('ed25519');
  const keyId = keyFingerprint(pair.publicKey).slice(0, 16);
  return { ...pair, keyId, createdAt: '2026-01-01T00:00:00.000Z', retiredAt: null };
}

function proofBy(key: ProofSigningKey): Proof {
  const bundle = {
    message_id: 'msg_1',
    content_hash: 'sha256:00',
    subject: 'Hello',
    to: 'ann@example.com',
    from: 'shop@example.org',
    status: 'delivered',
    workspace_id: 'ws_1',
    created_at: '2026-01-02T03:04:05.678Z',
    audit: [{ event: 'queued', occurred_at: '2026-01-02T03:04:05.678Z', actor: 'api' }],
    issued_at: '2026-01-02T03:04:06.678Z',
  };
  return signProof({ bundle, sandbox: false, chainHead: Buffer.alloc(32, 1), evidence: [], key });
}

function file(name: string, content: unknown): string {
  const path = join(folder.path, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

describe('the command line', () => {
  it('prints text on a terminal, and JSON otherwise or on request', async () => {
    const onTerminal = await run(['admin', 'bootstrap'], { isTTY: true });
    expect(onTerminal.stdout).toMatch(/live key +svc_live_/);
    expect(onTerminal.stdout).toContain('be able to see them again');
    const asked = await run(['admin', 'bootstrap', '--json'], { isTTY: true });
    expect(JSON.parse(asked.stdout)).toHaveProperty('live_key', null);
    const piped = await run(['admin', 'config']);
    expect(JSON.parse(piped.stdout)).toHaveProperty('settings');
  });

  it('prints its version', async () => {
    const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string;
    };
    expect(await run(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
  });

  it.each([
    [['frobnicate'], "unknown command 'frobnicate'"],
    [['admin', 'config', '--yaml'], "unknown option '--yaml'"],
    [['admin', 'restore', '--frob'], "unknown option '--frob'"],
    [['admin', 'config', 'extra'], 'too many arguments'],
  ])('exits with 2 for %j', async (args, message) => {
    const { code, stdout, stderr } = await run(args);
    expect([code, stdout]).toEqual([2, '']);
    const { error } = JSON.parse(stderr) as { error: { code: string; message: string } };
    expect(error.code).toBe('usage');
    expect(error.message).toContain(message);
  });

  it('shows its help on request, and as an error when called without a command', async () => {
    const asked = await run(['--help']);
    expect([asked.code, asked.stderr]).toEqual([0, '']);
    expect(asked.stdout).toContain('admin');
    const bare = await run([]);
    expect([bare.code, bare.stdout]).toEqual([2, '']);
    expect(bare.stderr).toContain('Usage: mailkeel');
  });
});

describe('mailkeel proof verify', () => {
  const key = newKey();

  it('exits with 0 for a proof that a trusted key signed', async () => {
    const proof = file('proof.json', proofBy(key));
    const keys = file('keys.json', publicKeySet([newKey(), key]));
    const { code, stdout } = await run(['proof', 'verify', proof, '--keys', keys]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, key: { trusted: true } });
    const text = await run(['proof', 'verify', proof, '--keys', keys], { isTTY: true });
    expect(text.stdout).toMatch(/^VALID\nMessage msg_1 to ann@example.com: delivered\n/);
  });

  it('uses the key in the file by default, and reads from standard input', async () => {
    const { code, stdout } = await run(['proof', 'verify', '-'], { stdin: JSON.stringify(proofBy(key)) });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, key: { trusted: false } });
  });

  it('exits with 9 for a changed proof, another key, and an invalid file', async () => {
    const proof = proofBy(key);
    const changed = file('changed.json', { ...proof, bundle: { ...proof.bundle, status: 'bounced' } });
    const good = file('good.json', proof);
    const others = file('keys.json', publicKeySet([newKey()]));
    expect((await run(['proof', 'verify', changed])).code).toBe(9);
    expect((await run(['proof', 'verify', good, '--keys', others])).code).toBe(9);
    expect((await run(['proof', 'verify', file('no.json', [])])).code).toBe(9);
  });

  it('exits with 1 if a file cannot be read', async () => {
    const missing = await run(['proof', 'verify', join(folder.path, 'missing.json')]);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('ENOENT');
    const notKeys = file('keys.json', {});
    const wrong = await run(['proof', 'verify', file('p.json', proofBy(key)), '--keys', notKeys]);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('not a proof key set');
  });
});
