// Checks Mailkeel's metrics and alert rules with Prometheus' own checker.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePackages } from '../support/apt.js';
import { startMailRig, type MailRig } from '../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';

const PROMTOOL = '/usr/bin/promtool';
const skipReason = ensurePackages({ packages: ['prometheus'], isThere: () => existsSync(PROMTOOL) });
if (skipReason !== null) console.warn(`skipped: before promtool: ${skipReason}`);

function promtool(args: readonly string[], input?: string): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(PROMTOOL, args, { input, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}

describe.skipIf(skipReason !== null)('promtool', () => {
  let sink: SmtpSink;
  let rig: MailRig;

  beforeAll(async () => {
    sink = await startSmtpSink({ keep: false });
    const env = { MAILKEEL_METRICS: 'true', MAILKEEL_METRICS_PORT: '0', MAILKEEL_METRICS_PER_TENANT: 'true' };
    rig = await startMailRig({ process: 'shared', mxPort: sink.port, env });
  });

  afterAll(async () => {
    await rig.close();
    await sink.close();
  });

  it('accepts the metrics of a server that has sent mail', async () => {
    await rig.reached(await rig.send('anna'), 'delivered');
    const [, url = ''] = /Metrics +(http:\S+)/.exec(rig.appliance.output()) ?? [];
    const text = await (await fetch(url)).text();
    expect(text).toContain('mailkeel_delivery_attempts_total{result="delivered"');
    expect(promtool(['check', 'metrics'], text)).toEqual({ status: 0, said: '' });
  });

  it('accepts the alert rules', () => {
    const { status, said } = promtool(['check', 'rules', 'docs/monitoring/mailkeel.rules.yaml']);
    expect([status, said]).toEqual([0, expect.stringContaining('15 rules found')]);
  });

  it('fires each alert in its incident, and none in normal operation', () => {
    const { status, said } = promtool(['test', 'rules', 'test/long/mailkeel.rules.test.yaml']);
    expect([status, said]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});
