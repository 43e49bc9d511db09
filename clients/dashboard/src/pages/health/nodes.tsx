// The nodes that share one PostgreSQL database; nothing without any.
import { Text } from '@mantine/core';
import type { Node } from '@mailkeel/sdk';
import { useRead } from '../../data/read.js';
import { health, type HealthTexts } from '../../texts/health.js';
import { useTexts } from '../../texts/texts.js';
import { Time, useFormat } from '../../ui/format.js';
import { Card } from '../../ui/page.js';
import { Status } from '../../ui/status.js';

const LOOK_MS = 10_000;

/** Only requested for the operator, because others may not read it. */
export function Nodes() {
  const t = useTexts(health);
  const { data } = useRead(['nodes'], (api, signal) => api.nodes.list({ signal }), { every: LOOK_MS });
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Card title={t.nodes}>
      <Text size="sm" c="dimmed" mb="sm">
        {t.nodesAbout}
      </Text>
      <div className="mk-table-frame" role="region" aria-label={t.nodes} tabIndex={0}>
        <table className="mk-table">
          <thead>
            <tr>
              <th scope="col">{t.node.host}</th>
              <th scope="col">{t.version}</th>
              <th scope="col">{t.node.status}</th>
              <th scope="col">{t.node.roles}</th>
              <th scope="col" data-align="right">
                {t.node.pathLeases}
              </th>
              <th scope="col">{t.node.rooms}</th>
              <th scope="col">{t.node.seen}</th>
            </tr>
          </thead>
          <tbody>
            {data.data.map((node) => (
              <NodeRow key={node.id} of={node} />
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function NodeRow({ of: node }: { of: Node }) {
  const t = useTexts(health);
  const { count } = useFormat();
  const { host, version, status, is_this: isThis, roles, path_leases: leases, rooms } = node;
  return (
    <tr>
      <td>
        {host}
        {isThis ? (
          <Text size="xs" c="dimmed">
            {t.node.isThis}
          </Text>
        ) : null}
      </td>
      <td>{version}</td>
      <td>
        <Status of={status} tone={status === 'working' ? 'good' : 'warn'}>
          {t.nodeStatus[status]}
        </Status>
      </td>
      <td>{roles.map((role) => t.nodeRoles[role]).join(', ')}</td>
      <td data-align="right">{count(leases)}</td>
      <td>{rooms.map((room) => roomText(t, room)).join(', ')}</td>
      <td>
        <Time at={node.seen_at} />
      </td>
    </tr>
  );
}

/** A room that has no text is shown as the API has it. */
function roomText({ rooms }: HealthTexts, room: string): string {
  return (rooms as Readonly<Record<string, string>>)[room] ?? room;
}
