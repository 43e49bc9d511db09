// The page of API keys: lists them with their usage, and creates, changes, rotates and revokes them.
import { Button, Group, Menu, Text } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey } from '@mailkeel/sdk';
import { usePlace } from '../../data/place.js';
import { useAction, useList, useRead } from '../../data/read.js';
import { useRecordName } from '../../data/names.js';
import { apiKeys } from '../../texts/api-keys.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/texts.js';
import { MoreMenu } from '../../ui/more-menu.js';
import { Confirm } from '../../ui/confirm.js';
import { DataTable } from '../../ui/data-table.js';
import { useFilters } from '../../ui/filters.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { OnlyFor } from '../../ui/only-for.js';
import { PageHead } from '../../ui/page.js';
import { Status, useStatusText } from '../../ui/status.js';
import { EditKey, NewKey, RotateKey, SesCredentials } from './key-dialogs.js';

type Dialog = { kind: 'new' } | { kind: 'edit' | 'rotate' | 'ses' | 'revoke'; key: ApiKey } | null;

export function ApiKeysPage() {
  const t = useTexts(apiKeys);
  return (
    <OnlyFor role="admin" title={t.title}>
      <ApiKeys />
    </OnlyFor>
  );
}

function ApiKeys() {
  const t = useTexts(apiKeys);
  const { environment } = usePlace();
  const { cursor } = useFilters([]);
  const [dialog, setDialog] = useState<Dialog>(null);
  const close = () => setDialog(null);
  const list = useList<ApiKey>(
    ['api-keys', 'list'],
    (api, after, signal) => api.apiKeys.list({ limit: 50, ...(after ? { cursor: after } : {}) }, { signal }),
    { cursor },
  );
  const usage = useRead(['api-keys', 'usage'], (api, signal) =>
    api.usage.listApiKeys({ days: 30, limit: 100 }, { signal }),
  );
  const sent = new Map((usage.data?.data ?? []).map((row) => [row.api_key_id, row.messages]));
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.apiKeys.list(), (api) => api.usage.listApiKeys({ days: 30 })]}
        actions={
          <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setDialog({ kind: 'new' })}>
            {t.create}
          </Button>
        }
      />
      <Keys list={list} sent={sent} onChoose={setDialog} />
      {dialog?.kind === 'new' ? <NewKey environment={environment} onClose={close} /> : null}
      {dialog?.kind === 'edit' ? <EditKey apiKey={dialog.key} onClose={close} /> : null}
      {dialog?.kind === 'rotate' ? <RotateKey apiKey={dialog.key} onClose={close} /> : null}
      {dialog?.kind === 'ses' ? <SesCredentials apiKey={dialog.key} onClose={close} /> : null}
      {dialog?.kind === 'revoke' ? <RevokeKey apiKey={dialog.key} onClose={close} /> : null}
    </>
  );
}

function Keys({
  list,
  sent,
  onChoose,
}: {
  list: ReturnType<typeof useList<ApiKey>>;
  sent: ReadonlyMap<string, number>;
  onChoose: (dialog: Dialog) => void;
}) {
  const t = useTexts(apiKeys);
  const frame = useTexts(common);
  const word = useStatusText();
  const format = useFormat();
  return (
    <DataTable
      label={t.title}
      list={list}
      rowKey={({ id }) => id}
      empty={{ icon: 'key', title: t.emptyTitle, children: t.empty }}
      columns={[
        {
          key: 'name',
          label: t.name,
          cell: (key) => (
            <>
              <Text fw={550} className="mk-clip">
                {key.name}
              </Text>
              {key.oauth_client_id === null ? (
                <Text size="xs" c="dimmed" className="mk-mono">
                  {key.key_prefix}…
                </Text>
              ) : (
                <Text size="xs" c="dimmed">
                  {t.connected}
                </Text>
              )}
            </>
          ),
        },
        {
          key: 'mode',
          label: t.environment,
          cell: ({ mode }) => (
            <Status of={mode} tone={mode === 'live' ? 'good' : 'warn'}>
              {mode === 'live' ? frame.live : frame.sandbox}
            </Status>
          ),
        },
        {
          key: 'permission',
          label: t.permission,
          cell: (key) => (
            <>
              {word(key.permission)}
              {key.sub_tenant_id === null ? null : <PinnedTo id={key.sub_tenant_id} />}
              {key.policy === null ? null : (
                <Text size="xs" c="dimmed">
                  {t.policy.label}
                </Text>
              )}
            </>
          ),
        },
        {
          key: 'maker',
          label: t.madeBy,
          isWide: true,
          cell: ({ made_by_email: email }) => <span className="mk-clip">{email ?? t.madeByOperator}</span>,
        },
        { key: 'used', label: t.lastUsed, isWide: true, cell: (key) => <Time at={key.last_used_at} /> },
        {
          key: 'sent',
          label: t.messages,
          isWide: true,
          align: 'right',
          cell: ({ id }) => format.count(sent.get(id) ?? 0),
        },
        {
          key: 'expires',
          label: t.expires,
          isWide: true,
          cell: (key) => (
            <Group gap="xs">
              <Time at={key.expires_at} />
              {key.replaced_by === null ? null : <Status of="expired">{t.replaced}</Status>}
            </Group>
          ),
        },
        {
          key: 'more',
          label: '',
          align: 'right',
          cell: (key) => <KeyMenu apiKey={key} onChoose={onChoose} />,
        },
      ]}
    />
  );
}

function KeyMenu({ apiKey: key, onChoose }: { apiKey: ApiKey; onChoose: (dialog: Dialog) => void }) {
  const t = useTexts(apiKeys);
  const hasSecret = key.oauth_client_id === null;
  return (
    <MoreMenu
      of={key.name}
      danger={<Menu.Item onClick={() => onChoose({ kind: 'revoke', key })}>{t.revoke}</Menu.Item>}
    >
      <Menu.Item onClick={() => onChoose({ kind: 'edit', key })}>{t.edit}</Menu.Item>
      {key.replaced_by === null && hasSecret ? (
        <Menu.Item onClick={() => onChoose({ kind: 'rotate', key })}>{t.rotate}</Menu.Item>
      ) : null}
      {hasSecret ? <Menu.Item onClick={() => onChoose({ kind: 'ses', key })}>{t.ses}</Menu.Item> : null}
    </MoreMenu>
  );
}

function RevokeKey({ apiKey: { id, name }, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useTexts(apiKeys);
  const revoke = useAction((api) => api.apiKeys.revoke(id), {
    done: t.revoked,
    changes: ['api-keys'],
    isQuiet: true,
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t.revokeTitle}
      action={t.revoke}
      call={(api) => api.apiKeys.revoke(id)}
      onConfirm={() => revoke.mutateAsync()}
    >
      {t.revokeHint(name)}
    </Confirm>
  );
}

/** The sub-tenant that a key is for. */
function PinnedTo({ id }: { id: string }) {
  const t = useTexts(apiKeys);
  const name = useRecordName(id);
  return (
    <Text size="xs" c="dimmed" className="mk-clip">
      {t.pinned(name ?? id)}
    </Text>
  );
}
