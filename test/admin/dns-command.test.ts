// Tests that `mailkeel admin dns` lists the same records for the server's own domain as for its customers' domains.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { adminDns } from '../../src/admin/dns-command.js';
import { loadConfig } from '../../src/settings/load.js';
import { layDataFolder } from '../support/migrated-file.js';
import { temporaryFolder } from '../support/open-engines.js';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  folder = temporaryFolder();
  await layDataFolder(folder.path);
});
afterEach(() => folder.remove());

async function spfOf(extra: Record<string, string>): Promise<string[]> {
  const env = {
    MAILKEEL_DATA_DIR: folder.path,
    MAILKEEL_HOSTNAME: 'mta.example.com',
    MAILKEEL_PLATFORM_DOMAIN: 'example.com',
    ...extra,
  };
  const records = await adminDns(loadConfig({ env }).config);
  return records.flatMap(({ value }) => (value?.startsWith('v=spf1') ? [value] : [])).sort();
}

it('shows the SPF mechanisms of MAILKEEL_SPF, and those of the sources without it', async () => {
  const given = await spfOf({ MAILKEEL_SPF: 'include:_spf.example.com ip4:192.0.2.0/24' });
  expect(given.length).toBeGreaterThan(0);
  for (const value of given)
    expect(value).toMatch(/^v=spf1 include:_spf\.example\.com ip4:192\.0\.2\.0\/24 [~-]all$/);

  expect(await spfOf({})).toEqual(
    given.map((value) => value.replace(/^v=spf1 .* (\S+)$/, 'v=spf1 a:mta.example.com $1')),
  );
});
