// Tests the rows of address rechecks on every engine.
import { describe, expect, it } from 'vitest';
import { createAddressRecheckStore } from '../../src/outbound/outcome/address-rechecks.store.js';
import { createStore } from '../../src/app/store.js';
import { engineKinds } from '../support/open-engines.js';
import { accept, newWorld, NOW } from '../database/contract/builders.js';
import { addressRechecks } from '../../src/outbound/outbound.tables.js';
import { insert } from '../../src/database/rows.js';

describe.each(engineKinds())('address rechecks on $name', (kind) => {
  it('are returned when due, oldest first, with the fields that a suppression needs', async () => {
    const opened = await kind.openMigrated();
    try {
      const store = createStore(opened.engine, { maxGroup: 50 });
      const { live } = await newWorld(store);
      const ids = await accept(
        store,
        live,
        ['A@x.test', 'b@x.test', 'c@x.test'].map((to) => ({ to, queued: false })),
      );
      const rows = ids.map((message_id, i) => ({
        ...{ message_id, environment_id: live.environmentId, domain: 'x.test', due_at: NOW - i },
      }));
      const [first, ...rest] = rows;
      if (!first) throw new Error('no rows');
      await store.commit(
        [...rows, { ...first, due_at: NOW + 9 }].map((row) =>
          insert(addressRechecks, { row, conflict: 'ignore' }),
        ),
      );
      const rechecks = createAddressRecheckStore(opened.engine);
      expect((await rechecks.due(NOW, 10)).map(({ messageId }) => messageId)).toEqual([...ids].reverse());
      expect((await rechecks.due(NOW - 1, 1)).map(({ messageId }) => messageId)).toEqual([
        rest[1]?.message_id,
      ]);
      expect((await rechecks.due(NOW, 10)).at(-1)).toEqual({
        messageId: ids[0],
        domain: 'x.test',
        publicId: expect.stringMatching(/^msg_/) as string,
        environmentId: live.environmentId,
        workspaceId: live.workspaceId,
        workspaceNumber: live.workspaceNumber,
        mode: 'live',
        subTenantId: null,
        toEmail: 'A@x.test',
        toKey: 'a@x.test',
        createdAt: NOW,
      });
    } finally {
      await opened.close();
    }
  });
});
