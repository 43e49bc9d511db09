// Contract of the request log: every filter finds the stored requests, and old ones are deleted.
import { describe, expect, it } from 'vitest';
import { newId } from '../../../src/lib/runtime/index.js';
import type { RequestLogFilter } from '../../../src/accounts/request-log/request-log.store.js';
import { type Bench, newWorld, NOW } from './builders.js';
import type { LoggedRequest } from '../../../src/accounts/request-log/request-log.tables.js';

export function requestLogContract(given: () => Bench): void {
  describe('the log of requests', () => {
    it('is read newest first by every filter, in pages, and dropped from its old end', async () => {
      const { store } = given();
      const { live, test } = await newWorld(store);
      const row = (at: number, more: Partial<LoggedRequest> = {}): LoggedRequest => ({
        ...{ id: newId('rlg', at), environment_id: live.environmentId, sub_tenant_id: null, at },
        ...{ actor_kind: 'api_key', actor_id: 'key_a', operation: 'contacts.get', method: 'GET' },
        ...{ path: '/v1/contacts/cnt_a', status: 200, code: null, param: null, duration_ms: 3 },
        ...{ request_id: 'req_a', query: null, body: null },
        ...more,
      });
      const failed = { status: 422, code: 'validation_error', param: 'email', method: 'POST' };
      const rows = [
        ...[
          row(NOW),
          row(NOW + 1, { ...failed, path: '/v1/Contacts' }),
          row(NOW + 2, { actor_kind: 'user', actor_id: 'usr_b' }),
        ],
        ...[row(NOW + 3, { sub_tenant_id: 'tnt_a', path: '/v1/lists' })],
      ];
      await store.requestLog.write([...rows, row(NOW, { environment_id: test.environmentId })]);
      const list = async (filter: RequestLogFilter, scope = live): Promise<number[]> =>
        (await store.requestLog.list(scope, { limit: 10, after: null }, filter)).rows.map(
          ({ at }) => at - NOW,
        );
      expect(await list({})).toEqual([3, 2, 1, 0]);
      expect(await list({}, test)).toEqual([0]);
      expect(await list({}, { ...live, subTenantId: 'tnt_a' })).toEqual([3]);
      expect(await list({ statuses: [400, 499] })).toEqual([1]);
      expect(await list({ method: 'GET' })).toEqual([3, 2, 0]);
      expect(await list({ path: '/v1/contacts/' })).toEqual([2, 0]);
      expect(await list({ path: '/v1/l' })).toEqual([3]);
      expect(await list({ actorId: 'usr_b' })).toEqual([2]);
      expect(await list({ actorKind: 'user' })).toEqual([2]);
      expect(await list({ actorKind: 'api_key' })).toEqual([3, 1, 0]);
      expect(await list({ code: 'validation_error' })).toEqual([1]);
      expect(await list({ since: NOW + 1, until: NOW + 3 })).toEqual([2, 1]);
      const page = await store.requestLog.list(live, { limit: 3, after: null }, { method: 'GET' });
      expect(page.next).toBeNull();
      const first = await store.requestLog.list(live, { limit: 3, after: null }, {});
      const rest = await store.requestLog.list(live, { limit: 3, after: first.next }, {});
      expect(rest.rows).toEqual([rows[0]]);
      expect(await store.requestLog.prune(NOW + 2, 100)).toBeGreaterThanOrEqual(3);
      expect(await list({})).toEqual([3, 2]);
    });
  });
}
