// Tests that received mail is deleted after its retention period, except waiting and parked mail and the bytes of mail that
// became a message.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStore, type Store } from '../../src/app/store.js';
import { forgettingOf } from '../support/forgetting.js';
import { fixedClock, type FixedClock } from '../support/fixed-clock.js';
import { openMigratedFile, temporaryFolder, type OpenEngine } from '../support/open-engines.js';
import { spoolMail } from '../../src/inbound/spool.store.js';

const DAY = 86_400_000;
const KEEP = 30 * DAY;

let folder: ReturnType<typeof temporaryFolder>;
let opened: OpenEngine;
let store: Store;
let clock: FixedClock;

beforeEach(async () => {
  folder = temporaryFolder();
  opened = await openMigratedFile(join(folder.path, 'mail.db'));
  store = createStore(opened.engine, { maxGroup: 50 });
  clock = fixedClock();
});

afterEach(async () => {
  await store.drain();
  await opened.close();
  folder.remove();
});

/** Adds one mail for these recipients; each row gets the given state. */
async function cameIn(text: string, states: readonly ('waiting' | 'done' | 'failed')[]): Promise<void> {
  await store.commit([
    spoolMail({
      raw: Buffer.from(text),
      mails: states.map((state, index) => ({
        received_at: clock.now(),
        client: '{"address":"192.0.2.1","helo":"mx.example","tls":null}',
        mail_from: '',
        rcpt_to: `b-${index}@bounce.example`,
        kind: 'return_path' as const,
        target: 'msg_1',
        state,
        attempts: 1,
        due_at: clock.now(),
        outcome: state === 'waiting' ? null : 'bounced',
        detail: null,
      })),
    }),
  ]);
}

const count = async (table: string): Promise<unknown> =>
  (await opened.raw(`SELECT COUNT(*) AS count FROM ${table}`))[0]?.['count'];

const texts = async (): Promise<string[]> =>
  (await opened.raw('SELECT content FROM raws ORDER BY id')).map((row) =>
    Buffer.from(row['content'] as Uint8Array).toString(),
  );

it('deletes mail by age if nothing waits for it and no message has it', async () => {
  const forget = forgettingOf(store, 'old inbound mail', { inboundKeepMs: KEEP, clock: clock.now });
  await cameIn('through', ['done', 'done']);
  await cameIn('half through', ['done', 'waiting']);
  await cameIn('parked', ['failed']);
  await cameIn('a reply', ['done']);
  await opened.raw(
    "INSERT INTO contents (rfc_message_id, to_list, cc_list, headers, html, text, raw_id) SELECT '', '[]', '[]', '[]', NULL, NULL, id FROM raws WHERE CAST(content AS TEXT) = 'a reply'",
  );
  clock.advance(2 * DAY);
  await cameIn('younger', ['done']);
  clock.advance(KEEP - 2 * DAY);
  await forget();
  expect(await texts()).toEqual(['through', 'half through', 'parked', 'a reply', 'younger']);
  clock.advance(1);
  await forget();
  expect(await texts()).toEqual(['half through', 'parked', 'a reply', 'younger']);
  expect(await count('inbound_messages')).toBe(3);
  clock.advance(2 * DAY);
  await forget();
  expect(await texts()).toEqual(['half through', 'parked', 'a reply']);
  const [parked] = await store.inbound.latest(1, 'failed');
  expect(await store.inbound.deleteParked(parked?.id ?? 0)).toBe(true);
  expect(await texts()).toEqual(['half through', 'a reply']);
});

it('deletes large unrecognized mail earlier', async () => {
  const forget = forgettingOf(store, 'old inbound mail', { inboundKeepMs: KEEP, clock: clock.now });
  const large = 'x'.repeat(256 * 1024 + 1);
  for (const text of [large, 'small', 'large and recognized']) await cameIn(text, ['done']);
  await cameIn(`parked ${large}`, ['failed']);
  await opened.raw("UPDATE inbound_messages SET outcome = 'unrecognized' WHERE id <> 3");
  clock.advance(3 * DAY);
  await forget();
  expect(await texts()).toHaveLength(4);
  clock.advance(1);
  await forget();
  expect((await texts()).map((text) => text.slice(0, 20))).toEqual([
    'small',
    'large and recognized',
    `parked ${large}`.slice(0, 20),
  ]);
});

it('deletes all of it, in any amount', async () => {
  const forget = forgettingOf(store, 'old inbound mail', { inboundKeepMs: KEEP, clock: clock.now });
  const states = Array.from({ length: 100 }, () => 'done' as const);
  for (let index = 0; index < 7; index += 1) await cameIn(`mail ${index}`, states);
  clock.advance(KEEP + 1);
  await forget();
  expect(await count('inbound_messages')).toBe(0);
  expect(await count('raws')).toBe(0);
});
