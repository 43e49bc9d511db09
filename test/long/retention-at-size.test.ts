// Measures retention at a hundred thousand messages: its duration, the effect on simultaneous writes, and that the file shrinks.
// Prints figures; RETENTION_MESSAGES makes it smaller.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/database/engine/sqlite.js';
import { CONSUMER_NAMES } from '../../src/events/consumers.store.js';
import { migrate } from '../../src/database/migrations/migrate.js';
import type { Scope } from '../../src/database/scope.js';
import { createStore, type Store } from '../../src/app/store.js';
import { checkChains } from '../../src/events/chain-check.store.js';
import { shrinkDatabaseFile } from '../../src/operations/retention/database-file.js';
import { forgetOldMessages } from '../../src/operations/retention/old-messages.js';
import { forgettingOf } from '../support/forgetting.js';
import { eventOf, newMessage, newWorld, NOW } from '../database/contract/builders.js';
import { openSqliteFile, temporaryFolder, type OpenEngine } from '../support/open-engines.js';
import type { Change } from '../../src/database/change.js';
import { acceptMessage } from '../../src/messages/accept/accept.store.js';
import { recordAttempt } from '../../src/messages/message-changes.store.js';

const MESSAGES = Number(process.env['RETENTION_MESSAGES'] ?? 100_000);
const YOUNG = MESSAGES / 20;
const HTML = `<p>${'Dear customer, your parcel is on its way. '.repeat(100)}</p>`;
const DAY = 86_400_000;
const MIB = 1024 ** 2;
const clock = () => NOW + 40 * DAY;

describe.each(['redact', 'delete'] as const)('a server that is configured to %s', (mode) => {
  let folder: ReturnType<typeof temporaryFolder>;
  let file: string;
  let store: Store;
  let opened: OpenEngine;
  let scope: Scope;

  beforeAll(async () => {
    folder = temporaryFolder();
    file = join(folder.path, 'mail.db');
    const engine = openSqlite({ file, busyTimeoutMs: 60_000 });
    await migrate(engine);
    store = createStore(engine, { maxGroup: 200 });
    scope = (await newWorld(store)).live;
    opened = openSqliteFile(file);
    await send(MESSAGES, NOW);
    await send(YOUNG, NOW + 39 * DAY);
    const { workspaceNumber } = scope;
    for (const name of CONSUMER_NAMES) {
      await opened.raw('INSERT INTO consumers SELECT ?, workspace_number, head_seq FROM chains', [name]);
    }
    await opened.raw('UPDATE chains SET fanned_out_seq = head_seq WHERE workspace_number = ?', [
      workspaceNumber,
    ]);
  }, 600_000);

  afterAll(async () => {
    await store.close();
    await opened.close();
    folder.remove();
  });

  function delivered(at: number): Change[] {
    const message = newMessage(scope, {
      queued: false,
      text: 'Your parcel is on its way.',
      tags: ['parcel'],
    });
    const { public_id: id } = message.row;
    const words = { metadata: { reply: '250 2.0.0 Ok: queued as 4bXyz', host: 'mx.example.com' } };
    const events = (['sending', 'sent', 'delivered'] as const).map((event) =>
      eventOf(scope, id, event, words),
    );
    const content = {
      ...message.content,
      row: { ...('row' in message.content ? message.content.row : {}), html: HTML },
    };
    const row = { ...message.row, status: 'delivered', created_at: at, updated_at: at } as const;
    const accept = { ...message, row, content, events: [...message.events, ...events] };
    return [acceptMessage({ message: accept as typeof message })];
  }

  async function send(count: number, at: number): Promise<void> {
    for (let done = 0; done < count; done += 200) {
      const plans = Array.from({ length: Math.min(200, count - done) }, () => delivered(at));
      const made = await Promise.all(plans.map((plan) => store.commit(plan)));
      await store.commit(
        made.map(({ messageIds: [messageId = 0] }) =>
          recordAttempt({
            ...{ messageId, number: 1, at, sessionId: null, detail: '{"code":250}' },
            conversation:
              '> MAIL FROM:<a@b>\n< 250 Ok\n> RCPT TO:<c@d>\n< 250 Ok\n> DATA\n< 354 Go on\n< 250 Ok',
          }),
        ),
      );
    }
  }

  /** Measures how long other commits wait during `work`, in ms. */
  async function felt<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number; waits: string }> {
    const waits: number[] = [];
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        const startedAt = performance.now();
        await store.commit(delivered(clock()));
        waits.push(performance.now() - startedAt);
        await pause(10);
      }
    })();
    const startedAt = performance.now();
    const result = await work();
    const seconds = (performance.now() - startedAt) / 1000;
    isOver = true;
    await others;
    waits.sort((a, b) => a - b);
    const at = (share: number): string => (waits[Math.floor(waits.length * share)] ?? 0).toFixed(1);
    return {
      result,
      seconds,
      waits: `p50 ${at(0.5)} p99 ${at(0.99)} max ${(waits.at(-1) ?? 0).toFixed(1)} ms`,
    };
  }

  const sizeMib = (): string => (statSync(file).size / MIB).toFixed(0);

  it('does so while others work, and frees the space', async () => {
    const stop = new AbortController();
    const before = sizeMib();
    const alone = await felt(() => pause(2_000));
    console.log(`${mode}: ${before} MiB; commits of others alone: ${alone.waits}`);
    const settings = { retentionDays: 30, retentionMode: mode, unsubscribeKeepMs: 0 };
    const context = { store, clock, config: settings };
    const forgotten = await felt(() => forgetOldMessages(context, stop.signal));
    console.log(
      `  ${forgotten.result} messages in ${forgotten.seconds.toFixed(1)} s; others ${forgotten.waits}`,
    );
    expect(forgotten.result).toBe(MESSAGES);
    const records = forgettingOf(store, 'old records', {
      ...{ attemptKeepMs: 30 * DAY, limiterKeepMs: 60 * DAY },
      clock,
    });
    expect(await records()).toBe(0);
    const given = await felt(() => shrinkDatabaseFile({ store, clock: () => Date.now() }));
    console.log(
      `  ${(given.result / MIB).toFixed(0)} MiB back in ${given.seconds.toFixed(1)} s; others ${given.waits}`,
    );
    const again = await felt(() => forgetOldMessages(context));
    console.log(`  ${sizeMib()} MiB; a run with nothing to do: ${(again.seconds * 1000).toFixed(0)} ms`);
    expect(Number(sizeMib())).toBeLessThan(Number(before) * 0.6);
    for (const report of await checkChains(store, 5_000)) expect(report.broken).toBeNull();
    const [row] = await opened.raw('SELECT COUNT(*) AS n FROM messages WHERE redacted_at IS NULL');
    expect(Number(row?.['n'])).toBeGreaterThan(YOUNG);
  });
});
