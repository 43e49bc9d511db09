// Tests that a crawler which follows every link of a mail two levels deep, as scanners and mail programs do, changes nothing:
// opens and clicks may be recorded, but no one unsubscribes, joins or is confirmed.
import { createHash } from 'node:crypto';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { linksIn, PUBLIC_URL } from '../../support/newsletters.js';
import { startMailRigWithSink, type SinkRig } from '../../support/mail-rig.js';
import { IS_ON_POSTGRES } from '../../support/postgres-databases.js';
import { waitFor } from '../../support/wait.js';

let rig: SinkRig;
beforeAll(async () => {
  rig = await startMailRigWithSink({ campaigns: true, process: 'shared' });
});
afterAll(() => rig.close());

/**
 * Columns that an open or a click may write, late delivery outcomes, and a node's heartbeat: the trail and its counters, and the
 * status and times of messages. The test's own key is used meanwhile.
 */
const OBSERVED =
  /^(?:chains|deliveries|engagement|events|consumers|nodes$|request_log|sqlite_|stat_|source_|tls_results|webhook_)/;
const OBSERVED_COLUMNS: Record<string, readonly string[]> = {
  messages: ['status', 'opened_at', 'clicked_at', 'updated_at', 'first_opened_at'],
  api_keys: ['last_used_at'],
};

it('changes nothing but opens and clicks', async () => {
  const list = await rig.addList({ double_opt_in: true });
  const other = await rig.addList({ name: 'Others' });
  await rig.join(list, 'ann');
  await rig.join(other, 'ann');
  const { sign_up_url: signUp } = (await rig.appliance.api('GET', `/v1/lists/${list}`)).json as {
    sign_up_url: string;
  };
  await rig.fetched(signUp, { form: { email: 'new@receiver.example' } });
  const asked = await simpleParser((await rig.arrived('new')).raw);
  const campaign = await rig.sendCampaign(list);
  const { id, html, text, oneClick } = await rig.receivedCopy('ann', campaign);
  const inText = (words: string): string[] => words.match(/https?:\/\/[^\s<>"]+/g) ?? [];
  const started = [...linksIn(html), ...inText(text), oneClick, ...inText(asked.text ?? ''), signUp];
  expect(started.some((url) => url.includes('/c/'))).toBe(true);
  expect(started.filter((url) => url.includes('/u/')).length).toBeGreaterThanOrEqual(2);
  await finished(campaign);
  const before = await settled();

  const visited = await crawl(started);
  for (const kind of ['o', 'c', 'u', 'preferences', 's/confirm', 's']) {
    expect([...visited].some((path) => path.startsWith(`/${kind}/`))).toBe(true);
  }
  await rig.reached(id, 'clicked');
  expect(await settled()).toEqual(before);
});

/** The campaign is over, and both mails that went out are written down. */
async function finished(campaign: string): Promise<void> {
  await waitFor(
    'the campaign to end',
    async () => (await rig.appliance.api('GET', `/v1/campaigns/${campaign}`)).json as { status: string },
    ({ status }) => status === 'sent',
  );
  await waitFor(
    'both mails to be delivered',
    async () => (await rig.appliance.api('GET', '/v1/messages')).json as { data: { status: string }[] },
    ({ data }) => data.length === 2 && data.every(({ status }) => status === 'delivered'),
  );
}

async function crawl(started: readonly string[]): Promise<Set<string>> {
  const visited = new Set<string>();
  let level = started;
  for (let depth = 0; depth < 3; depth++) {
    const next: string[] = [];
    for (const link of level) {
      const url = new URL(link, PUBLIC_URL);
      const isOurs = url.hostname === 'click.shop.example' || url.origin === PUBLIC_URL;
      if (!isOurs || visited.has(url.pathname)) continue;
      visited.add(url.pathname);
      for (const method of ['HEAD', 'GET', 'HEAD', 'GET', 'OPTIONS']) {
        const { status, text } = await rig.fetched(url.href, { method });
        expect([200, 302, ...(method === 'OPTIONS' ? [204, 404, 405] : [])]).toContain(status);
        next.push(...linksIn(text));
      }
    }
    level = next;
  }
  return visited;
}

/** The state once no more writes occur. */
async function settled(): Promise<Record<string, string>> {
  let last: Record<string, string> = {};
  return waitFor(
    'the store to rest',
    async () => {
      const [before, now] = [last, await digests()];
      last = now;
      return { now, isSame: JSON.stringify(before) === JSON.stringify(now) };
    },
    ({ isSame }) => isSame,
  ).then(({ now }) => now);
}

/** Digests of every row of every table, without the expected changes. */
async function digests(): Promise<Record<string, string>> {
  const { query } = rig.appliance;
  const tables = await query(
    IS_ON_POSTGRES
      ? "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'"
      : "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%_search%'",
  );
  const found: Record<string, string> = {};
  for (const name of tables.map((table) => String(table['name']))) {
    if (OBSERVED.test(name)) continue;
    const rows = await query(`SELECT * FROM "${name}"`);
    const left = OBSERVED_COLUMNS[name] ?? [];
    // Sorted, because PostgreSQL moves changed rows.
    const kept = rows.map((row) => JSON.stringify(withoutColumns(row, left))).sort();
    found[name] = `${rows.length} ${createHash('sha256').update(kept.join()).digest('hex')}`;
  }
  expect(Object.keys(found)).toEqual(
    expect.arrayContaining([
      'contacts',
      'list_members',
      'list_unsubscribes',
      'suppressions',
      'contact_lists',
    ]),
  );
  return found;
}

function withoutColumns(row: Record<string, unknown>, left: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !left.includes(column)));
}
