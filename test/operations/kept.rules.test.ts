// The sentences about what is kept agree with the settings and with docs/retention.md.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { keptByAge, keptLines } from '../../src/operations/retention/kept.rules.js';
import { loadConfig } from '../../src/settings/load.js';
import { RETENTION_SETTINGS } from '../../src/settings/server-settings.js';

const { config } = loadConfig({ env: { MAILKEEL_HOSTNAME: 'mx.example.com' } });
const page = readFileSync(new URL('../../docs/retention.md', import.meta.url), 'utf8');

it('every kind with its setting stands on the page', () => {
  for (const { what, setting } of Object.values(keptByAge(config))) {
    const row = page.split('\n').find((line) => line.startsWith(`| ${what} `));
    expect(row, what).toBeDefined();
    expect(row).toContain(setting ?? ' days');
  }
});

it('names settings that there are', () => {
  const known = Object.values(RETENTION_SETTINGS).map(({ env }): string => env);
  const named = Object.values(keptByAge(config)).flatMap(({ setting }) => setting ?? []);
  expect(known).toEqual(expect.arrayContaining(named));
});

it('says what is kept by default', () => {
  expect(keptLines(config).join('\n')).toMatchInlineSnapshot(`
    "Messages with their content and addresses                 for ever  MAILKEEL_RETENTION_DAYS
    Conversations of delivery attempts, delivery reports      90 days   MAILKEEL_ATTEMPT_KEEP
    Mail as the listener took it, once it is understood       30 days   MAILKEEL_INBOUND_KEEP
    Webhook deliveries that ended                             30 days   MAILKEEL_WEBHOOK_KEEP
    Imports, exports and bulk actions with their files        7 days    MAILKEEL_TRANSFER_KEEP
    Requests to the API, without secrets and persons          30 days   MAILKEEL_REQUEST_LOG_KEEP
    The audit log                                             730 days  MAILKEEL_AUDIT_KEEP
    DMARC and TLS reports about us                            90 days
    Sums of these reports, by day                             400 days
    Messages of each API key, by day                          400 days
    Events (with their message), statistics and suppressions  for ever"
  `);
});

it('says what an operator has chosen', () => {
  const DAY = 86_400_000;
  const chosen = {
    ...({ retentionDays: 30, retentionMode: 'delete', requestLogKeepMs: 0, attemptKeepMs: DAY } as const),
  };
  const text = keptLines({ ...config, ...chosen }).join('\n');
  expect(text).toMatch(/^Messages .* 30 days, then deleted +MAILKEEL_RETENTION_DAYS$/m);
  expect(text).toMatch(/^Requests .* not kept +MAILKEEL_REQUEST_LOG_KEEP$/m);
  expect(text).toMatch(/^Conversations .* 24 hours +MAILKEEL_ATTEMPT_KEEP$/m);
});
