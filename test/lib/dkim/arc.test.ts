// Tests ARC sets with verifiers that share no code with the seal: mailauth, and dkimpy if it is installed.
import { spawnSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { authenticate } from 'mailauth';
import { describe, expect, it } from 'vitest';
import { dkimRecordValue, type DkimSigner, sealArc, signMessage } from '../../../src/lib/dkim/index.js';

const signerOf = (domain: string): DkimSigner => ({
  ...{ domain, selector: 's1', algorithm: 'rsa-sha256' },
  privateKey: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
});
const AUTHOR = signerOf('author.example');
const FIRST = signerOf('first.example');
const SECOND = signerOf('second.example');
const ZONE = new Map(
  [AUTHOR, FIRST, SECOND].map(({ domain, privateKey }) => [
    `s1._domainkey.${domain}`,
    dkimRecordValue(createPublicKey(privateKey), 'rsa-sha256'),
  ]),
);
const body = Buffer.from('Hello,\r\n  with  blanks\t\r\n\r\n');
const signedAt = Math.floor(Date.now() / 1000);
const plain = [
  'From: Ann <ann@author.example>',
  'To: help@first.example',
  'Subject:  two\r\n lines',
  'Date: x',
];
const signed = [...signMessage({ headerLines: plain, body, signers: [AUTHOR], signedAt }), ...plain];
const results = 'mx.first.example; spf=pass smtp.mailfrom=author.example; dkim=pass header.d=author.example';

const sealed = (headerLines: string[], signer: DkimSigner, chain: 'none' | 'pass'): string[] => [
  ...sealArc({ headerLines, body, signer, signedAt, chain, results }),
  ...headerLines,
];

async function judge(headerLines: string[]) {
  const raw = Buffer.concat([Buffer.from(`${headerLines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
  const { arc, dkim } = await authenticate(raw, {
    ...{ ip: '127.0.0.1', helo: 'x', sender: 'a@b.example', mta: 'mx.example' },
    resolver: (name, type) => {
      const value = type === 'TXT' ? ZONE.get(name) : undefined;
      if (value !== undefined) return Promise.resolve([[value]]);
      return Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
    },
  });
  return [dkim.results[0]?.status.result, arc === false ? null : arc.status.result];
}

const VERIFIER = `
import dkim, sys
zone = dict(line.split(' ', 1) for line in sys.argv[1].split('|'))
cv, results, reason = dkim.arc_verify(sys.stdin.buffer.read(), dnsfunc=lambda name, timeout=5: zone.get(name.decode().rstrip('.'), '').encode() or None)
print(cv.decode())
`;
const hasDkimpy = spawnSync('/usr/bin/python3', ['-c', 'import dkim']).status === 0;
function judgeOfPython(headerLines: string[]): string {
  const zone = [...ZONE].map(([name, value]) => `${name} ${value}`).join('|');
  const input = Buffer.concat([Buffer.from(`${headerLines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
  const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', VERIFIER, zone], { input });
  return `${String(stdout).trim()}${String(stderr)}`;
}

describe('an ARC set', () => {
  it('verifies below the signature of the author, and so does a chain', async () => {
    const once = sealed(signed, FIRST, 'none');
    expect(await judge(once)).toEqual(['pass', 'pass']);
    const twice = sealed(once, SECOND, 'pass');
    expect(await judge(twice)).toEqual(['pass', 'pass']);
    expect(
      twice.filter((line) => /^ARC-Seal: i=2; .* cv=pass;/.test(line.replaceAll('\r\n', ''))),
    ).toHaveLength(1);
  });

  it.skipIf(!hasDkimpy)('verifies with dkimpy', () => {
    const once = sealed(signed, FIRST, 'none');
    expect(judgeOfPython(once)).toBe('pass');
    expect(judgeOfPython(sealed(once, SECOND, 'pass'))).toBe('pass');
  });

  it('does not verify once a field or the chain was changed', async () => {
    const once = sealed(signed, FIRST, 'none');
    const changed = once.map((line) => line.replace('help@first.example', 'evil@first.example'));
    expect((await judge(changed))[1]).toBe('fail');
    const results = once.map((line) => line.replace('dkim=pass', 'dkim=fail'));
    expect((await judge(results))[1]).toBe('fail');
  });

  it('is not made for a chain with a set missing, and not beyond 50 sets', () => {
    const once = sealed(signed, FIRST, 'none').filter((line) => !line.startsWith('ARC-Seal'));
    expect(() => sealed(once, SECOND, 'pass')).toThrow('incomplete');
    const sets = Array.from({ length: 50 }, (_, at) => [
      ...[`ARC-Seal: i=${at + 1}; b=`, `ARC-Message-Signature: i=${at + 1}; b=`],
      `ARC-Authentication-Results: i=${at + 1}; x`,
    ]).flat();
    expect(
      sealArc({ headerLines: [...sets, ...signed], body, signer: FIRST, signedAt, chain: 'pass', results }),
    ).toEqual([]);
  });
});
