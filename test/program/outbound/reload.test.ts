// Tests reloading the files of outgoing mail while mail is sent: new rules apply immediately, broken ones change nothing, and no
// message is lost or duplicated.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import { isFullSize } from '../../support/run-size.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';

const A = { name: 'a', address4: '127.0.0.2', ehlo: 'a.mta.example' };
const B = { name: 'b', address4: '127.0.0.3', ehlo: 'b.mta.example' };

const ROUNDS = 4;
const A_ROUND = 25;

let sink: SmtpSink;
let dataDir: string;
let file: string;
let rig: MailRig;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mailkeel-reload-'));
  file = join(dataDir, 'mailkeel.json');
  sink = await startSmtpSink({ keep: true });
});
afterEach(async () => {
  await rig.close();
  await sink.close();
  await rm(dataDir, { recursive: true, force: true });
});

const write = (outbound: object, more: object = {}) => writeFile(file, JSON.stringify({ outbound, ...more }));

async function start(process: 'own' | 'shared'): Promise<void> {
  await write({ sources: [A] });
  rig = await startMailRig({
    process,
    mxPort: sink.port,
    dataDir,
    env: { MAILKEEL_CONFIG: file, MAILKEEL_LOG_LEVEL: 'info' },
  });
}

const reload = (body: object = {}) => rig.appliance.api('POST', '/v1/system/reload', { body });
const ehlos = () => sink.messages.map(({ ehlo }) => ehlo);

it('added sources are used, removed ones are not, and a dry run changes nothing', async () => {
  await start('shared');
  await rig.reached(await rig.send('before'), 'delivered');
  await write({ sources: [B] }, { bounce_domain: 'other.example' });

  const told = {
    changes: [
      { part: 'source', name: 'a', change: 'removed' },
      { part: 'source', name: 'b', change: 'added' },
      { part: 'pool', name: 'default', change: 'changed' },
    ],
    warnings: [],
    need_restart: ['MAILKEEL_BOUNCE_DOMAIN'],
  };
  expect((await reload({ dry_run: true })).json).toEqual({ object: 'reload', dry_run: true, ...told });
  await rig.reached(await rig.send('between'), 'delivered');
  expect((await reload()).json).toEqual({ object: 'reload', dry_run: false, ...told });
  await rig.reached(await rig.send('after'), 'delivered');
  expect(ehlos()).toEqual(['a.mta.example', 'a.mta.example', 'b.mta.example']);
  const sources = await rig.appliance.api('GET', '/v1/sources');
  expect(sources.json).toMatchObject({ data: [{ name: 'b' }] });
  expect((await reload()).json).toMatchObject({ changes: [] });
});

it('an invalid file changes nothing, and its errors are reported', async () => {
  await start('shared');
  await write({ sources: [A], pools: { default: ['nowhere'] }, routes: [{ via: [] }] });
  const refused = await reload();
  expect(refused.status).toBe(422);
  const { message } = (refused.json as { error: { message: string } }).error;
  expect(message).toContain('pools.default refers to an unknown source');
  expect(refused.text).toContain('routes[0].via must refer to a pool or a smarthost');
  await writeFile(file, '{ "outbound": ');
  expect((await reload({ dry_run: true })).status).toBe(422);
  await rig.reached(await rig.send('goes-on'), 'delivered');
  expect(ehlos()).toEqual(['a.mta.example']);
});

it.runIf(isFullSize)('repeated reloads under load deliver each message once', async () => {
  await start('shared');
  const ids: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await write({ sources: round % 2 === 0 ? [A, B] : [A] });
    const [answer] = await Promise.all([
      reload(),
      (async () => {
        for (let i = 0; i < A_ROUND; i++) ids.push(await rig.send(`m-${round}-${i}`));
      })(),
    ]);
    expect(answer.status, answer.text).toBe(200);
  }
  for (const id of ids) await rig.reached(id, 'delivered');
  const arrived = sink.messages.map(({ rcptTo }) => rcptTo[0]);
  expect(new Set(arrived).size).toBe(ROUNDS * A_ROUND);
  expect(arrived).toHaveLength(ROUNDS * A_ROUND);
});

it('a suspension and a pause survive a reload', async () => {
  await start('shared');
  const { api } = rig.appliance;
  await api('POST', '/v1/sources/a/suspend', { body: { reason: 'on a list' } });
  await write({ sources: [A, B] });
  await reload();
  await rig.reached(await rig.send('one'), 'delivered');
  expect(ehlos()).toEqual(['b.mta.example']);
});

it('SIGHUP reloads too, and logs errors while the server continues', async () => {
  await start('own');
  await rig.reached(await rig.send('before'), 'delivered');
  await writeFile(file, 'not json');
  rig.appliance.process().kill('SIGHUP');
  await waitFor(
    'the log',
    () => rig.appliance.output(),
    (text) => text.includes('reload failed'),
  );
  await write({ sources: [B] });
  rig.appliance.process().kill('SIGHUP');
  await waitFor(
    'the log',
    () => rig.appliance.output(),
    (text) => text.includes('outbound rules reloaded'),
  );
  await rig.reached(await rig.send('after'), 'delivered');
  expect(ehlos()).toEqual(['a.mta.example', 'b.mta.example']);
});
