// GET /v1/replica: how far the replica of the embedded database is.
import { type Static, Type } from 'typebox';
import { refuseCustomers } from '../accounts/access/operator.js';
import { nameSchemas, nullable, oneOf, timestamp, timestampWith } from '../contract/schema.js';
import { iso, isoOrNull } from '../contract/time.js';
import type { Api } from '../http/api.js';
import type { Clock } from '../lib/runtime/index.js';
import { type ReplicaFacts, replicaLagMs } from '../replica/replica-health.rules.js';

const STATUSES = ['off', 'starting', 'copying', 'replicating', 'fenced'] as const;

const octets = (description: string) => Type.Integer({ minimum: 0, description });

const replica = Type.Object({
  object: Type.Literal('replica'),
  status: oneOf(STATUSES, {
    description:
      '`off`: no replica is configured, or its state is not known yet. `starting`: the storage has not responded yet. `copying`: the full copy is not complete, so the replica cannot be restored yet. `replicating`: the replica can be restored. `fenced`: another server has taken it over.',
  }),
  storage: nullable(Type.String({ description: 'The folder or bucket.' })),
  waits: Type.Boolean({ description: 'Whether requests wait until the replica has their changes.' }),
  generation: Type.Integer({
    minimum: 0,
    description:
      'The generation. A new generation begins with a full copy whenever the replica may lack changes.',
  }),
  lag_seconds: Type.Number({
    minimum: 0,
    description: 'The age of the oldest change missing from the replica. 0 if none is missing.',
  }),
  waiting_bytes: octets('Data on this machine waiting to be stored.'),
  stored_bytes: octets('Data stored since the server started.'),
  last_stored_at: nullable(timestamp),
  full_copy_at: nullable(timestampWith({ description: 'Start of the last full copy.' })),
  full_copy_bytes: nullable(octets('Size of the last full copy.')),
  unreachable: nullable(
    Type.Object(
      { since: timestamp, reason: Type.String() },
      { description: 'Set while the storage does not respond.' },
    ),
  ),
});
type ReplicaWire = Static<typeof replica>;

nameSchemas({ Replica: replica });

export function replicaRoutes(
  app: Api,
  { replica: facts, clock }: { replica: () => ReplicaFacts | null; clock: Clock },
): void {
  app.get(
    '/v1/replica',
    {
      config: { permission: 'admin', role: 'viewer' },
      schema: {
        operationId: 'health.getReplica',
        tags: ['Health'],
        summary: 'Retrieve the replica',
        description:
          "Returns the state of the embedded database's replica. Requires a user or an `admin` key of the operator's workspace, not limited to a sub-tenant.",
        response: { 200: replica },
      },
    },
    (request) => {
      refuseCustomers(request.caller.scope, 'view the replica');
      return presentReplica(facts(), clock());
    },
  );
}

function presentReplica(facts: ReplicaFacts | null, now: number): ReplicaWire {
  return {
    object: 'replica',
    status: facts?.phase ?? 'off',
    storage: facts?.storage ?? null,
    waits: facts?.waits ?? false,
    generation: facts?.generation ?? 0,
    lag_seconds: facts === null ? 0 : replicaLagMs(facts, now) / 1000,
    waiting_bytes: facts?.waitingBytes ?? 0,
    stored_bytes: facts?.storedBytes ?? 0,
    last_stored_at: isoOrNull(facts?.storedAt ?? null),
    full_copy_at: isoOrNull(facts?.base?.at ?? null),
    full_copy_bytes: facts?.base?.bytes ?? null,
    unreachable: facts?.away ? { since: iso(facts.away.since), reason: facts.away.reason } : null,
  };
}
