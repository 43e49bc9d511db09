// Runs every sample of the README and the guides with a mail server, after replacing its IDs by existing ones: with a live key,
// or with a test key if the sample names one.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Mailkeel } from '@mailkeel/sdk';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensurePackages } from '../support/apt.js';
import { publish, receives, startMailRig, type MailRig } from '../support/mail-rig.js';
import { startSmtpSink, type SmtpSink } from '../support/smtp-sink.js';
import { waitFor } from '../support/wait.js';

const skipReason = ensurePackages({
  packages: ['curl'],
  isThere: () => spawnSync('curl', ['--version']).status === 0,
});
if (skipReason !== null) console.warn(`skipped: samples in the shell: ${skipReason}`);

interface Sample {
  page: string;
  code: string;
}

const DOCS = new URL('../../docs/', import.meta.url);
const run = promisify(execFile);
/** Samples that print events until they are interrupted. */
const ENDLESS = /events[./]stream/;
const ENOUGH_MS = 1_000;

async function samplesIn(page: string, language: RegExp, shape: RegExp): Promise<Sample[]> {
  const text = await readFile(new URL(page, DOCS), 'utf8');
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].flatMap(([, name = '', code = '']) =>
    language.test(name) && shape.test(code) ? [{ page, code }] : [],
  );
}

const pages = [...(await readdir(DOCS)).filter((name) => name.endsWith('.md')), '../README.md'];
const inShell = (await Promise.all(pages.map((page) => samplesIn(page, /^(?:sh|bash)$/, /^curl /m)))).flat();
const inTypeScript = (await Promise.all(pages.map((page) => samplesIn(page, /^ts$/, /mailkeel\./)))).flat();

let sink: SmtpSink;
let rig: MailRig;
let folder: string;
let mailkeel: Mailkeel;
/** Addresses of requests that succeeded. */
const opened: string[] = [];

beforeAll(async () => {
  sink = await startSmtpSink({ keep: true });
  rig = await startMailRig({ process: 'shared', mxPort: sink.port });
  receives(rig.dns, 'example.com');
  mailkeel = new Mailkeel({
    apiKey: rig.appliance.keys.live_key,
    baseUrl: rig.appliance.url,
    async fetch(input, init) {
      const response = await fetch(input, init);
      if (response.ok) opened.push(response.url);
      return response;
    },
  });
  folder = await mkdtemp(join(tmpdir(), 'mailkeel-docs-'));
  await writeFile(join(folder, 'people.csv'), 'email,name\nann@example.com,Ann\n');
  await writeFile(join(folder, 'suppressions.csv'), 'email,reason\ngone@example.com,bounce\n');
  await writeFile(
    join(folder, 'workspace.ndjson'),
    '{"object":"workspace_export","format":1,"environment":"live","sub_tenant_id":null}\n{"object":"workspace_export_end","counts":{}}\n',
  );
  const dump = await readFile(join(import.meta.dirname, '../account-imports/dumps/postal.sql'), 'utf8');
  await writeFile(join(folder, 'postal.sql.gz'), gzipSync(dump.replaceAll('fernhill', 'acme')));
  await writeFile(
    join(folder, 'mail.eml'),
    'From: news@customer.example\nTo: ann@example.com\nSubject: Order\n\nThank you.\n',
  );
  await writeFile(join(folder, 'kunden.csv'), 'Kontakt;Kunden-Nr.;Notiz\nann@example.com;7;x\n');
  await writeFile(
    join(folder, 'logo.svg'),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1"/></svg>',
  );
  await verifySender('customer.example');
  await mailkeel.organization.update({ postal_address: '1 Market Street, 28195 Bremen' });
  const { id } = await mailkeel.senders.create({ email: 'news@customer.example' });
  await mailkeel.senders.makeDefault(id);
  const theirs = { name: 'Customer', sending_domain: 'theirs.example', external_id: '4711' };
  const { dns_records: records } = await mailkeel.subTenants.create(theirs);
  publish(rig.dns, records);
  await mailkeel.subTenants.verify('external:4711');
});
afterAll(async () => {
  await rig.close();
  await sink.close();
  await rm(folder, { recursive: true, force: true });
});

async function verifySender(domain: string): Promise<void> {
  const { id, dns_records: records } = await mailkeel.senders.create({ domain });
  publish(rig.dns, records);
  await mailkeel.senders.verify(id);
}

/** Creates new objects for the ids of the samples. */
async function newIds(mailkeel: Mailkeel): Promise<Record<string, string>> {
  const { id: list } = await mailkeel.lists.create({ name: 'Customers' });
  await mailkeel.lists.addContacts(list, { email: 'ann@example.com', name: 'Ann' });
  const html = '<p>Dear {{name}}, ...</p>';
  const { id: template } = await mailkeel.templates.create({ name: `March ${list}`, subject: 'News', html });
  const campaign = await mailkeel.campaigns.create({
    name: 'March news',
    list_id: list,
    template_id: template,
    from: 'news@customer.example',
  });
  const message = await mailkeel.messages.create({
    from: 'news@customer.example',
    to: 'ann@example.com',
    subject: 'Hello',
    text: 'Hello',
  });
  const sender = await mailkeel.senders.create({ domain: `${list.slice(-20)}.example` });
  const { id: key } = await mailkeel.apiKeys.create({ name: 'Amazon SES', permission: 'send' });
  const ids = { cmp: campaign.id, msg: message.id, snd: sender.id, tnt: rig.tenantId, key };
  return { ...ids, lst: list, tpl: template };
}

async function readyToRun(code: string, client: Mailkeel, key: string): Promise<string> {
  const ids = await newIds(client);
  return code
    .replaceAll('svc_test_...', key)
    .replace(/\b(lst|tpl|cmp|msg|snd|tnt|key)_(?:\.\.\.|…)/g, (_, kind: string) => ids[kind] ?? '')
    .replaceAll('http://localhost:8080', rig.appliance.url);
}

it.skipIf(skipReason !== null).each(inShell)('$page runs in the shell', async ({ code }) => {
  const { keys, url } = rig.appliance;
  const key = code.includes('svc_test_') ? keys.test_key : keys.live_key;
  const client = new Mailkeel({ apiKey: key, baseUrl: url });
  const commands = (await readyToRun(code, client, key)).replace(/^curl /gm, 'curl --fail-with-body ');
  const limit = ENDLESS.test(code) ? ENOUGH_MS : 30_000;
  const env = {
    PATH: process.env['PATH'] ?? '',
    KEY: key,
    LIVE: key,
    URL: url,
    BASE: url,
  };
  const ended = run('sh', ['-ec', commands], { cwd: folder, env, timeout: limit });
  const refused = await ended.then(
    () => null,
    (error: unknown) => {
      const { killed, stdout, stderr } = error as { killed: boolean; stdout: string; stderr: string };
      return killed && ENDLESS.test(code) ? null : `${stdout}${stderr}`;
    },
  );
  expect(refused).toBeNull();
});

it.each(inTypeScript)('$page runs in TypeScript', async ({ code }) => {
  const statements = (await readyToRun(code, mailkeel, rig.appliance.keys.live_key)).replace(
    /^import .*;$|^const mailkeel = new Mailkeel\(.*\);$/gm,
    '',
  );
  const { code: script } = transformSync(`export default async (mailkeel) => {\n${statements}\n}`, {
    loader: 'ts',
  });
  const { default: sample } = (await import(`data:text/javascript,${encodeURIComponent(script)}`)) as {
    default: (client: Mailkeel) => Promise<void>;
  };
  const ended = sample(mailkeel);
  const isOpen = () => Promise.resolve(opened.some((url) => ENDLESS.test(url)));
  await (ENDLESS.test(code)
    ? Promise.race([ended, waitFor('the stream to be open', isOpen, Boolean)])
    : ended);
});

it('the samples sent their mail', async () => {
  await waitFor(
    'mail of the samples',
    () => Promise.resolve(sink.messages.map(({ raw }) => /^Subject: (.*)\r$/m.exec(raw.toString())?.[1])),
    (subjects) => ['Your receipt', 'Welcome', 'Hello Ann'].every((one) => subjects.includes(one)),
  );
});
