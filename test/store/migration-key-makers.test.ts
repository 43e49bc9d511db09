// The step that notes who made each API key, on rows of the release before.
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../src/accounts/bootstrap.js';
import { auditInsert } from '../../src/accounts/audit/audit.store.js';
import { planPerson } from '../../src/accounts/people/person.js';
import { up } from '../../src/store/migrations/0044-key-makers.js';
import { createStore } from '../../src/store/store.js';
import { engineKinds } from '../support/open-engines.js';

describe.each(engineKinds())('an upgrade on $name', (kind) => {
  it('gives keys to the members who made them, and leaves those of others and of the operator alone', async () => {
    const opened = await kind.openMigrated();
    const store = createStore(opened.engine, { maxGroup: 50 });
    const { organizationId, workspaceId } = await bootstrap(store, { clock: () => 1 });
    const person = { email: 'a@x.example', name: null, passwordHash: 'x', role: 'admin' as const };
    const { userId, plan } = planPerson({ ...person, organizationId }, 1);
    await store.commit(plan);
    const keys = (await opened.raw('SELECT id FROM api_keys ORDER BY id')).map(({ id }) => String(id));
    const makers = [userId, 'usr_who_has_left'];
    await store.commit(
      makers.map((id, i) =>
        auditInsert({
          ...{ at: 1, organizationId, workspaceId, actor: { kind: 'user', id } },
          ...{ action: 'apiKeys.create', targetId: keys[i] ?? '' },
        }),
      ),
    );
    const { schema } = opened.engine;
    await sql`DROP INDEX api_keys_by_maker`.execute(schema);
    await sql`ALTER TABLE api_keys DROP COLUMN made_by`.execute(schema);
    await up(schema);
    expect(await opened.raw('SELECT made_by FROM api_keys ORDER BY id')).toEqual([
      { made_by: userId },
      { made_by: null },
    ]);
    await opened.close();
  });
});
