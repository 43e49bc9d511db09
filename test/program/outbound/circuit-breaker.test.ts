// Tests that an unreachable destination is retried in longer and longer intervals, even over a restart, while other mail is sent.
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { ENDING, isFullSize } from '../../support/run-size.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';
import { tuned } from '../../support/tuning.js';

let sink: SmtpSink;
let rig: MailRig;
let dead: Server;
let knocks: number;
let isMended: boolean;

beforeEach(async () => {
  knocks = 0;
  isMended = false;
  sink = await startSmtpSink({ keep: true });
  // A host on another address with the same port that closes every connection without a word, until it is repaired.
  dead = createServer((socket: Socket) => {
    knocks += 1;
    socket.on('error', () => socket.destroy());
    if (isMended) greet(socket);
    else socket.resetAndDestroy();
  });
  await new Promise<void>((resolve) => dead.listen(sink.port, '127.0.1.1', resolve));
});
afterEach(async () => {
  await rig.close();
  await sink.close();
  await new Promise((resolve) => dead.close(resolve));
});

/** The minimal server that accepts a message. */
function greet(socket: Socket): void {
  let isBody = false;
  socket.write('220 dead.example\r\n');
  socket.on('data', (bytes) => {
    for (const line of bytes.toString('latin1').split('\r\n').slice(0, -1)) {
      if (isBody && line !== '.') continue;
      socket.write(line === 'DATA' ? '354 go\r\n' : '250 2.0.0 ok\r\n');
      isBody = line === 'DATA';
    }
  });
}

async function start(env: Record<string, string>, process: 'own' | 'shared' = 'shared'): Promise<void> {
  rig = await startMailRig({ process, mxPort: sink.port, env });
  rig.dns.set('dead.example', 'MX', [{ preference: 10, exchange: 'mx.dead.example' }]);
  rig.dns.set('mx.dead.example', 'A', ['127.0.1.1']);
}

it('the destination gets few attempts, its mail keeps its retry steps, and other mail is sent', async () => {
  await start({ ...tuned({ breakerPausesMs: [3_600_000] }), MAILKEEL_RETRY_SCHEDULE: '50ms,50ms,50ms…' });
  const first = await rig.send('ann0@dead.example');
  await rig.logged(first, 'deferred');
  const before = knocks;
  expect(before).toBeLessThanOrEqual(2);
  const insight = insightInto(rig.appliance);
  // Later, among a hundred untried messages, the tried one is not chosen.
  expect(await insight.destination('dead.example')).toMatchObject({ depth: 1, last_reply: { code: null } });
  const ids: string[] = [];
  for (let number = 1; number <= 100; number += 1) ids.push(await rig.send(`ann${number}@dead.example`));
  const others = await Promise.all(Array.from({ length: 20 }, (_, number) => rig.send(`r${number}`)));
  for (const id of others) await rig.reached(id, 'delivered');
  expect(knocks).toBe(before);
  for (const id of ids.slice(0, 5)) expect(events(await rig.trail(id))).toEqual(['queued']);
  expect(events(await rig.trail(first)).filter((event) => event === 'deferred')).toHaveLength(1);

  const found = await insight.explain(ids[0] ?? '');
  expect(found).toMatchObject({ code: 'circuit_open', next: { at: expect.any(String) as string } });
  expect(await insight.destination('dead.example')).toMatchObject({
    depth: 101,
    state: 'suspended',
    reason: { code: 'circuit_open', until: expect.any(String) as string },
  });
  expect(await insight.overrides()).toMatchObject([{ rule: 'circuit breaker', kind: 'suspend' }]);
});

it('a restart keeps the breaker open, and lifting it lets one message probe and the rest follow', async () => {
  const env = { ...tuned({ breakerPausesMs: [3_600_000] }), MAILKEEL_RETRY_SCHEDULE: '50ms,50ms,50ms…' };
  await start(env, ENDING.process);
  const ids = [await rig.send('ann@dead.example')];
  await rig.logged(ids[0] ?? '', 'deferred');
  const before = knocks;
  await rig.appliance.end(ENDING.signal);
  await rig.appliance.startHere();
  for (let number = 0; number < 10; number += 1) ids.push(await rig.send(`bob${number}@dead.example`));
  await rig.reached(await rig.send('anna'), 'delivered');
  // A manual retry attempts delivery only once, and the limit still applies to the rest.
  await insightInto(rig.appliance).explained(ids[1] ?? '', 'circuit_open');
  expect(knocks).toBe(before);

  isMended = true;
  const [limit] = await insightInto(rig.appliance).overrides();
  const lifted = await rig.appliance.api('DELETE', `/v1/queue/overrides/${limit?.id}`);
  expect(lifted.status).toBe(200);
  for (const id of ids) await rig.reached(id, 'delivered');
  expect(await insightInto(rig.appliance).overrides()).toEqual([]);
});

it.runIf(isFullSize)('after the pause one message probes, and its delivery releases the others', async () => {
  await start({ ...tuned({ breakerPausesMs: [1500] }), MAILKEEL_RETRY_SCHEDULE: '50ms,50ms,50ms…' });
  const ids: string[] = [];
  ids.push(await rig.send('ann@dead.example'));
  await rig.logged(ids[0] ?? '', 'deferred');
  for (let number = 0; number < 30; number += 1) ids.push(await rig.send(`bob${number}@dead.example`));
  const before = knocks;
  await waitFor(
    'a probe',
    () => knocks,
    (count) => count > before,
  );
  // One probe, one connection.
  expect(knocks).toBe(before + 1);
  isMended = true;
  for (const id of ids) await rig.reached(id, 'delivered');
});
