// Tests editing the rule data in config/ while mail is sent: SIGHUP reloads it, the new rule applies to the next reply, a broken
// file changes nothing, and every message has one outcome.
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { sized } from '../../support/run-size.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';

const PACKAGE = fileURLToPath(new URL('../../..', import.meta.url));
/** Files of the copied package; the program must not find its root through links to the original. */
const COPIED = ['package.json', 'config', 'dist'];
const REPLY = '550 5.7.999 The porter has gone for lunch';

/** How many leave meanwhile, one after the other. */
const MAILS = sized({ small: 20, full: Infinity });

let root: string;
let rules: string;
let sink: SmtpSink;
let rig: MailRig;
let ending = (): Promise<void> => Promise.resolve();

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'mailkeel-package-'));
  for (const name of await readdir(PACKAGE)) {
    if (COPIED.includes(name)) await cp(join(PACKAGE, name), join(root, name), { recursive: true });
    else if (!name.startsWith('.')) await symlink(join(PACKAGE, name), join(root, name));
  }
  rules = join(root, 'config', 'bounce-rules.json');
  sink = await startSmtpSink({
    keep: true,
    onRcpt: (address) => (address.startsWith('lunch') ? REPLY : null),
  });
  rig = await startMailRig({ mxPort: sink.port, root, env: { MAILKEEL_LOG_LEVEL: 'info' } });
});
afterEach(async () => {
  await ending();
  await rig.close();
  await sink.close();
  await rm(root, { recursive: true, force: true });
});

const timesLogged = (text: string): number => rig.appliance.output().split(text).length - 1;

async function hangUp(says: string): Promise<void> {
  const before = timesLogged(says);
  rig.appliance.process().kill('SIGHUP');
  await waitFor(
    'the log',
    () => timesLogged(says),
    (times) => times > before,
  );
}

async function addRule(rule: object): Promise<void> {
  const known = JSON.parse(await readFile(rules, 'utf8')) as { first: object[] };
  await writeFile(rules, JSON.stringify({ ...known, first: [rule, ...known.first] }));
}

it('an added rule applies to the next reply, and an invalid file changes nothing', async () => {
  const sent: Promise<string>[] = [];
  let left = MAILS;
  const load = (async () => {
    for (; left > 0; left -= 1) {
      const mail = rig.send(`m-${sent.length}`);
      sent.push(mail);
      await mail;
    }
  })();

  ending = async () => {
    left = 0;
    await load;
  };
  const bounced = await rig.send('lunch-1');
  await rig.reached(bounced, 'bounced');

  await addRule({ code: '5', pattern: 'porter has gone', category: 'greylist', disposition: 'retry' });
  await hangUp('outbound rules reloaded');
  const waits = await rig.send('lunch-2');
  const put = await waitFor(
    'an attempt that was put off',
    () => rig.appliance.api('GET', `/v1/messages/${waits}/attempts`),
    ({ json }) => json.data?.length > 1,
  );
  expect(put.json.data[0]).toMatchObject({ outcome: 'deferred', category: 'greylist', code: 550 });

  const good = await readFile(rules, 'utf8');
  const withRule = (rule: object): string =>
    JSON.stringify({ ...(JSON.parse(good) as object), first: [rule] });
  const mistakes = [
    '{ "first": [',
    withRule({ pattern: 'lunch', category: 'nonsense' }),
    withRule({ pattern: '(', category: 'greylist' }),
  ];
  for (const broken of mistakes) {
    await writeFile(rules, broken);
    await hangUp('reload failed');
  }
  const refused = await rig.appliance.api('POST', '/v1/system/reload', { body: {} });
  expect([refused.status, refused.text]).toEqual([
    422,
    expect.stringContaining('Invalid pattern in config/: Invalid regular expression'),
  ]);
  const stillWaits = await rig.send('lunch-3');
  const old = await waitFor(
    'an attempt by the old rules',
    () => rig.appliance.api('GET', `/v1/messages/${stillWaits}/attempts`),
    ({ json }) => json.data?.length > 0,
  );
  expect(old.json.data[0]).toMatchObject({ outcome: 'deferred', category: 'greylist' });

  // After removing the rule, the reply is classified as before.
  await writeFile(rules, good.replace('porter has gone', 'porter is on holiday'));
  await hangUp('outbound rules reloaded');
  await rig.reached(waits, 'bounced');
  await rig.reached(stillWaits, 'bounced');

  await ending();
  const ids = await Promise.all(sent);
  for (const id of ids) await rig.reached(id, 'delivered');
  expect(sink.messages).toHaveLength(ids.length);
  expect(new Set(sink.messages.map(({ rcptTo }) => rcptTo[0])).size).toBe(ids.length);
}, 60_000);
