// Measures inbound mail: bounces and replies to messages that were sent before, and mail that a sender submits to the relay.
import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { replyAddress } from '../../src/messages/mail-tokens.rules.js';
import type { TokenKey } from '../../src/lib/tokens/index.js';
import { returnPathLocal } from '../../src/messages/verp.rules.js';
import { openKeyFiles } from '../../src/lib/secrets/index.js';
import type { Appliance } from './appliance.js';
import type { LoadResult, ReturnJob } from './load.js';
import type { Figures } from './print.js';
import { memoryOf, resetPeak } from './proc.js';
import { arrived, startMeter, withAppliance, type World } from './world.js';

const SEND_CONNECTIONS = 20;
const WARM_UP = 500;
const POLL_MS = 50;
const WAIT_MS = 240_000;
/** Tokens are valid for the domain that they were created for, which is the program's own. */
const OUR_DOMAIN = 'mta.bench.test';

interface Progress {
  waiting: number;
  outcomes: Record<string, number>;
}

/** Reads the rows of inbound mail while the program runs. */
function watchRows(file: string) {
  const database = new Database(file, { readonly: true, timeout: WAIT_MS });
  const count = database.prepare<[], { outcome: string | null; count: number }>(
    'SELECT outcome, COUNT(*) AS count FROM inbound_messages GROUP BY outcome',
  );
  const waiting = database.prepare<[], { count: number }>(
    "SELECT COUNT(*) AS count FROM inbound_messages WHERE state = 'waiting'",
  );
  return {
    progress(): Progress {
      const outcomes: Record<string, number> = {};
      for (const row of count.all()) if (row.outcome !== null) outcomes[row.outcome] = row.count;
      return { waiting: waiting.get()?.count ?? 0, outcomes };
    },
    waiting: () => waiting.get()?.count ?? 0,
    ids: (first: number, limit: number) =>
      database
        .prepare<[number, number], { public_id: string }>(
          "SELECT public_id FROM messages WHERE status <> 'received' ORDER BY id LIMIT ? OFFSET ?",
        )
        .all(limit, first)
        .map((row) => row.public_id),
    close: () => void database.close(),
  };
}

type Rows = ReturnType<typeof watchRows>;

async function untilThrough(rows: Rows): Promise<number> {
  const deadline = Date.now() + WAIT_MS;
  while (rows.waiting() > 0) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${JSON.stringify(rows.progress())}`);
    await delay(POLL_MS);
  }
  return performance.timeOrigin + performance.now();
}

function addressesOf(ids: readonly string[], key: TokenKey): ReturnJob['addresses'] {
  return ids.map((messageId) => ({
    bounce: `${returnPathLocal({ messageId, domain: OUR_DOMAIN, key })}@${OUR_DOMAIN}`,
    reply: replyAddress({ messageId, domain: OUR_DOMAIN, key }),
  }));
}

/** Sends half bounces, half replies, all to signed addresses. They are processed as they arrive. */
export async function inbound(world: World, messages: number, connections: number): Promise<Figures> {
  const env = { MAILKEEL_INBOUND_MESSAGE_RATE: '0' };
  return withAppliance(world, env, async (appliance) => {
    const total = WARM_UP + messages;
    await world.post({
      ...{ port: appliance.port, key: appliance.key, connections: SEND_CONNECTIONS },
      ...{ first: 0, count: total },
    });
    await arrived(world, total);
    const { tokenKeys } = await openKeyFiles(appliance.dataDir, { databaseExists: true });
    const rows = watchRows(appliance.databaseFile);
    try {
      const addresses = addressesOf(rows.ids(0, total), tokenKeys.active);
      const send = (first: number, count: number): Promise<LoadResult> =>
        world.load.ask('comeBack', {
          ...{ port: appliance.mailPort('Inbound'), key: '', connections, first, count },
          addresses: addresses.slice(first, first + count),
        } satisfies ReturnJob) as Promise<LoadResult>;
      await send(0, WARM_UP);
      await untilThrough(rows);
      resetPeak(appliance.pid);
      const meter = startMeter(world, appliance);
      const taken = await send(WARM_UP, messages);
      const backlog = rows.waiting();
      const takingCpu = meter.program();
      const endedAt = await untilThrough(rows);
      const cpu = meter.program();
      assertUnderstood(rows.progress(), total);
      return {
        'taken durably per second': taken.perSecond,
        'answer to the final dot p50 ms': taken.p50Ms,
        'answer to the final dot p99 ms': taken.p99Ms,
        'left to work on when the last was taken': backlog,
        'worked on per second while they came': perSecond(
          messages - backlog,
          taken.endedAt - taken.startedAt,
        ),
        'worked on per second after that':
          backlog === 0 ? Infinity : perSecond(backlog, endedAt - taken.endedAt),
        'worked on per second, first to last': perSecond(messages, endedAt - taken.startedAt),
        'CPU-s per 1,000 until the last was taken': per1000(takingCpu, messages),
        'CPU-s per 1,000 in all, the program': per1000(cpu, messages),
        'CPU-s per 1,000, the generator': per1000(meter.load(), messages),
        'peak resident MB': memoryOf(appliance.pid).peakMb,
      };
    } finally {
      rows.close();
    }
  });
}

function assertUnderstood({ outcomes }: Progress, total: number): void {
  const { bounced = 0, reply = 0 } = outcomes;
  if (bounced !== total / 2 || reply !== total / 2) {
    throw new Error(`${total} mails came in: ${JSON.stringify(outcomes)}`);
  }
}

/** Submits mail with a key at the TLS port, while it is delivered. */
export async function relay(world: World, messages: number, connections: number): Promise<Figures> {
  return withAppliance(world, {}, async (appliance: Appliance) => {
    const send = (first: number, count: number): Promise<LoadResult> =>
      world.load.ask('submit', {
        ...{ port: appliance.mailPort('Relay, TLS'), key: appliance.key, connections, first, count },
      }) as Promise<LoadResult>;
    await send(0, WARM_UP);
    await arrived(world, WARM_UP);
    await world.sink.ask('reset');
    resetPeak(appliance.pid);
    const meter = startMeter(world, appliance);
    const taken = await send(WARM_UP, messages);
    const { lastAt } = await arrived(world, messages);
    return {
      'taken durably per second while it delivers': taken.perSecond,
      'answer to the final dot p50 ms': taken.p50Ms,
      'answer to the final dot p99 ms': taken.p99Ms,
      'delivered per second, first MAIL to last message': perSecond(messages, lastAt - taken.startedAt),
      'CPU-s per 1,000, the program': per1000(meter.program(), messages),
      'CPU-s per 1,000, the generator': per1000(meter.load(), messages),
      'peak resident MB': memoryOf(appliance.pid).peakMb,
    };
  });
}

function perSecond(count: number, elapsedMs: number): number {
  return (count / elapsedMs) * 1_000;
}

function per1000(cpu: number, messages: number): number {
  return (cpu / messages) * 1_000;
}
