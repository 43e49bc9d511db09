// This workspace, and all of the organization.
import { Anchor, Button, Checkbox, NumberInput, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { RetentionMode, Workspace, WorkspaceCreate, WorkspaceCreated } from '@mailkeel/sdk';
import { SESSION_KEY } from '../../app/session.js';
import { usePlace } from '../../data/place.js';
import { useAction, useList } from '../../data/read.js';
import { useVersion } from '../../data/versions.js';
import { common } from '../../texts/common.js';
import { organization } from '../../texts/organization.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { DataTable } from '../../ui/data-table.js';
import { useFilters } from '../../ui/filters.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { ShownOnce } from '../../ui/secret.js';
import { SettingsCard } from '../../ui/settings-card.js';

const MODES: readonly RetentionMode[] = ['redact', 'delete'];
const FIELDS = ['name', 'retention_days', 'retention_mode'];

/** The switcher shows names from the session. */
function useNewNames(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: SESSION_KEY });
}

interface WorkspaceFields {
  name: string;
  days: number | string;
  mode: RetentionMode | null;
}

function paramsOf({ name, days, mode }: WorkspaceFields) {
  return { name: name.trim(), retention_days: days === '' ? null : Number(days), retention_mode: mode };
}

function Fields({
  values: { name, days, mode },
  set,
  errors,
}: {
  values: WorkspaceFields;
  set: (changes: Partial<WorkspaceFields>) => void;
  errors: Record<string, string | undefined>;
}) {
  const t = useTexts(organization).settings;
  return (
    <>
      <TextInput
        label={t.name}
        required
        value={name}
        error={errors['name']}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <NumberInput
        label={t.retention}
        description={t.retentionHint}
        min={0}
        allowDecimal={false}
        hideControls
        value={days}
        error={errors['retention_days']}
        onChange={(value) => set({ days: value })}
      />
      <Select
        label={t.retentionMode}
        data={[
          { value: '', label: t.modeDefault },
          ...MODES.map((value) => ({ value, label: t.modes[value] })),
        ]}
        value={mode ?? ''}
        error={errors['retention_mode']}
        onChange={(value) => set({ mode: MODES.find((one) => one === value) ?? null })}
      />
    </>
  );
}

export function WorkspaceForm({ of, mayAct }: { of: Workspace; mayAct: boolean }) {
  const t = useTexts(organization).settings;
  const frame = useTexts(common);
  const newNames = useNewNames();
  const form = useFormState(FIELDS);
  const [values, setValues] = useState<WorkspaceFields>({
    name: of.name,
    days: of.retention_days ?? '',
    mode: of.retention_mode,
  });
  const params = paramsOf(values);
  const versioned = useVersion(of, true);
  const save = useAction((api) => versioned((options) => api.workspaces.update(of.id, params, options)), {
    done: frame.saved,
    changes: ['workspaces'],
    onDone: newNames,
    isQuiet: true,
  });
  return (
    <SettingsCard
      title={t.workspace}
      form={form}
      mayAct={mayAct}
      act={() => save.mutateAsync()}
      call={(api) => api.workspaces.update(of.id, params)}
    >
      <Fields
        values={values}
        set={(changes) => setValues((before) => ({ ...before, ...changes }))}
        errors={form.errors}
      />
    </SettingsCard>
  );
}

export function Workspaces({ mayAct }: { mayAct: boolean }) {
  const t = useTexts(organization).settings;
  const frame = useTexts(common);
  const format = useFormat();
  const { environment } = usePlace();
  const { cursor } = useFilters([]);
  const [isNew, setNew] = useState(false);
  const list = useList<Workspace>(
    ['workspaces', 'list'],
    (api, from, signal) => api.workspaces.list(from ? { cursor: from } : {}, { signal }),
    { cursor },
  );
  const kept = (days: number | null) =>
    days === null ? t.asConfigured : days === 0 ? t.forever : t.days(format.count(days));
  return (
    <section>
      <div className="mk-page-head">
        <div className="mk-page-title">
          <Title order={2}>{t.workspaces}</Title>
          <Text c="dimmed">{t.workspacesHint}</Text>
        </div>
        {mayAct ? (
          <Button variant="default" leftSection={<Icon name="plus" size={16} />} onClick={() => setNew(true)}>
            {t.newWorkspace}
          </Button>
        ) : null}
      </div>
      <DataTable
        label={t.workspaces}
        list={list}
        rowKey={({ id }) => id}
        empty={{ icon: 'tenants', title: t.workspaces }}
        columns={[
          {
            key: 'name',
            label: t.name,
            cell: ({ id, name }) => (
              <Anchor component={Link} to={`/${id}/${environment}`} className="mk-clip">
                {name}
              </Anchor>
            ),
          },
          { key: 'kept', label: t.retained, cell: (row) => kept(row.retention_days) },
          { key: 'at', label: frame.created, align: 'right', cell: (row) => <Time at={row.created_at} /> },
        ]}
      />
      {isNew ? <NewWorkspace onClose={() => setNew(false)} /> : null}
    </section>
  );
}

function NewWorkspace({ onClose }: { onClose: () => void }) {
  const t = useTexts(organization).settings;
  const newNames = useNewNames();
  const form = useFormState(FIELDS);
  const [values, setValues] = useState<WorkspaceFields>({ name: '', days: '', mode: null });
  const [hasKeys, setKeys] = useState(true);
  const [made, setMade] = useState<WorkspaceCreated | null>(null);
  const params: WorkspaceCreate = { ...paramsOf(values), api_keys: hasKeys };
  const make = useAction((api) => api.workspaces.create(params), {
    done: t.workspaceMade,
    changes: ['workspaces'],
    onDone: newNames,
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.newWorkspace}
      submit={t.newWorkspace}
      form={form}
      extra={<CallsButton calls={[(api) => api.workspaces.create(params)]} />}
      act={async () => {
        const workspace = await make.mutateAsync();
        if (workspace.api_keys.length === 0) onClose();
        else setMade(workspace);
      }}
      result={
        made !== null && (
          <Stack>
            {made.api_keys.map(({ id, mode, secret }) => (
              <ShownOnce key={id} title={t.keyOf[mode]} hint={t.keyHint} value={secret} />
            ))}
          </Stack>
        )
      }
    >
      <Fields
        values={values}
        set={(changes) => setValues((before) => ({ ...before, ...changes }))}
        errors={form.errors}
      />
      <Checkbox
        label={t.firstKeys}
        checked={hasKeys}
        onChange={(event) => setKeys(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
