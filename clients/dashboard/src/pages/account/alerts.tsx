// The page of a person's alerts: types, channels, quiet hours, and sent alerts.
import { Alert, Button, Checkbox, Group, Select, Stack, Switch, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import type { AlertName, AlertNotice, AlertSettings, AlertWay } from '@mailkeel/sdk';
import { useAction, useList, useRead } from '../../data/read.js';
import { useSearchTexts } from '../../data/address.js';
import { alerts as alertTexts } from '../../texts/alerts.js';
import { useTexts } from '../../texts/texts.js';
import { DataTable } from '../../ui/data-table.js';
import { useFormState } from '../../ui/form.js';
import { Time } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { Card, PageHead } from '../../ui/page.js';
import { ShownOnce } from '../../ui/secret.js';
import { SearchSelect } from '../../ui/search-select.js';
import { SettingsCard } from '../../ui/settings-card.js';
import { Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';

const OF_SERVER = [
  ...[
    'host_check_failed',
    'disk_filling',
    'backup_failed',
    'replica_failed',
    'database_damaged',
    'certificate_expiring',
  ],
  ...[
    'node_missing',
    'inbound_failed',
    'outbound_held',
    'queue_late',
    'route_share_lowered',
    'webhooks_late',
  ],
] as readonly AlertName[];
const OF_ORGANIZATION = [
  ...['approval_requested', 'webhook_disabled'],
  ...['sub_tenant_throttled', 'sub_tenant_paused', 'domain_drifted'],
] as readonly AlertName[];
const FORMATS = ['slack', 'event'] as const;

export function AlertsPage() {
  const t = useTexts(alertTexts);
  const settings = useRead(['alerts'], (api, signal) => api.auth.getAlerts({ signal }));
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        back={{ to: '/account', label: t.back }}
        actions={settings.data === undefined ? null : <TestButtons settings={settings.data} />}
        calls={[(api) => api.auth.getAlerts(), (api) => api.auth.listAlertNotices()]}
      />
      <Stack gap="lg" maw={820}>
        <Shown of={settings}>{(data) => <Settings settings={data} />}</Shown>
        <Notices />
      </Stack>
    </>
  );
}

function TestButtons({ settings }: { settings: AlertSettings }) {
  const t = useTexts(alertTexts);
  const test = useAction((api, way: AlertWay) => api.auth.testAlerts({ way }), {
    done: t.tested,
    changes: ['alert-notices'],
  });
  return (
    <Group gap="xs">
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate('mail')}>
        {t.testMail}
      </Button>
      {settings.webhook === null ? null : (
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate('webhook')}>
          {t.testWebhook}
        </Button>
      )}
    </Group>
  );
}

interface Chosen {
  mail: readonly AlertName[];
  webhook: readonly AlertName[];
  url: string;
  format: (typeof FORMATS)[number];
  isQuiet: boolean;
  from: string;
  to: string;
  zone: string;
  passes: boolean;
}

function chosenOf({ mail_alerts: mail, webhook, quiet_hours: quiet }: AlertSettings): Chosen {
  return {
    mail,
    webhook: webhook?.alerts ?? [],
    url: webhook?.url ?? '',
    format: webhook?.format ?? 'slack',
    isQuiet: quiet !== null,
    from: quiet?.from ?? '22:00',
    to: quiet?.to ?? '07:00',
    zone: quiet?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    passes: quiet?.urgent_passes ?? true,
  };
}

function Settings({ settings }: { settings: AlertSettings }) {
  const t = useTexts(alertTexts);
  const [values, setValues] = useState(() => chosenOf(settings));
  const [secret, setSecret] = useState<string | null>(null);
  const set = (changes: Partial<Chosen>) => setValues((before) => ({ ...before, ...changes }));
  const { mail, webhook, url, format, isQuiet, from, to, zone, passes } = values;
  const form = useFormState([
    ...['webhook.url', 'webhook.format', 'quiet_hours.from', 'quiet_hours.to', 'quiet_hours.time_zone'],
  ]);
  const params = {
    mail_alerts: [...mail],
    webhook: url.trim() === '' ? null : { url: url.trim(), format, alerts: [...webhook] },
    quiet_hours: isQuiet ? { from, to, time_zone: zone, urgent_passes: passes } : null,
  };
  const save = useAction((api) => api.auth.putAlerts(params), {
    done: t.saved,
    changes: ['alerts'],
    onDone: (answer) => setSecret(answer.webhook?.secret ?? null),
    isQuiet: true,
  });
  return (
    <SettingsCard
      title={t.which}
      form={form}
      mayAct
      act={() => save.mutateAsync()}
      call={(api) => api.auth.putAlerts(params)}
    >
      {settings.mail_problem === null ? null : (
        <Alert color="yellow" title={t.mailProblem} icon={<Icon name="warning" />}>
          {settings.mail_problem}
        </Alert>
      )}
      <AlertTable values={values} set={set} urgent={settings.urgent_alerts} />
      <Title order={3}>{t.webhook}</Title>
      <div className="mk-fields">
        <TextInput
          label={t.url}
          description={t.urlHint}
          type="url"
          value={url}
          error={form.errors['webhook.url']}
          onChange={(event) => set({ url: event.currentTarget.value })}
        />
        <Select
          label={t.format}
          data={FORMATS.map((value) => ({ value, label: t.formats[value] }))}
          value={format}
          allowDeselect={false}
          error={form.errors['webhook.format']}
          onChange={(value) => set({ format: value ?? 'slack' })}
        />
      </div>
      {secret === null ? null : <ShownOnce title={t.secret} hint={t.secretHint} value={secret} />}
      <Title order={3}>{t.quiet}</Title>
      <Switch
        label={t.quietOn}
        description={t.quietHint}
        checked={isQuiet}
        onChange={(event) => set({ isQuiet: event.currentTarget.checked })}
      />
      {isQuiet ? <QuietHours values={values} set={set} errors={form.errors} /> : null}
    </SettingsCard>
  );
}

interface PartProps {
  values: Chosen;
  set: (changes: Partial<Chosen>) => void;
}

function AlertTable({ values, set, urgent }: PartProps & { urgent: readonly AlertName[] }) {
  const t = useTexts(alertTexts);
  const ways = ['mail', 'webhook'] as const;
  const groups = [
    { label: t.forOperators, names: OF_SERVER },
    { label: t.forEverybody, names: OF_ORGANIZATION },
  ];
  return (
    <div className="mk-table-frame" role="region" aria-label={t.which} tabIndex={0}>
      <table className="mk-table">
        <thead>
          <tr>
            <th scope="col">{t.alert}</th>
            {ways.map((way) => (
              <th key={way} scope="col">
                {t[way]}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map(({ label, names }) => (
          <tbody key={label}>
            <tr>
              <th scope="colgroup" colSpan={3}>
                {label}
              </th>
            </tr>
            {names.map((name) => (
              <tr key={name}>
                <td>
                  <Group gap="xs">
                    {t.names[name]}
                    {urgent.includes(name) ? (
                      <Status of="urgent" tone="warn">
                        {t.urgent}
                      </Status>
                    ) : null}
                  </Group>
                </td>
                {ways.map((way) => (
                  <td key={way}>
                    <Checkbox
                      aria-label={t.by(t.names[name], t[way])}
                      checked={values[way].includes(name)}
                      disabled={way === 'webhook' && values.url.trim() === ''}
                      onChange={(event) =>
                        set({
                          [way]: event.currentTarget.checked
                            ? [...values[way], name]
                            : values[way].filter((one) => one !== name),
                        })
                      }
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function QuietHours({
  values: { from, to, zone, passes },
  set,
  errors,
}: PartProps & { errors: Record<string, string | undefined> }) {
  const t = useTexts(alertTexts);
  const zones = [...new Set(['UTC', zone, ...Intl.supportedValuesOf('timeZone')])];
  return (
    <>
      <div className="mk-fields">
        <TextInput
          label={t.from}
          type="time"
          required
          value={from}
          error={errors['quiet_hours.from']}
          onChange={(event) => set({ from: event.currentTarget.value })}
        />
        <TextInput
          label={t.to}
          type="time"
          required
          value={to}
          error={errors['quiet_hours.to']}
          onChange={(event) => set({ to: event.currentTarget.value })}
        />
        <SearchSelect
          label={t.zone}
          data={zones}
          value={zone}
          allowDeselect={false}
          limit={100}
          error={errors['quiet_hours.time_zone']}
          onChange={(value) => set({ zone: value ?? 'UTC' })}
        />
      </div>
      <Switch
        label={t.passes}
        checked={passes}
        onChange={(event) => set({ passes: event.currentTarget.checked })}
      />
    </>
  );
}

function Notices() {
  const t = useTexts(alertTexts);
  const { cursor } = useSearchTexts();
  const list = useList(
    ['alert-notices'],
    (api, from, signal) =>
      api.auth.listAlertNotices({ limit: 20, ...(from ? { cursor: from } : {}) }, { signal }),
    { cursor, every: 5_000 },
  );
  return (
    <Card title={t.sent}>
      <DataTable
        label={t.sent}
        list={list}
        rowKey={({ id }) => id}
        empty={{ icon: 'info', title: t.emptyTitle, children: t.empty }}
        columns={[
          { key: 'alert', label: t.alert, cell: (row) => <NoticeCell notice={row} /> },
          { key: 'way', label: t.way, cell: ({ way }) => t[way], isWide: true },
          { key: 'status', label: t.status, cell: ({ status }) => <Status of={status} /> },
          { key: 'when', label: t.when, align: 'right', cell: (row) => <Time at={row.created_at} /> },
        ]}
      />
    </Card>
  );
}

function NoticeCell({ notice: { title, stage, error } }: { notice: AlertNotice }) {
  const t = useTexts(alertTexts);
  return (
    <>
      <Text size="sm">{`${t.stages[stage]}: ${title}`}</Text>
      {error === null ? null : (
        <Text size="xs" c="var(--mk-bad)">
          {error}
        </Text>
      )}
    </>
  );
}
