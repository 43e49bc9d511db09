// Tests what others learn about TLS for mail to Mailkeel: the policy file that they fetch, and the records that the operator is
// asked to publish.
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseStsPolicy, readStsRecords, readTlsReportRecords } from '../../../src/lib/tls-policy/index.js';
import { createAppliance, mailkeel, type Appliance } from '../../support/appliance.js';

let appliance: Appliance;

beforeAll(async () => {
  appliance = await createAppliance({
    process: 'shared',
    env: {
      MAILKEEL_HOSTNAME: 'mta.platform.example',
      MAILKEEL_PLATFORM_DOMAIN: 'platform.example',
      MAILKEEL_BOUNCE_DOMAIN: 'bounces.platform.example',
      MAILKEEL_PUBLIC_URL: 'https://mail.platform.example',
      MAILKEEL_MTA_STS_MODE: 'enforce',
      MAILKEEL_TLS_REPORT_ADDRESS: 'tls@platform.example',
    },
  });
  await appliance.start();
});

afterAll(() => appliance.close());

/** Fetches as a sender does, behind the proxy that has the certificate. */
function fetchPolicy(host: string): Promise<{ status: number; type: string; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port: appliance.port,
      path: '/.well-known/mta-sts.txt',
      headers: { host },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      text(response).then((body) => resolve({ status, type: headers['content-type'] ?? '', body }), reject);
    });
    sent.end();
  });
}

it('the policy of the return path names this host, and is only served under its own name', async () => {
  const { status, type, body } = await fetchPolicy('mta-sts.bounces.platform.example');
  expect(status).toBe(200);
  expect(type).toMatch(/^text\/plain/);
  expect(parseStsPolicy(body)).toMatchObject({
    kind: 'policy',
    policy: { mode: 'enforce', mx: ['mta.platform.example'], maxAgeS: 604_800 },
  });
  expect(await fetchPolicy('mta-sts.elsewhere.example')).toMatchObject({ status: 404 });
});

it('the operator sees the required records', async () => {
  const { code, stdout } = await mailkeel(['admin', 'dns', '--json'], appliance.env);
  expect(code).toBe(0);
  const { dns_records: records } = JSON.parse(stdout) as { dns_records: { host: string; value: string }[] };
  const valueOf = (host: string): string => records.find((record) => record.host === host)?.value ?? '';
  expect(readStsRecords([valueOf('_mta-sts.bounces.platform.example')])).toMatch(/^\w+$/);
  expect(readTlsReportRecords([valueOf('_smtp._tls.bounces.platform.example')])).toMatchObject({
    kind: 'destinations',
    destinations: [{ kind: 'mailto', address: 'tls@platform.example' }],
  });
  expect(valueOf('mta-sts.bounces.platform.example')).toMatch(/mail\.platform\.example/);
});
