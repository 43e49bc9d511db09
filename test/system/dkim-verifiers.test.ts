// Tests Mailkeel's signatures with third-party verifiers: dkimpy (Python) and OpenDKIM (C), both from Debian.
import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dkimRecordValue, type DkimSigner, signMessage } from '../../src/lib/dkim/index.js';
import { MESSAGES, onTheWire, type TestMessage } from '../support/dkim-messages.js';

// Debian's own, because a python in front of it on the PATH does not see Debian's packages.
const PYTHON = '/usr/bin/python3';
const OPENDKIM = '/usr/sbin/opendkim';
const PACKAGES = ['python3-dkim', 'python3-nacl', 'opendkim'];

const hasDkimpy = () => existsSync(PYTHON) && spawnSync(PYTHON, ['-c', 'import dkim, nacl']).status === 0;
const hasOpendkim = () => existsSync(OPENDKIM);

/** Why the verifiers are not to be had, or null. */
function install(): string | null {
  if (hasDkimpy() && hasOpendkim()) return null;
  if (process.getuid?.() !== 0) return `needs ${PACKAGES.join(', ')}, and root to install them`;
  if (!existsSync('/usr/bin/apt-get')) return 'needs a Debian system';
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const wait = ['-o', 'DPkg::Lock::Timeout=120'];
  spawnSync('apt-get', [...wait, 'update'], { env });
  const args = [...wait, 'install', '-y', '--no-install-recommends', ...PACKAGES];
  const { status, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
  if (status !== 0) return `apt-get could not install ${PACKAGES.join(', ')}: ${stderr.trim()}`;
  return hasDkimpy() && hasOpendkim() ? null : 'the packages were installed, but the verifiers do not start';
}

const skipReason = install();
if (skipReason !== null) console.warn(`skipped: DKIM verifiers: ${skipReason}`);

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ed25519 = generateKeyPairSync('ed25519');
const ALGORITHMS = [
  { algorithm: 'rsa-sha256', selector: 'r1', pair: rsa },
  { algorithm: 'ed25519-sha256', selector: 'e1', pair: ed25519 },
] as const;
const SIGNERS: DkimSigner[] = ALGORITHMS.map(({ algorithm, selector, pair }) => ({
  domain: 'example.com',
  selector,
  algorithm,
  privateKey: pair.privateKey,
}));
const RECORDS = Object.fromEntries(
  ALGORITHMS.map(({ algorithm, selector, pair }) => [
    `${selector}._domainkey.example.com`,
    dkimRecordValue(pair.publicKey, algorithm),
  ]),
);

const INJECTED = [
  'Subject: other',
  'From: evil@example.net',
  'To: other@example.org',
  'Cc: new@example.org',
  'Reply-To: evil@example.net',
  'Content-Type: text/html',
  'List-Unsubscribe: <https://evil.example>',
  'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
];

const DKIMPY = `
import dkim, json, sys
records = json.load(open(sys.argv[1]))
def lookup(name, timeout=5):
    return records[name.decode().rstrip('.')].encode()
def check(path):
    try:
        return bool(dkim.verify(open(path, 'rb').read(), dnsfunc=lookup))
    except dkim.DKIMException:
        return False
json.dump({path: check(path) for path in sys.argv[2:]}, sys.stdout)
`;

let folder = '';

function verifyWithDkimpy(paths: string[]): Record<string, boolean> {
  const records = join(folder, 'records.json');
  writeFileSync(records, JSON.stringify(RECORDS));
  const output = execFileSync(PYTHON, ['-c', DKIMPY, records, ...paths], { encoding: 'utf8' });
  return JSON.parse(output) as Record<string, boolean>;
}

function verifyWithOpendkim(paths: string[]): Record<string, boolean> {
  const keys = join(folder, 'keys.txt');
  const config = join(folder, 'opendkim.conf');
  writeFileSync(
    keys,
    Object.entries(RECORDS)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(''),
  );
  writeFileSync(config, `TestPublicKeys ${keys}\nMode v\nBackground no\nSyslog no\n`);
  return Object.fromEntries(
    paths.map((path) => {
      const { stdout } = spawnSync(OPENDKIM, ['-x', config, '-t', path], { encoding: 'utf8' });
      return [path, /verification .* succeeded/.test(stdout)];
    }),
  );
}

const VERIFIERS = [
  { verifier: 'dkimpy', check: verifyWithDkimpy },
  { verifier: 'OpenDKIM', check: verifyWithOpendkim },
];

function signedHeader(message: TestMessage, signer: DkimSigner): string[] {
  const { headerLines, body } = message;
  const fields = signMessage({ headerLines, body, signers: [signer], signedAt: 1_700_000_000 });
  return [...fields, ...headerLines];
}

function write(name: string, octets: Buffer): string {
  const path = join(folder, `${name}.eml`);
  writeFileSync(path, octets);
  return path;
}

describe.skipIf(skipReason !== null)('DKIM signatures', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'mailkeel-dkim-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe.each(SIGNERS)('with $algorithm', (signer) => {
    it.each(VERIFIERS)('verify with $verifier for messages of every structure', ({ verifier, check }) => {
      const names = new Map<string, string>();
      for (const [index, message] of MESSAGES.entries()) {
        const octets = onTheWire(signedHeader(message, signer), message.body);
        names.set(write(`${verifier}-${signer.selector}-${index}`, octets), message.name);
      }
      const results = check([...names.keys()]);
      const failed = [...names].filter(([path]) => results[path] !== true).map(([, name]) => name);
      expect(failed).toEqual([]);
      expect(names.size).toBeGreaterThanOrEqual(40);
    });

    it.each(VERIFIERS)('fail with $verifier after a field is added on top', ({ verifier, check }) => {
      const [message] = MESSAGES.filter(({ name }) => name === 'one-click unsubscription');
      if (!message) throw new Error('the message of this test is gone');
      const header = signedHeader(message, signer);
      const untouched = write(`${verifier}-${signer.selector}-untouched`, onTheWire(header, message.body));
      const fields = new Map(
        INJECTED.map((field, index) => [
          write(
            `${verifier}-${signer.selector}-injected-${index}`,
            onTheWire([field, ...header], message.body),
          ),
          field,
        ]),
      );
      const results = check([untouched, ...fields.keys()]);
      const survived = [...fields].filter(([path]) => results[path] !== false).map(([, field]) => field);
      expect(results[untouched]).toBe(true);
      expect(survived).toEqual([]);
    });
  });
});
