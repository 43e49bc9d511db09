// Tests two source addresses: mail is divided by weight, each source introduces itself with its own name, and failures of an
// address that this machine does not have are attributed only to the source.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { insightInto } from '../../support/insight.js';
import { events, startMailRig, type MailRig } from '../../support/mail-rig.js';
import { IS_ON_POSTGRES } from '../../support/postgres-databases.js';
import { startSmtpSink, type SmtpSink } from '../../support/smtp-sink.js';
import { waitFor } from '../../support/wait.js';

const A = { name: 'a', address4: '127.0.0.2', ehlo: 'a.mta.example' };
const B = { name: 'b', address4: '127.0.0.3', ehlo: 'b.mta.example' };
/** RFC 5737: not assigned to any machine. */
const AWAY = { name: 'away', address4: '192.0.2.77', ehlo: 'away.mta.example' };

let sink: SmtpSink;
let rig: MailRig;

beforeEach(async () => {
  sink = await startSmtpSink({ keep: true });
});
afterEach(async () => {
  await rig.close();
  await sink.close();
});

const start = async (outbound: object) => {
  rig = await startMailRig({
    process: 'shared',
    mxPort: sink.port,
    env: { MAILKEEL_OUTBOUND: JSON.stringify(outbound) },
  });
};

it('mail is sent from both by weight, each with its own name', async () => {
  await start({ sources: [A, B], pools: { default: ['a', { source: 'b', weight: 4 }] } });
  const ids: string[] = [];
  for (let number = 0; number < 60; number += 1) ids.push(await rig.send(`r${number}`));
  await waitFor(
    'all to arrive',
    () => sink.count(),
    (count) => count === 60,
  );
  const ways = sink.messages.map(({ from, ehlo }) => `${from} ${ehlo}`);
  expect([...new Set(ways)].sort()).toEqual(['127.0.0.2 a.mta.example', '127.0.0.3 b.mta.example']);
  const ofB = ways.filter((way) => way.startsWith('127.0.0.3')).length;
  // The expected value is 48; fewer than 31 occur about once in a million runs.
  expect(ofB).toBeGreaterThan(30);
  expect(ofB).toBeLessThan(60);
  const [id = ''] = ids;
  await rig.reached(id, 'delivered');
  const [attempt] = await insightInto(rig.appliance).attempts(id);
  const address = { a: '127.0.0.2', b: '127.0.0.3' }[attempt?.source ?? ''];
  expect(attempt?.local_address).toBe(address);
  expect(attempt?.conversation.opening?.join('\n')).toContain(`EHLO ${attempt?.source}.mta.example`);
});

it('a source with a missing address is suspended, and its mail uses the other one', async () => {
  await start({ sources: [AWAY, B], pools: { default: [{ source: 'away', weight: 1000 }, 'b'] } });
  const first = await rig.send('first');
  await rig.reached(first, 'delivered');
  const deferred = (await rig.trail(first)).filter(({ event }) => event === 'deferred');
  if (IS_ON_POSTGRES) {
    // A node knows its addresses before it connects.
    expect(deferred).toEqual([]);
    expect(sink.messages[0]?.from).toBe('127.0.0.3');
    return;
  }
  expect(deferred).toHaveLength(1);
  expect(deferred[0]?.metadata).toMatchObject({ source: 'away', category: 'network', phase: 'connect' });
  expect(String(deferred[0]?.metadata['reply'])).toContain('EADDRNOTAVAIL');

  const ids = await Promise.all(Array.from({ length: 10 }, (_, number) => rig.send(`r${number}`)));
  for (const id of ids) {
    await rig.reached(id, 'delivered');
    expect(events(await rig.trail(id))).not.toContain('deferred');
  }
  expect(new Set(sink.messages.map(({ from }) => from))).toEqual(new Set(['127.0.0.3']));
  const suspended = (await insightInto(rig.appliance).overrides()).map(({ path, kind, reason }) => ({
    path,
    kind,
    reason,
  }));
  expect(suspended).toEqual([
    { path: 'away > *', kind: 'suspend', reason: 'its address cannot be used on this machine' },
  ]);
});

it('mail on its way to such a source returns immediately', async () => {
  await start({ sources: [AWAY, B], pools: { default: [{ source: 'away', weight: 1000 }, 'b'] } });
  const ids = await Promise.all(Array.from({ length: 40 }, (_, number) => rig.send(`r${number}`)));
  // Well below the 15 s for which a congested destination pauses.
  for (const id of ids) await rig.reached(id, 'delivered', 8_000);
});

it('without another source the mail waits, and names the address', async () => {
  await start({ sources: [AWAY] });
  const id = await rig.send('anna');
  if (!IS_ON_POSTGRES) await rig.logged(id, 'deferred');
  const found = await insightInto(rig.appliance).explained(id, 'source_unreachable');
  expect(found.advice.map(({ code }) => code)).toContain('check_source_network');
  const here = await insightInto(rig.appliance).destination('receiver.example');
  expect(here?.reason?.text).toContain(
    IS_ON_POSTGRES ? 'No node has the IP address' : 'its address cannot be used',
  );
  const other = await rig.send('bert');
  await insightInto(rig.appliance).explained(other, 'source_unreachable');
  expect(events(await rig.trail(other))).toEqual(['queued']);
});
