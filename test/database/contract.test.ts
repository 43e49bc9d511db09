// Runs the contract tests of the store on every engine.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Kysely } from 'kysely';
import { migrate } from '../../src/database/migrations/migrate.js';
import { createStore } from '../../src/app/store.js';
import { type OpenEngine, engineKinds } from '../support/open-engines.js';
import { acceptContract } from './contract/accept.js';
import { archiveContract } from './contract/archive.js';
import { brandingContract } from './contract/brandings.js';
import { savedBlockContract } from './contract/saved-blocks.js';
import type { Bench } from './contract/builders.js';
import { bulkRuleContract } from './contract/bulk-rules.js';
import { campaignRecipientContract } from './contract/campaign-recipients.js';
import { chainContract } from './contract/chain.js';
import { contactContract } from './contract/contacts.js';
import { deliveryReportContract } from './contract/delivery-reports.js';
import { domainCheckContract } from './contract/domain-checks.js';
import { dueTimesContract } from './contract/due-times.js';
import { figuresContract } from './contract/figures.js';
import { growthContract } from './contract/growth.js';
import { inboundContract } from './contract/inbound.js';
import { listContract } from './contract/lists.js';
import { nodeContract } from './contract/nodes.js';
import { peopleContract } from './contract/people.js';
import { planContract } from './contract/plans.js';
import { queueContract } from './contract/queue.js';
import { reputationContract } from './contract/reputations.js';
import { retentionContract } from './contract/retention.js';
import { routeShareContract } from './contract/route-shares.js';
import { storedFileContract } from './contract/stored-files.js';
import { suppressionContract } from './contract/suppressions.js';
import { throttleContract } from './contract/throttles.js';
import { threadContract } from './contract/threads.js';
import { recordEventContract } from './contract/record-events.js';
import { receivedReportContract } from './contract/received-reports.js';
import { requestLogContract } from './contract/request-log.js';
import { usageContract } from './contract/usage.js';
import { webhookContract } from './contract/webhooks.js';
import { zoneContract } from './contract/zone.js';
import type { workspaces } from '../../src/accounts/accounts.tables.js';
import type { TablesOf } from '../../src/database/columns.js';

type Known = TablesOf<typeof workspaces>;

describe.each(engineKinds())('the store on $name', (kind) => {
  let opened: OpenEngine | undefined;
  let bench: Bench | undefined;

  beforeAll(async () => {
    opened = await kind.open();
    expect(await migrate(opened.engine)).not.toEqual([]);
    bench = { opened, store: createStore(opened.engine, { maxGroup: 50 }) };
  }, 120_000);

  afterAll(async () => {
    await bench?.store.drain();
    await opened?.close();
  });

  const given = (): Bench => {
    if (!bench) throw new Error('The engine did not open.');
    return bench;
  };

  it('migrates a second time without doing anything', async () => {
    expect(await migrate(given().opened.engine)).toEqual([]);
  });

  it('refuses a text with a NUL character in any parameter', async () => {
    const { engine } = given().opened;
    const refused = { code: 'validation_error' };
    const statement = 'SELECT id FROM workspaces WHERE id = ?';
    const query = (db: Pick<Kysely<Known>, 'selectFrom'>) =>
      db.selectFrom('workspaces').select('id').where('id', '=', 'a\0b').execute();
    await expect((async () => engine.rows(statement, ['a\0b']))()).rejects.toMatchObject(refused);
    await expect(query(engine.read.$extendTables<Known>())).rejects.toMatchObject(refused);
    await expect(engine.transaction(async (tx) => tx.run(statement, ['a\0b']))).rejects.toMatchObject(
      refused,
    );
    await expect(engine.transaction((tx) => query(tx.db))).rejects.toMatchObject(refused);
    expect(await engine.rows(statement, ['a'])).toEqual([]);
  });

  acceptContract(given);
  brandingContract(given);
  savedBlockContract(given);
  planContract(given);
  peopleContract(given);
  chainContract(given);
  campaignRecipientContract(given);
  queueContract(given);
  throttleContract(given);
  nodeContract(given);
  dueTimesContract(given);
  figuresContract(given);
  growthContract(given);
  archiveContract(given);
  storedFileContract(given);
  listContract(given);
  contactContract(given);
  reputationContract(given);
  bulkRuleContract(given);
  routeShareContract(given);
  suppressionContract(given);
  inboundContract(given);
  receivedReportContract(given);
  domainCheckContract(given);
  deliveryReportContract(given);
  retentionContract(given);
  threadContract(given);
  requestLogContract(given);
  usageContract(given);
  recordEventContract(given);
  webhookContract(given);
  zoneContract(given);
});
