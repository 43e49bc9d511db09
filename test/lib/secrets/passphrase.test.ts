// Tests that only the passphrase opens what it sealed.
import { afterEach, expect, it } from 'vitest';
import { openWithPassphrase, sealWithPassphrase } from '../../../src/lib/secrets/passphrase.js';
import { useCheapCosts, useRealCosts } from '../../support/cheap-hashes.js';
import { isFullSize } from '../../support/run-size.js';

afterEach(useCheapCosts);

/** Made by `sealWithPassphrase` at the program's costs. */
const SEALED = JSON.stringify({
  kind: 'sealed',
  format: 1,
  kdf: 'scrypt',
  N: 65536,
  r: 8,
  p: 2,
  salt: 'TEt8lBipOFyC3J8RayzyAQ==',
  nonce: 'uUKzEtnCV31Ma5DO',
  tag: 'lpJBd6lEQGvLFNgIjA0VmA==',
  data: 'M441fsRifQaZA8E=',
});

it("decrypts data encrypted at the server's costs", async () => {
  useRealCosts();
  expect((await openWithPassphrase('correct horse battery', SEALED)).toString()).toBe('secret keys');
});

it("stores the server's costs in encrypted data", async () => {
  const sealed = JSON.parse(await sealWithPassphrase('correct horse battery', Buffer.from('x'))) as object;
  expect(sealed).toMatchObject({ kdf: 'scrypt', N: 65_536, r: 8, p: 2 });
});

it.runIf(isFullSize)('decrypts with the same passphrase at these costs', async () => {
  useRealCosts();
  const sealed = await sealWithPassphrase('correct horse battery', Buffer.from('secret keys'));
  expect((await openWithPassphrase('correct horse battery', sealed)).toString()).toBe('secret keys');
});

it('does not decrypt with another passphrase, or after a change', async () => {
  const sealed = await sealWithPassphrase('correct horse battery', Buffer.from('secret keys'));
  expect(sealed).not.toContain('secret keys');
  expect((await openWithPassphrase('correct horse battery', sealed)).toString()).toBe('secret keys');
  await expect(openWithPassphrase('correct horse batterY', sealed)).rejects.toThrow('passphrase is wrong');
  const changed = sealed.replace(
    /"data":"./,
    (text) => `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`,
  );
  await expect(openWithPassphrase('correct horse battery', changed)).rejects.toThrow('has been modified');
});

it('refuses a short passphrase', async () => {
  await expect(sealWithPassphrase('short', Buffer.from('x'))).rejects.toThrow('at least 12 characters');
});

it.each([
  'not JSON',
  '{}',
  JSON.stringify({ kind: 'sealed', format: 1, kdf: 'scrypt', N: 2 ** 30, r: 8, p: 1 }),
  JSON.stringify({ kind: 'sealed', format: 1, kdf: 'scrypt', N: 1024, r: 8, p: 1, salt: 'AA==' }),
])('refuses data that is not encrypted: %s', async (text) => {
  await expect(openWithPassphrase('correct horse battery', text)).rejects.toThrow(
    'not a file encrypted by Mailkeel',
  );
});
