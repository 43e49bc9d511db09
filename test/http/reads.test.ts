// Tests every list with every filter, on a folder that is large enough for reader threads: no list reads in the main thread,
// where a slow read would delay mail, and the pages reach the end.
import { Database } from '../../src/database/engine/sqlite-driver.js';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { apiOperations } from '../support/api-operations.js';
import { startFullApi, type FullApiRig } from '../support/program.js';
import { fillFolder, type LargeFolder } from '../support/large-folder.js';
import { sized } from '../support/run-size.js';
import { questionsOf, type ListQuestion } from '../support/list-filters.js';

/** Reader threads are used from 16 MB. */
const MESSAGES = sized({ small: 5_000, full: 8_000 });
/** Tables that grow with the mail, the audience or their records. */
const LARGE =
  /\b(FROM|JOIN)\s+"?(messages|message_tags|contents|events|attempts|contacts|contact_tags|list_members|campaign_recipients|enrollments|threads|suppressions|webhook_deliveries|audit_entries|queue)\b/i;

let rig: FullApiRig;
let folder: LargeFolder;
let questions: ListQuestion[];

beforeAll(async () => {
  rig = await startFullApi();
  folder = fillFolder(rig.databaseFile, MESSAGES);
  questions = questionsOf(apiOperations(), folder);
});

afterAll(() => rig.close());

async function ask(path: string) {
  const { statusCode, body } = await rig.app.inject({
    url: path,
    headers: { authorization: `Bearer ${rig.liveKey}` },
  });
  return { statusCode, body };
}

it('every list supports every filter, and none is read in the main thread', async () => {
  expect(questions.length).toBeGreaterThan(200);
  const prepare = vi.spyOn(Database.prototype, 'prepare');
  try {
    const failed: string[] = [];
    for (const { path, name } of questions) {
      const { statusCode, body } = await ask(path);
      if (statusCode >= 500) failed.push(`${name}: ${statusCode} ${body}`);
    }
    expect(failed).toEqual([]);
    // Statements are prepared once, in the thread that runs them.
    const here = prepare.mock.calls.map(([statement]) => statement);
    expect(here.filter((statement) => LARGE.test(statement))).toEqual([]);
  } finally {
    prepare.mockRestore();
  }
});

it('continues to the end of a list, page by page', async () => {
  const ids = new Set<unknown>();
  let cursor: string | null = '';
  for (let page = 0; cursor !== null; page += 1) {
    expect(page).toBeLessThan(MESSAGES);
    const { body } = await ask(
      `/v1/messages?limit=10&q=order%2077${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    const list = JSON.parse(body) as { data: { id: string }[]; next_cursor: string | null };
    for (const { id } of list.data) ids.add(id);
    cursor = list.next_cursor;
  }
  const database = new Database(rig.databaseFile, { readonly: true });
  try {
    const found = database
      .prepare(
        `SELECT COUNT(*) FROM messages m JOIN environments e ON e.id = m.environment_id
        WHERE m.subject LIKE '%Order 77%' AND e.mode = 'live' AND e.workspace_id = ?`,
      )
      .pluck()
      .get(rig.workspaceId);
    expect(ids.size).toBe(found);
  } finally {
    database.close();
  }
});
