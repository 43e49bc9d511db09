// Kills the server while it resends many messages: each is resent once and counted once.
import { expect, it } from 'vitest';
import { createAppliance, type Answer } from '../../support/appliance.js';
import { sized } from '../../support/run-size.js';
import { waitFor } from '../../support/wait.js';

const MESSAGES = sized({ small: 1_000, full: 2_000 });
const BATCH = 500;
const KILLS = sized({ small: 2, full: 3 });

it('every message is resent once', async () => {
  const appliance = await createAppliance({
    env: { MAILKEEL_RATE_LIMIT_LIVE: '0', MAILKEEL_RATE_LIMIT_TEST: '0', MAILKEEL_LOG_LEVEL: 'warn' },
  });
  try {
    await appliance.start();
    const key = appliance.keys.test_key;
    for (let first = 0; first < MESSAGES; first += BATCH) {
      const messages = Array.from({ length: BATCH }, (_, i) => ({
        ...{ from: 'me@example.com', to: `delivered+${first + i}@example.com` },
        ...{ subject: `Number ${first + i}`, text: 'Hello', tags: ['again'] },
      }));
      const { status } = await appliance.api('POST', '/v1/messages/batch', { key, body: { messages } });
      expect(status).toBe(202);
    }
    const ask = async (method: string, url: string, body?: unknown): Promise<Answer['json']> =>
      (await appliance.api(method, url, { key, ...(body === undefined ? {} : { body }) })).json;
    const made = await ask('POST', '/v1/bulk-actions/messages', {
      action: 'resend',
      filter: { tag: ['again'] },
    });
    const path = `/v1/bulk-actions/${made.id}`;
    const reached = (
      isReached: (one: Record<string, unknown>) => boolean,
    ): Promise<Record<string, unknown>> =>
      waitFor('the bulk action', () => ask('GET', path), isReached, 60_000);
    const killedAt: number[] = [];
    for (let kill = 1; kill <= KILLS; kill++) {
      const enough = (MESSAGES * kill) / (KILLS + 2);
      const seen = await reached((one) => Number(one['processed']) >= enough);
      killedAt.push(Number(seen['processed']));
      await appliance.end('SIGKILL');
      await (kill === KILLS ? appliance.startHere() : appliance.start());
    }
    const done = await reached((one) => one['finished_at'] !== null);
    console.info(`killed when ${killedAt.join(', ')} of ${MESSAGES} messages were done`);
    expect(killedAt.at(-1)).toBeLessThan(MESSAGES);
    expect(done).toMatchObject({ status: 'completed', total: MESSAGES, processed: MESSAGES, failed: 0 });
    const copies = new Map<string, number>();
    for (let cursor: string | null = ''; cursor !== null;) {
      const page = await ask('GET', `/v1/messages?tag=again&limit=100${cursor}`);
      const { data, next_cursor: next } = page as { data: { subject: string }[]; next_cursor: string | null };
      for (const { subject } of data) copies.set(subject, (copies.get(subject) ?? 0) + 1);
      cursor = next === null ? null : `&cursor=${next}`;
    }
    expect(copies.size).toBe(MESSAGES);
    expect([...copies].filter(([, count]) => count !== 2)).toEqual([]);
  } finally {
    await appliance.close();
  }
}, 120_000);
