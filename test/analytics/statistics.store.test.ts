// Tests which indexes SQLite uses for statistics and for the lists of a campaign's messages.
import { join } from 'node:path';
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { Kysely, SqliteDialect } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Value } from '../../src/database/engine/engine.js';
import type { Scope } from '../../src/database/scope.js';
import { createStore, type Store } from '../../src/app/store.js';
import { openMigratedFile, temporaryFolder, type OpenEngine } from '../support/open-engines.js';
import { accept, newWorld } from '../database/contract/builders.js';

const folder = temporaryFolder();
const file = join(folder.path, 'mail.db');
let opened: OpenEngine;
let store: Store;
let watched: Store;
let live: Scope;
let statements: { sql: string; values: readonly unknown[] }[] = [];

beforeAll(async () => {
  opened = await openMigratedFile(file);
  store = createStore(opened.engine, { maxGroup: 50 });
  ({ live } = await newWorld(store));
  await accept(
    store,
    live,
    Array.from({ length: 50 }, () => ({ row: { campaign_id: 'cmp_1', type: 'marketing' as const } })),
  );
  const read = new Kysely<unknown>({
    dialect: new SqliteDialect({ database: new Database(file, { readonly: true }) }),
    log: ({ query }) => void statements.push({ sql: query.sql, values: query.parameters }),
  });
  watched = createStore(
    {
      ...opened.engine,
      read,
      rows(sql, values) {
        statements.push({ sql, values });
        return opened.engine.rows(sql, values);
      },
      schema: opened.engine.schema,
    },
    { maxGroup: 50 },
  );
});

afterAll(async () => {
  await store.drain();
  await opened.close();
  folder.remove();
});

const page = { limit: 25, after: '100' };
const days = { subTenantKey: '*', from: 0, to: 30_000, type: null };
const lag = { workspaceNumber: 1, seq: 0, headSeq: 50 };

describe('statistics queries use an index for', () => {
  it.each<[string, RegExp, () => Promise<unknown>]>([
    [
      'the messages of a campaign',
      /messages_by_campaign /,
      () => watched.messages.messages(live, page, { campaignId: 'cmp_1' }),
    ],
    [
      'the delivered ones of them',
      /messages_by_campaign_status/,
      () => watched.messages.messages(live, page, { campaignId: 'cmp_1', status: ['delivered'] }),
    ],
    [
      'a tenant’s messages of a campaign',
      /messages_by_campaign /,
      () => watched.messages.messages({ ...live, subTenantId: 'tnt_1' }, page, { campaignId: 'cmp_1' }),
    ],
    [
      'the messages of a sequence',
      /messages_by_sequence/,
      () => watched.messages.messages(live, page, { sequenceId: 'seq_1' }),
    ],
    [
      'a campaign by status',
      /COVERING INDEX messages_by_campaign_status/,
      () => watched.campaigns.statistics.statuses('cmp_1'),
    ],
    [
      'those who were skipped',
      /campaign_recipients_by_state/,
      () => watched.campaigns.statistics.skippedReasons('cmp_1'),
    ],
    ['the events to follow', /INTEGER PRIMARY KEY/, () => watched.consumers.eventsOf(lag, 100)],
    ['earlier bounces', /events_by_message/, () => watched.statistics.happened([1, 2], 10)],
    ['earlier clicks', /events_by_message/, () => watched.statistics.clickDetails([1, 2], 10)],
    ['templates of messages', /INTEGER PRIMARY KEY/, () => watched.statistics.templatesOf([1, 2])],
    [
      'the html of a template',
      /template_versions/,
      () => watched.statistics.templateHtml({ templateId: 'tpl_1', version: 1 }),
    ],
    ['answered messages', /received_messages_by_parent/, () => watched.statistics.answered([1, 2])],
    ['opens and clicks', /INTEGER PRIMARY KEY/, () => watched.statistics.engagements([1, 2])],
    ['the days', /stat_days/, () => watched.statistics.days({ ...days, environmentId: live.environmentId })],
    ['the hours of a campaign', /source_hours/, () => watched.statistics.sourceSeries('cmp_1', 100)],
    ['the copies of a campaign', /source_stats/, () => watched.statistics.sourceStats('cmp_1')],
    [
      'the copies of several campaigns',
      /source_stats/,
      () => watched.statistics.sourcesStats(['cmp_1', 'cmp_2']),
    ],
    ['the links of a campaign', /source_links/, () => watched.statistics.sourceLinks('cmp_1')],
  ])('%s', async (_, index, run) => {
    statements = [];
    await run();
    const steps: string[] = [];
    for (const { sql, values } of statements) {
      const rows = await opened.raw(`EXPLAIN QUERY PLAN ${sql}`, values as Value[]);
      steps.push(...rows.map((row) => String(row['detail'])));
    }
    expect(steps.join('\n')).toMatch(index);
    expect(steps.filter((step) => /^SCAN (?!step)/.test(step))).toEqual([]);
  });
});
