// The events of a sub-tenant, newest first.
import { Text } from '@mantine/core';
import type { SubTenantAuditEntry } from '@mailkeel/sdk';
import { useRead } from '../../data/read.js';
import { subTenants } from '../../texts/sub-tenants.js';
import { useTexts } from '../../texts/texts.js';
import { Time, useFormat } from '../../ui/format.js';
import { Card } from '../../ui/page.js';
import { EmptyState, Shown } from '../../ui/states.js';

export function Trail({ id }: { id: string }) {
  const t = useTexts(subTenants);
  const read = useRead(['sub-tenants', id, 'audit'], (api, signal) =>
    api.subTenants.getAudit(id, { signal }),
  );
  return (
    <Card title={t.trail}>
      <Text c="dimmed" size="sm" mb="sm">
        {t.trailAbout}
      </Text>
      <Shown of={read}>
        {({ trail }) =>
          trail.length === 0 ? (
            <EmptyState icon="audit" title={t.trailEmptyTitle}>
              {t.trailEmpty}
            </EmptyState>
          ) : (
            <TrailTable trail={trail} />
          )
        }
      </Shown>
    </Card>
  );
}

function TrailTable({ trail }: { trail: readonly SubTenantAuditEntry[] }) {
  const t = useTexts(subTenants);
  return (
    <div className="mk-table-frame" role="region" aria-label={t.trail} tabIndex={0}>
      <table className="mk-table">
        <thead>
          <tr>
            <th scope="col">{t.event}</th>
            <th scope="col">{t.figures}</th>
            <th scope="col">{t.by}</th>
            <th scope="col" data-align="right">
              {t.when}
            </th>
          </tr>
        </thead>
        <tbody>
          {trail.toReversed().map((entry, at) => (
            <tr key={`${entry.timestamp} ${entry.event} ${at}`}>
              <td>{t.events[entry.event]}</td>
              <td style={{ maxWidth: 'none' }}>
                <Figures of={entry.metadata} />
              </td>
              <td>{t.actors[entry.actor]}</td>
              <td data-align="right">
                <Time at={entry.timestamp} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const RATES = ['complaint_rate', 'bounce_rate', 'threshold'];

/** The facts behind the change, by their names in the API. */
function Figures({ of }: { of: Record<string, unknown> }) {
  const format = useFormat();
  const textOf = (name: string, value: unknown): string => {
    if (typeof value === 'number') return RATES.includes(name) ? format.percent(value) : format.count(value);
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {Object.entries(of)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => `${name} ${textOf(name, value)}`)
        .join(' · ')}
    </Text>
  );
}
