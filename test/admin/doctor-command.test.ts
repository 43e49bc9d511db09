// Tests `mailkeel doctor` in the test process, against a DNS server of the test.
import { readdirSync } from 'node:fs';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addDoctor } from '../../src/admin/doctor-command.js';
import type { Terminal } from '../../src/admin/terminal.js';
import { loadConfig } from '../../src/settings/load.js';
import { systemClock } from '../../src/lib/runtime/index.js';
import { startDnsServer, type TestDnsServer } from '../support/dns-server.js';
import { temporaryFolder } from '../support/open-engines.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';

let folder: ReturnType<typeof temporaryFolder>;
let dns: TestDnsServer;
let sink: SmtpSink;

beforeEach(async () => {
  folder = temporaryFolder();
  sink = await startSmtpSink({ keep: false });
  dns = await startDnsServer({ zones: { 'relay.test': { A: ['127.0.0.1'] }, org: { NS: ['a.ns.test'] } } });
});
afterEach(async () => {
  await dns.close();
  await sink.close();
  folder.remove();
});

async function doctor(args: string[], isTTY: boolean) {
  let stdout = '';
  const env = {
    MAILKEEL_DATA_DIR: folder.path,
    MAILKEEL_DNS_SERVERS: dns.address,
    MAILKEEL_DNS_TIMEOUT: '300ms',
    MAILKEEL_HOSTNAME: 'mta.x.test',
    MAILKEEL_SMARTHOST: `smtp://relay.test:${sink.port}`,
    MAILKEEL_PLATFORM_DOMAIN: 'x.test',
  };
  const terminal: Terminal = {
    stdout: { write: (text) => (stdout += text), isTTY },
    stderr: { write: () => undefined },
    readStdin: () => Promise.resolve(''),
    loadConfig: () => loadConfig({ env }),
    clock: systemClock,
    exitCode: 0,
  };
  const program = new Command('mailkeel').exitOverride();
  addDoctor(program, terminal);
  await program.parseAsync(['doctor', ...args], { from: 'user' });
  return { stdout, exitCode: terminal.exitCode };
}

it('prints every check as JSON and exits with 9 if one fails', async () => {
  const { stdout, exitCode } = await doctor(['--json'], true);
  const answer = JSON.parse(stdout) as { status: string; checks: { name: string; status: string }[] };
  expect([answer.status, exitCode]).toEqual(['fail', 9]);
  const byName = Object.fromEntries(answer.checks.map(({ name, status }) => [name, status]));
  expect(byName).toMatchObject({
    smarthost: 'pass',
    resolver: 'pass',
    bounce_mx: 'fail',
    data_folder: 'pass',
  });
});

it('shows next steps to a person', async () => {
  const { stdout } = await doctor([], true);
  expect(stdout).toMatch(/^FAIL +bounce_mx +mta\.x\.test +no MX record and no address$/m);
  expect(stdout).toContain('Publish an A or AAAA record for mta.x.test, or set MAILKEEL_BOUNCE_DOMAIN.');
  expect(stdout.trimEnd().endsWith('This machine is not ready to send mail.')).toBe(true);
});

it('passes without a failure, and creates nothing', async () => {
  dns.set('mta.x.test', 'A', ['127.0.0.1']);
  expect((await doctor(['--json'], false)).exitCode).toBe(0);
  expect(readdirSync(folder.path)).toEqual([]);
});
