// Drill: the certificate's files were not renewed. The operator is warned a week ahead, and new files are loaded without a
// restart.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makeSelfSigned } from '../../../src/lib/tls/index.js';
import { createAppliance, mailkeel, type Appliance } from '../../support/appliance.js';
import { READ_OFTEN, watch, WATCHED } from '../../support/drill.js';
import { tuned } from '../../support/tuning.js';

const DAY_MS = 86_400_000;
const LIFE_MS = 10 * 365 * DAY_MS;
const NAMES = ['mta.platform.example', 'localhost'];
let appliance: Appliance;
let folder: string;

afterEach(async () => {
  await appliance.close();
  rmSync(folder, { recursive: true, force: true });
});

const files = () => ({ cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') });

/** Its files with a certificate that ends so many days from now. */
async function lay(days: number): Promise<void> {
  const { key, cert } = await makeSelfSigned(NAMES, Date.now() - LIFE_MS + days * DAY_MS);
  writeFileSync(files().key, key, { mode: 0o600 });
  writeFileSync(files().cert, cert);
}

it('log, metric and doctor report the expiry until the files are renewed', async () => {
  folder = mkdtempSync(join(tmpdir(), 'mailkeel-drill-'));
  await lay(3);
  appliance = await createAppliance({
    process: 'shared',
    env: {
      ...WATCHED,
      ...tuned({ ...READ_OFTEN, tlsReloadMs: 200 }),
      MAILKEEL_TLS_CERT: files().cert,
      MAILKEEL_TLS_KEY: files().key,
    },
  });
  await appliance.start();
  const seen = watch(appliance);
  const daysLeft = async () =>
    ((await seen.metric('mailkeel_certificate_expiry_timestamp_seconds')) * 1000 - Date.now()) / DAY_MS;
  expect(await daysLeft()).toBeCloseTo(3, 1);
  const warned = await seen.logged('TLS certificate expires soon: renew its files');
  expect(warned).toMatchObject({ level: 'warn', file: files().cert });
  const check = async () => {
    const { stdout } = await mailkeel(['doctor', '--json'], appliance.env);
    const { checks } = JSON.parse(stdout) as {
      checks: { name: string; status: string; remedy: string | null }[];
    };
    return checks.find(({ name }) => name === 'certificate');
  };
  const before = await check();
  expect(before?.status).not.toBe('pass');
  expect(before?.remedy).not.toBeNull();

  await lay(90);
  await seen.metricIs(
    'mailkeel_certificate_expiry_timestamp_seconds',
    '',
    (seconds) => seconds * 1000 > Date.now() + 80 * DAY_MS,
  );
  expect(seen.log().filter(({ msg }) => msg === 'TLS certificate loaded')).toHaveLength(2);
  expect(await check()).toMatchObject({ status: 'pass' });
}, 60_000);
