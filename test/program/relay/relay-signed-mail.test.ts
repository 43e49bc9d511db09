// Tests that mail which is signed or encrypted end to end stays valid: no byte changes, and Mailkeel's signature is valid as
// well.
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signMessage } from '../../../src/lib/dkim/index.js';
import { bodyOf, fieldOf, lines } from '../../support/raw-mail.js';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';

let relay: SinkRig;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mailkeel-smime-'));
  relay = await startMailRigWithSink({ process: 'shared' });
});
afterAll(async () => {
  await relay.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);
const openssl = (...args: string[]): Buffer =>
  execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'ignore'] });

const PART = Buffer.from(
  'Content-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: 8bit\r\n\r\ncaf\xe9  \r\n.\r\n-- \r\nAnn\t \r\n',
  'latin1',
);

function smime(): string {
  openssl(
    ...'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=Ann/emailAddress=orders@shop.example'.split(' '),
    ...['-keyout', at('key.pem'), '-out', at('cert.pem')],
  );
  writeFileSync(at('part'), PART);
  const signer = ['-signer', at('cert.pem'), '-inkey', at('key.pem')];
  const written = openssl('smime', '-sign', '-in', at('part'), '-crlfeol', '-binary', ...signer);
  return written.toString('latin1').replaceAll(/\r?\n/g, '\r\n');
}

/** Verifies with openssl: returns the signed part, or an error. */
function verified(message: Buffer): Buffer {
  writeFileSync(at('message'), message);
  return openssl('smime', '-verify', '-in', at('message'), '-CAfile', at('cert.pem'), '-crlfeol', '-binary');
}

it('keeps an S/MIME signature valid', async () => {
  const signed = smime();
  const to = 'smime@receiver.example';
  const raw = Buffer.from(`From: orders@shop.example\r\nTo: ${to}\r\nSubject: Signed\r\n${signed}`, 'latin1');
  expect(verified(raw).equals(PART)).toBe(true);
  await relay.submit({ to, raw, mail: 'BODY=8BITMIME' });
  const arrived = (await relay.arrived(to)).raw;
  expect(bodyOf(arrived).equals(bodyOf(raw))).toBe(true);
  expect(verified(arrived).equals(PART)).toBe(true);
  expect(await relay.validSignatures(arrived)).toContain('shop.example');
});

it('keeps PGP signed and encrypted content octet for octet', async () => {
  const signed = lines(
    'From: orders@shop.example',
    'Content-Type: multipart/signed; micalg=pgp-sha256;',
    '\tprotocol="application/pgp-signature"; boundary="sig"',
    '',
    'This is an OpenPGP/MIME signed message (RFC 4880 and 3156)',
    '--sig',
    'Content-Type: multipart/mixed; boundary="in"',
    '',
    '--in',
    'Content-Type: text/plain; charset=utf-8; format=flowed',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'trailing =20',
    '- dash, .dot, =46rom',
    '--in--',
    '',
    '--sig',
    'Content-Type: application/pgp-signature; name="signature.asc"',
    '',
    '-----BEGIN PGP SIGNATURE-----',
    '',
    'iQEzBAEBCAAdFiEE',
    '-----END PGP SIGNATURE-----',
    '--sig--',
  );
  const encrypted = signed.replace('multipart/signed; micalg=pgp-sha256;', 'multipart/encrypted;');
  for (const [to, raw] of [
    ['signed@receiver.example', signed],
    ['encrypted@receiver.example', encrypted],
  ] as const) {
    expect((await relay.submit({ to, raw })).reply).toMatch(/^250 /);
    const arrived = (await relay.arrived(to)).raw;
    expect(bodyOf(arrived).equals(bodyOf(Buffer.from(raw)))).toBe(true);
    expect(fieldOf(arrived, 'Content-Type')).toBe(fieldOf(Buffer.from(raw), 'Content-Type'));
    expect(await relay.validSignatures(arrived)).toContain('shop.example');
  }
});

it("keeps the submitter's valid DKIM signature beside Mailkeel's", async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const published = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  relay.dns.set('own._domainkey.shop.example', 'TXT', [`v=DKIM1; k=rsa; p=${published}`]);
  const to = 'dkim@receiver.example';
  const headerLines = [
    'From: orders@shop.example',
    `To: ${to}`,
    'Subject: Signed',
    'Date: Sat, 21 Nov 2026 09:00:00 +0100',
  ];
  const body = Buffer.from('Hi  \r\n.\r\n');
  // Only existing fields are signed, as most submitters do, so later additions do no harm.
  const [signature = ''] = signMessage({
    headerLines: [...headerLines, 'Message-ID: <own-1@shop.example>', 'MIME-Version: 1.0'],
    body,
    signers: [{ domain: 'shop.example', selector: 'own', algorithm: 'rsa-sha256', privateKey }],
    signedAt: Math.floor(Date.now() / 1000),
  });
  const raw = Buffer.concat([
    Buffer.from(
      lines(signature, ...headerLines, 'Message-ID: <own-1@shop.example>', 'MIME-Version: 1.0', ''),
    ),
    body,
  ]);
  expect(await relay.validSignatures(raw)).toEqual(['shop.example']);
  await relay.submit({ to, raw });
  const arrived = (await relay.arrived(to)).raw;
  expect(arrived.toString()).toContain(`${signature}\r\n`);
  // The submitter's signature, and Mailkeel's in RSA and Ed25519.
  const valid = await relay.validSignatures(arrived);
  expect(valid.filter((domain) => domain === 'shop.example')).toHaveLength(3);
});

it('refuses a line in a signed part that is too long, instead of breaking the signature', async () => {
  const raw = lines(
    'From: orders@shop.example',
    'Content-Type: multipart/signed; boundary=b',
    '',
    '--b',
    '',
    'x'.repeat(1_500),
    '--b--',
  );
  const { reply } = await relay.submit({ to: 'long@receiver.example', raw });
  expect(reply).toMatch(/^554 5\.6\.0 .* 998 bytes in a part that cannot be re-encoded/);
});
