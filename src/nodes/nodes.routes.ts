// GET /v1/nodes: the nodes that work on the database, and how much of the work each has.
import { Type } from 'typebox';
import type { Api } from '../http/api.js';
import { iso } from '../contract/time.js';
import { nameEnums, nameSchemas, oneOf, timestamp } from '../contract/schema.js';
import { FOR_OPERATORS, refuseCustomers } from '../accounts/access/operator.js';
import { ROOMS, roomLeases, type RoomName } from './assignment.rules.js';
import { NODE_ROLES, type NodeRole } from '../contract/names.js';
import type { Cluster } from './cluster.js';

const node = Type.Object({
  id: Type.String(),
  object: Type.Literal('node'),
  host: Type.String({ description: 'The host name of the machine.' }),
  version: Type.String(),
  roles: Type.Array(oneOf(NODE_ROLES)),
  status: oneOf(['working', 'leaving'], {
    description:
      'The state of the node. `leaving` means that the node is handing over its work and shutting down.',
  }),
  is_this: Type.Boolean({ description: 'Whether this node sent the response.' }),
  sources: Type.Array(Type.String(), {
    description: 'Sources and smarthosts that this node can send through.',
  }),
  path_leases: Type.Integer({
    description:
      'Number of path leases held by this node. The paths of each source are divided into 64 leases.',
  }),
  rooms: Type.Array(Type.String(), {
    description: 'Exclusive tasks assigned to this node, for all workspaces or for some of them.',
  }),
  started_at: timestamp,
  seen_at: timestamp,
});

const nodeList = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(node),
});

nameSchemas({ Node: node, NodeList: nodeList });
nameEnums({ NodeRole: NODE_ROLES, NodeStatus: ['working', 'leaving'] });

export function nodeRoutes(
  app: Api,
  { cluster, clock }: { cluster: Cluster | null; clock: () => number },
): void {
  app.get(
    '/v1/nodes',
    {
      config: { role: 'admin' },
      schema: {
        operationId: 'nodes.list',
        tags: ['Nodes'],
        summary: 'List nodes',
        description: `Returns the servers that share the database. Empty with SQLite, where there is only one server. ${FOR_OPERATORS}.`,
        response: { 200: nodeList },
      },
    },
    (request) => {
      refuseCustomers(request.caller.scope, 'read the nodes');
      if (cluster === null) return { object: 'list' as const, data: [] };
      const { nodes, leases } = cluster.view();
      const rooms = Object.keys(ROOMS) as RoomName[]; // its keys
      const data = nodes.map(({ id, host, version, roles, sources, isLeaving, startedAt, silentMs }) => {
        const own = new Set(leases.flatMap(({ name, node_id }) => (node_id === id ? [name] : [])));
        const ownRooms = rooms.filter((room) => roomLeases(room).some((lease) => own.has(lease)));
        const roomLeaseCount = rooms.flatMap(roomLeases).filter((lease) => own.has(lease)).length;
        return {
          id,
          object: 'node' as const,
          host,
          version,
          roles: roles as NodeRole[],
          sources: [...sources],
          status: isLeaving ? ('leaving' as const) : ('working' as const),
          is_this: id === cluster.id,
          path_leases: own.size - roomLeaseCount,
          rooms: ownRooms,
          started_at: iso(startedAt),
          seen_at: iso(clock() - silentMs),
        };
      });
      return { object: 'list' as const, data };
    },
  );
}
