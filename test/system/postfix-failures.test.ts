// Tests failures of a real Postfix: it defers, refuses, is down, loses its reply, and Mailkeel is killed.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startCuttingProxy } from '../support/cutting-proxy.js';
import { events, startMailRig, type MailRig } from '../support/mail-rig.js';
import { ensurePostfix, startPostfix, type Postfix } from '../support/postfix.js';
import { sized } from '../support/run-size.js';
import { waitFor } from '../support/wait.js';

const skipReason = ensurePostfix();
if (skipReason !== null) console.warn(`skipped: failures before Postfix: ${skipReason}`);

const MESSAGES = sized({ small: 150, full: 500 });
const BATCH = 50;

describe.skipIf(skipReason !== null)('with a real Postfix', () => {
  let postfix: Postfix;
  let rig: MailRig;

  beforeAll(async () => {
    postfix = await startPostfix();
  });
  afterEach(async () => {
    postfix.onRcpt(() => null);
    await rig.close();
  });
  afterAll(() => postfix.close());

  /** How many copies the mailbox has, by the X-Number field. */
  async function copies(): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (const message of await postfix.mailbox()) {
      const number = /^X-Number: (.*)$/m.exec(message.toString('latin1'))?.[1] ?? '';
      found.set(number, (found.get(number) ?? 0) + 1);
    }
    return found;
  }

  const arrived = (number: string, count = 1) =>
    waitFor(`${count} of ${number} in the mailbox`, copies, (found) => (found.get(number) ?? 0) >= count);

  it('a 451 defers the message, which is then delivered once', async () => {
    rig = await startMailRig({ process: 'shared', mxPort: postfix.port });
    let asked = 0;
    postfix.onRcpt(() => (++asked <= 2 ? '451 4.7.1 Greylisted, come back later' : null));
    const id = await rig.send('anna', { headers: { 'X-Number': 'later' } });
    await rig.reached(id, 'delivered');
    const trail = events(await rig.trail(id));
    expect(trail).toEqual(['queued', 'sending', 'sent', 'deferred', 'deferred', 'delivered']);
    expect((await arrived('later')).get('later')).toBe(1);
  });

  it('a 550 bounces and suppresses, without another attempt', async () => {
    rig = await startMailRig({ process: 'shared', mxPort: postfix.port });
    let asked = 0;
    postfix.onRcpt((address) => {
      asked += 1;
      return address.startsWith('gone@') ? '550 5.1.1 No such user here' : null;
    });
    const id = await rig.send('gone');
    const message = await rig.reached(id, 'bounced');
    expect(message['error']).toMatchObject({
      type: 'hard',
      category: 'invalid_recipient',
      code: 550,
      enhanced_code: '5.1.1',
    });
    await rig.reached(await rig.send('gone'), 'suppressed');
    expect(asked).toBe(1);
  });

  it('mail waits while it is down, and arrives once', async () => {
    rig = await startMailRig({ process: 'shared', mxPort: postfix.port });
    postfix.halt();
    const id = await rig.send('anna', { headers: { 'X-Number': 'down' } });
    await rig.logged(id, 'deferred', 2);
    await postfix.start();
    await rig.reached(id, 'delivered');
    expect((await arrived('down')).get('down')).toBe(1);
  });

  it('a lost reply to the final dot flags the message, with two copies of it', async () => {
    const proxy = await startCuttingProxy(postfix.port);
    try {
      rig = await startMailRig({ process: 'shared', mxPort: proxy.port });
      proxy.cutNext(1);
      const id = await rig.send('anna', { headers: { 'X-Number': 'cut' } });
      await rig.reached(id, 'delivered');
      const trail = await rig.trail(id);
      expect(events(trail)).toEqual(['queued', 'sending', 'sent', 'deferred', 'delivered']);
      expect(trail[3]?.metadata).toMatchObject({ ambiguous: true });
      expect(proxy.cut()).toBe(1);
      expect((await arrived('cut', 2)).get('cut')).toBe(2);
      const ids = (await postfix.mailbox())
        .map((message) => message.toString('latin1'))
        .filter((message) => message.includes('\nX-Number: cut\n'))
        .map((message) => /^Message-ID: (.*)$/im.exec(message)?.[1]);
      expect(new Set(ids).size).toBe(1);
    } finally {
      await proxy.close();
    }
  });

  it('a kill during many messages loses none, and only flagged ones arrive twice', async () => {
    rig = await startMailRig({ mxPort: postfix.port });
    const ids = new Map<string, string>();
    for (let from = 0; from < MESSAGES; from += BATCH) {
      const numbers = Array.from({ length: BATCH }, (_, index) => `n${from + index}`);
      await Promise.all(
        numbers.map(async (number) => {
          ids.set(number, await rig.send(number, { headers: { 'X-Number': number } }));
        }),
      );
    }
    const ours = async () => [...(await copies())].filter(([number]) => ids.has(number));
    const early = await waitFor('some mail to arrive', ours, (found) => found.length > 0, 60_000);
    await rig.appliance.end('SIGKILL');
    await rig.appliance.startHere();
    const all = await waitFor('all mail to arrive', ours, (found) => found.length === MESSAGES, 90_000);
    for (const id of ids.values()) await rig.reached(id, 'delivered');

    const doubles = (await ours()).filter(([, count]) => count > 1);
    const unflagged: string[] = [];
    for (const [number] of doubles) {
      const trail = await rig.trail(ids.get(number) ?? '');
      if (!trail.some(({ metadata }) => metadata['ambiguous'] === true)) unflagged.push(number);
    }
    console.info(
      `killed with ${early.length} of ${MESSAGES} in Postfix's mailbox: ${MESSAGES - all.length} lost, ` +
        `${doubles.length} arrived twice, ${unflagged.length} of them without a flag`,
    );
    expect(unflagged).toEqual([]);
  });
});
