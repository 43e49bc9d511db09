// Measures a campaign from its list to its messages: speed, memory, and the effect on others.
import { setTimeout as pause } from 'node:timers/promises';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import type { Appliance } from './appliance.js';
import { addList, watch } from './audience.js';
import { HTML, SENDER_DOMAIN, TEXT } from './mail.js';
import { say, type Figures } from './print.js';
import { cpuSeconds, memoryOf, resetPeak } from './proc.js';
import { arrived, assertReceived, withAppliance, type World } from './world.js';

const WARM_UP = 1_000;
const READ_EVERY_MS = 20;
const POST_EVERY_MS = 50;
const POLL_MS = 100;
const WAIT_MS = 900_000;
/** Parts of the fan-out. The memory at the end of each is printed. */
const PARTS = 5;

const HEAD =
  '<p>Dear {{first_name}} of {{city}}, <a href="https://shop.example/{{city}}">see what is new</a>.</p>\n';
const FOOT = '<p>You get this as {{email}}. <a href="{{unsubscribe_url}}">Leave</a></p>\n';
const TEMPLATE_HTML = `<html><body>${HEAD}${HTML}${FOOT}</body></html>`;
const TEMPLATE_TEXT = `Dear {{first_name}} of {{city}},\n${TEXT}\nLeave: {{unsubscribe_url}}\n`;

interface Progress {
  total: number;
  created: number;
  started_at: number | null;
  frozen_at: number | null;
  fanned_out_at: number | null;
}

/** The sink is frozen, so that the fan-out is measured alone. Then it is thawed, and the copies are delivered. */
export async function campaign(world: World): Promise<Figures> {
  const figures: Figures = {};
  for (const [label, text] of [
    ['html, its text derived', null],
    ['html and text', TEMPLATE_TEXT],
  ] as const) {
    await withAppliance(world, {}, async (appliance) => {
      await appliance.api('PATCH', '/v1/organization', { postal_address: 'Bench Ltd, 1 Test Street' });
      const template = await appliance.api('POST', '/v1/templates', {
        ...{ name: 'News', subject: 'News for {{first_name}}', html: TEMPLATE_HTML },
        ...(text === null ? {} : { text }),
      });
      const send = async (name: string, first: number, count: number): Promise<string> => {
        const list_id = await addList(appliance, { name, count, first });
        const made = await appliance.api('POST', '/v1/campaigns', {
          ...{ name, list_id, template_id: template['id'], from: `Shop <orders@${SENDER_DOMAIN}>` },
          ...{ track_opens: false, track_clicks: false },
        });
        await appliance.api('POST', `/v1/campaigns/${String(made['id'])}/send`, {});
        return String(made['id']);
      };
      await send('Before', world.messages, WARM_UP);
      await arrived(world, WARM_UP);
      await world.sink.ask('reset');
      world.sink.freeze();
      Object.assign(figures, await fanOut(world, appliance, label, () => send('All', 0, world.messages)));
      world.sink.thaw();
      const { firstAt, lastAt } = await arrived(world, world.messages);
      figures[`delivered per second afterwards, ${label}`] = (world.messages / (lastAt - firstAt)) * 1_000;
      await assertReceived(world, appliance, { messages: world.messages, signatures: 1 });
    });
  }
  return figures;
}

async function fanOut(
  world: World,
  appliance: Appliance,
  label: string,
  send: () => Promise<string>,
): Promise<Figures> {
  const id = await send();
  const { pid } = appliance;
  resetPeak(pid);
  const cpu = cpuSeconds(pid);
  const reads = watch(`GET /v1/messages?limit=1 meanwhile, ${label}`, READ_EVERY_MS, () =>
    appliance.api('GET', '/v1/messages?limit=1'),
  );
  const posts = watch(`POST /v1/messages meanwhile, ${label}`, POST_EVERY_MS, (turn) =>
    appliance.api('POST', '/v1/messages', {
      ...{ to: `someone${turn}@d01.bench.test`, from: `orders@${SENDER_DOMAIN}`, subject: 'Hi' },
      ...{ html: HTML, text: TEXT },
    }),
  );
  const database = new Database(appliance.databaseFile, { readonly: true });
  const memory: number[] = [];
  try {
    const find = database.prepare<[string], Progress>(
      'SELECT total, created, started_at, frozen_at, fanned_out_at FROM campaigns WHERE id = ?',
    );
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      const now = find.get(id);
      if (!now || Date.now() > deadline) throw new Error(`the campaign stays at ${JSON.stringify(now)}`);
      if (now.created >= (world.messages * (memory.length + 1)) / PARTS)
        memory.push(memoryOf(pid).residentMb);
      const { started_at: begun, frozen_at: frozen, fanned_out_at: ended } = now;
      if (ended !== null && begun !== null && frozen !== null) {
        if (now.created !== world.messages) throw new Error(`created ${now.created} of ${world.messages}`);
        const spent = cpuSeconds(pid) - cpu;
        say(`  resident MB at each fifth of the fan-out, ${label}: ${memory.join(', ')}`);
        return {
          [`audience frozen per second, ${label}`]: (now.total / (frozen - begun)) * 1_000,
          [`copies made and queued per second, ${label}`]: (now.created / (ended - frozen)) * 1_000,
          [`CPU-s per 1,000 recipients, ${label}`]: (spent / now.created) * 1_000,
          ...(await reads.end()),
          ...(await posts.end()),
          [`resident MB at the first fifth, ${label}`]: memory[0] ?? NaN,
          [`resident MB at the last, ${label}`]: memory.at(-1) ?? NaN,
          [`peak resident MB, ${label}`]: memoryOf(pid).peakMb,
        };
      }
      await pause(POLL_MS);
    }
  } finally {
    database.close();
  }
}
