// The page of host health: checks by group, and facts about the server.
import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import type { HealthCheck, HealthReport } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useAction, useRead } from '../../data/read.js';
import { health, type HealthTexts } from '../../texts/health.js';
import { useTexts } from '../../texts/texts.js';
import { useSearchValue } from '../../ui/filters.js';
import { ForOperator, useIsOperator } from '../../ui/for-operator.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { Notice } from '../../ui/notice.js';
import { Card, PageHead } from '../../ui/page.js';
import '../../ui/rate-meter.css';
import { EmptyState, Shown } from '../../ui/states.js';
import { Status, type Tone } from '../../ui/status.js';
import './health.css';
import { Nodes } from './nodes.js';
import { ReplicaCard } from './replica.js';
import { SystemCard } from './system.js';

const GROUPS: Record<keyof HealthTexts['groups'], readonly HealthCheck['name'][]> = {
  names: ['ehlo_name', 'ptr', 'forward_confirmed', 'ptr_is_ehlo_name'],
  outgoing: ['port_25', 'smarthost', 'source_suspension', 'dnsbl', 'resolver'],
  incoming: ['bounce_mx', 'inbound_mx', 'inbound_port', 'report_authorization', 'tls_reports'],
  domain: ['spf', 'tenant_spf', 'dkim', 'dmarc', 'dmarc_reports', 'dnssec'],
  zone: ['zone_delegation', 'name_server'],
  machine: [
    'node_roles',
    'certificate',
    'public_url',
    'clock',
    'disk_space',
    'disk_forecast',
    'data_folder',
    'database',
    'database_clock',
    'database_connections',
    'integrity',
    'spool',
    'backup',
    'replica',
  ],
};
const GROUP_NAMES = ['names', 'outgoing', 'incoming', 'domain', 'zone', 'machine'] as const;
/** The worst first. */
const STATUSES = ['fail', 'warn', 'unknown', 'pass'] as const;
const TONES: Record<HealthCheck['status'], Tone> = {
  pass: 'good',
  warn: 'warn',
  fail: 'bad',
  unknown: 'quiet',
};
const LOOK_MS = 60_000;
/** Allowed once a minute. A refusal is shown immediately instead of waiting. */
const NOT_AGAIN = { maxRetries: 0 };

export function HealthPage() {
  const t = useTexts(health);
  const isOperator = useIsOperator();
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[
          (api) => api.health.getChecks(),
          (api) => api.health.runChecks(),
          (api) => api.health.getReplica(),
          (api) => api.nodes.list(),
          (api) => api.system.get(),
        ]}
        actions={isOperator === true ? <RunButton /> : null}
      />
      <Stack>
        <ForOperator title={t.forOperator} hint={t.forOperatorHint}>
          <Checks />
          <ReplicaCard />
          <Nodes />
        </ForOperator>
        <SystemCard />
      </Stack>
    </>
  );
}

function Checks() {
  const report = useRead(['health'], (api, signal) => api.health.getChecks({ signal }), { every: LOOK_MS });
  return (
    <Shown of={report} lines={6}>
      {(found) => <Report of={found} />}
    </Shown>
  );
}

function RunButton() {
  const t = useTexts(health);
  const mayRun = useRole('admin');
  const run = useAction((api) => api.health.runChecks(NOT_AGAIN), { done: t.ran, changes: ['health'] });
  if (!mayRun) return null;
  return (
    <Button
      leftSection={<Icon name="refresh" size={16} />}
      loading={run.isPending}
      onClick={() => run.mutate()}
    >
      {t.runNow}
    </Button>
  );
}

function Report({ of: report }: { of: HealthReport }) {
  const t = useTexts(health);
  const { count } = useFormat();
  const [shown, show] = useSearchValue('show', 'all');
  const isOnlyOpen = shown === 'open';
  const { checked_at: at, data: checks, status } = report;
  if (at === null) return <Text role="status">{t.notYet}</Text>;
  const visible = isOnlyOpen ? checks.filter((check) => check.status !== 'pass') : checks;
  return (
    <>
      <Notice tone={TONES[status]}>
        <p>
          <strong>{t.status[status]}</strong> {t.checked} <Time at={at} />
        </p>
      </Notice>
      <Group justify="space-between">
        <Group gap="xs">
          {STATUSES.map((one) => {
            const number = checks.filter((check) => check.status === one).length;
            return number === 0 ? null : (
              <Status key={one} of={one} tone={TONES[one]}>
                {`${count(number)} ${t.counts[one]}`}
              </Status>
            );
          })}
        </Group>
        <Switch
          label={t.onlyOpen}
          checked={isOnlyOpen}
          onChange={(event) => show(event.currentTarget.checked ? 'open' : 'all')}
        />
      </Group>
      {visible.length === 0 ? (
        <EmptyState icon="check" title={t.allGood}>
          {t.allGoodHint}
        </EmptyState>
      ) : (
        GROUP_NAMES.map((name) => (
          <CheckGroup
            key={name}
            title={t.groups[name]}
            checks={visible.filter((check) => GROUPS[name].includes(check.name))}
          />
        ))
      )}
    </>
  );
}

function CheckGroup({ title, checks }: { title: string; checks: readonly HealthCheck[] }) {
  if (checks.length === 0) return null;
  const sorted = checks.toSorted((a, b) => STATUSES.indexOf(a.status) - STATUSES.indexOf(b.status));
  return (
    <Card title={title}>
      <div className="mk-checks">
        {sorted.map((check) => (
          <Check key={`${check.name} ${check.subject ?? ''} ${check.expected}`} check={check} />
        ))}
      </div>
    </Card>
  );
}

function Check({ check }: { check: HealthCheck }) {
  const t = useTexts(health);
  const { name, subject, status, observed, expected, remedy } = check;
  return (
    <div className="mk-check">
      <div>
        <Status of={status} tone={TONES[status]} />
      </div>
      <div>
        <strong>{t.names[name]}</strong>
        {subject === null ? null : (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {subject}
          </Text>
        )}
      </div>
      <dl>
        <dt>{t.observed}</dt>
        <dd>{observed}</dd>
        <dt>{t.expected}</dt>
        <dd>{expected}</dd>
        {remedy === null ? null : (
          <>
            <dt>{t.remedy}</dt>
            <dd className="mk-remedy">{remedy}</dd>
          </>
        )}
      </dl>
    </div>
  );
}
