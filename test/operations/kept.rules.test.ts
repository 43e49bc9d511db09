// Tests that the sentences about retention agree with the settings and with docs/retention.md.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { retentionPeriods, retentionLines } from '../../src/operations/retention/retention-periods.rules.js';
import { loadConfig } from '../../src/settings/load.js';
import { RETENTION_SETTINGS } from '../../src/settings/server-settings.js';

const { config } = loadConfig({ env: { MAILKEEL_HOSTNAME: 'mx.example.com' } });
const page = readFileSync(new URL('../../docs/retention.md', import.meta.url), 'utf8');

it('the page has every kind with its setting', () => {
  for (const { what, setting } of Object.values(retentionPeriods(config))) {
    const row = page.split('\n').find((line) => line.startsWith(`| ${what} `));
    expect(row, what).toBeDefined();
    expect(row).toContain(setting ?? ' days');
  }
});

it('the page names existing settings', () => {
  const known = Object.values(RETENTION_SETTINGS).map(({ env }): string => env);
  const named = Object.values(retentionPeriods(config)).flatMap(({ setting }) => setting ?? []);
  expect(known).toEqual(expect.arrayContaining(named));
});

it('shows the default retention', () => {
  expect(retentionLines(config).join('\n')).toMatchInlineSnapshot(`
    "Messages with content and addresses                                         forever   MAILKEEL_RETENTION_DAYS
    SMTP conversations and delivery reports                                     90 days   MAILKEEL_ATTEMPT_KEEP
    Raw inbound mail after processing                                           30 days   MAILKEEL_INBOUND_KEEP
    Finished webhook deliveries                                                 30 days   MAILKEEL_WEBHOOK_KEEP
    Imports, exports, bulk actions and account imports, with files and reports  7 days    MAILKEEL_TRANSFER_KEEP
    API request log, without secrets or personal data                           30 days   MAILKEEL_REQUEST_LOG_KEEP
    Audit log                                                                   730 days  MAILKEEL_AUDIT_KEEP
    Received DMARC and TLS reports                                              90 days
    Daily totals of these reports                                               400 days
    Daily message counts per API key                                            400 days
    Events (as long as their message), statistics and suppressions              forever"
  `);
});

it("shows the operator's settings", () => {
  const DAY = 86_400_000;
  const chosen = {
    ...({ retentionDays: 30, retentionMode: 'delete', requestLogKeepMs: 0, attemptKeepMs: DAY } as const),
  };
  const text = retentionLines({ ...config, ...chosen }).join('\n');
  expect(text).toMatch(/^Messages .* 30 days, then deleted +MAILKEEL_RETENTION_DAYS$/m);
  expect(text).toMatch(/^API request log.* not kept +MAILKEEL_REQUEST_LOG_KEEP$/m);
  expect(text).toMatch(/^SMTP conversations .* 24 hours +MAILKEEL_ATTEMPT_KEEP$/m);
});
