// The workspaces of the organization: made, renamed, how long they keep messages, and the way there.
import { Anchor, Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { RetentionMode, Workspace, WorkspaceCreated } from '@posthorn/sdk';
import { useSessionRefresh } from '../../app/session.js';
import { usePlace } from '../../data/place.js';
import { useAction, useList } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { settings } from '../../texts/settings.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { DataTable } from '../../ui/data-table.js';
import { useFilters } from '../../ui/filters.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { Time } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { ShownOnce } from '../../ui/secret.js';
import { Status } from '../../ui/status.js';

const FIELDS = ['name', 'retention_days', 'retention_mode', 'api_keys'];

type Dialog = 'new' | Workspace | null;

export function Workspaces({ mayAct }: { mayAct: boolean }) {
  const { workspaces: t } = useTexts(settings);
  const frame = useTexts(common);
  const { workspace: here, environment } = usePlace();
  const { cursor } = useFilters([]);
  const [dialog, setDialog] = useState<Dialog>(null);
  const list = useList<Workspace>(
    ['workspaces', 'list'],
    (api, after, signal) =>
      api.workspaces.list({ limit: 50, ...(after ? { cursor: after } : {}) }, { signal }),
    { cursor },
  );
  const close = () => setDialog(null);
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <Text c="dimmed" maw={640}>
          {t.about}
        </Text>
        {mayAct ? (
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setDialog('new')}>
            {t.create}
          </Button>
        ) : null}
      </Group>
      <DataTable
        label={t.title}
        list={list}
        rowKey={({ id }) => id}
        empty={{ icon: 'tenants', title: t.emptyTitle, children: t.empty }}
        columns={[
          {
            key: 'name',
            label: t.name,
            cell: ({ id, name }) => (
              <Group gap="xs" wrap="nowrap">
                <Anchor component={Link} to={`/${id}/${environment}`} className="ph-clip">
                  {name}
                </Anchor>
                {id === here.id ? <Status of="active">{t.here}</Status> : null}
              </Group>
            ),
          },
          { key: 'kept', label: t.retention, cell: (workspace) => <Kept workspace={workspace} /> },
          {
            key: 'created',
            label: frame.created,
            isWide: true,
            cell: ({ created_at: at }) => <Time at={at} />,
          },
          {
            key: 'edit',
            label: '',
            align: 'right',
            cell: (workspace) =>
              mayAct ? (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t.editOf(workspace.name)}
                  onClick={() => setDialog(workspace)}
                >
                  {frame.edit}
                </Button>
              ) : null,
          },
        ]}
      />
      {dialog === null ? null : (
        <WorkspaceDialog workspace={dialog === 'new' ? null : dialog} onClose={close} />
      )}
    </Stack>
  );
}

function Kept({ workspace: { retention_days: days, retention_mode: mode } }: { workspace: Workspace }) {
  const { workspaces: t } = useTexts(settings);
  if (days === null) return t.asConfigured;
  const time = days === 0 ? t.forEver : t.days(days);
  return mode === null || days === 0 ? time : `${time}, ${t.mode[mode]}`;
}

/** Null for a new one. */
function WorkspaceDialog({ workspace, onClose }: { workspace: Workspace | null; onClose: () => void }) {
  const { workspaces: t } = useTexts(settings);
  const frame = useTexts(common);
  const form = useFormState(FIELDS);
  const refresh = useSessionRefresh();
  const [name, setName] = useState(workspace?.name ?? '');
  const [days, setDays] = useState(String(workspace?.retention_days ?? ''));
  const [mode, setMode] = useState<RetentionMode | ''>(workspace?.retention_mode ?? '');
  const [wantsKeys, setWantsKeys] = useState(true);
  const [made, setMade] = useState<WorkspaceCreated | null>(null);
  const params = {
    name,
    retention_days: days.trim() === '' ? null : Number(days),
    retention_mode: mode === '' ? null : mode,
  };
  const options = { changes: ['workspaces'], onDone: refresh, isQuiet: true };
  const create = useAction((api) => api.workspaces.create({ ...params, api_keys: wantsKeys }), options);
  const update = useAction((api, id: string) => api.workspaces.update(id, params), {
    ...options,
    done: frame.saved,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={workspace === null ? t.create : t.editOf(workspace.name)}
      submit={workspace === null ? frame.create : frame.save}
      form={form}
      extra={
        <CallsButton
          calls={[
            (api) =>
              workspace === null
                ? api.workspaces.create({ ...params, api_keys: wantsKeys })
                : api.workspaces.update(workspace.id, params),
          ]}
        />
      }
      act={async () => {
        if (workspace === null) setMade(await create.mutateAsync());
        else await update.mutateAsync(workspace.id);
      }}
      result={workspace === null ? made !== null && <Made made={made} /> : null}
    >
      <TextInput
        label={t.name}
        required
        data-autofocus
        value={name}
        error={form.errors['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput
        label={t.retentionDays}
        description={t.retentionHint}
        inputMode="numeric"
        pattern="[0-9]*"
        value={days}
        error={form.errors['retention_days']}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
      <Select
        label={t.retentionMode}
        data={(['', 'redact', 'delete'] as const).map((value) => ({ value, label: t.modes[value] }))}
        value={mode}
        error={form.errors['retention_mode']}
        onChange={(value) => setMode(value ?? '')}
      />
      {workspace === null ? (
        <Checkbox
          label={t.keys}
          checked={wantsKeys}
          onChange={(event) => setWantsKeys(event.currentTarget.checked)}
        />
      ) : null}
    </FormDialog>
  );
}

function Made({ made }: { made: WorkspaceCreated }) {
  const { workspaces: t } = useTexts(settings);
  const { environment } = usePlace();
  return (
    <>
      <Group justify="space-between">
        <Text role="status">{t.made}</Text>
        <Anchor component={Link} to={`/${made.id}/${environment}`}>
          {t.open}
        </Anchor>
      </Group>
      {made.api_keys.map(({ id, mode, secret }) => (
        <ShownOnce key={id} title={mode === 'live' ? t.liveKey : t.testKey} hint={t.keyHint} value={secret} />
      ))}
    </>
  );
}
