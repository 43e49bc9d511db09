// Tests clients that send almost nothing for as long as possible: each gets 421 after its time limit, and others are served
// meanwhile.
import { setInterval as every } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MAILBOX } from '../../support/incoming-mail.js';
import { startMailRig, type MailRig } from '../../support/mail-rig.js';
import type { RawClient } from '../../support/raw-client.js';
import { tuned } from '../../support/tuning.js';

const DRIPPERS = 20;

let rig: MailRig;

beforeAll(async () => {
  rig = await startMailRig({
    process: 'shared',
    env: {
      ...tuned({ inboundIdleTimeoutMs: 1500, inboundDataLimitMs: 2000, inboundSessionLimitMs: 4000 }),
    },
  });
});

afterAll(() => rig.close());

/** Sends a byte at intervals until the program ends the session; returns its reply. */
async function drip(client: RawClient, octet: string): Promise<string> {
  const stop = new AbortController();
  const dripping = (async () => {
    for await (const again of every(100, octet, { signal: stop.signal })) client.write(again);
  })().catch(() => undefined);
  const replies = await client.rest();
  stop.abort();
  await dripping;
  return replies.at(-1) ?? '';
}

it('ends silent, slow commands and slow messages', async () => {
  const silent = await rig.client();
  const inCommand = await rig.client();
  const inData: RawClient[] = [];
  for (let index = 0; index < DRIPPERS; index += 1) {
    const client = await rig.client();
    await client.say('MAIL FROM:<bob@receiver.example>', `RCPT TO:<${MAILBOX}>`, 'DATA');
    inData.push(client);
  }
  const ends = Promise.all([
    silent.rest().then((replies) => replies.at(-1)),
    drip(inCommand, 'N'),
    ...inData.map((client) => drip(client, 'x')),
  ]);
  expect(await rig.ask('in between')).toBe(250);
  for (const end of await ends) expect(end).toMatch(/^421 4\.4\.2 /);
  expect(await rig.subjects(1)).toEqual(['in between']);
});
