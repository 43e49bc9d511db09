// The people of the organization: their roles, and who is invited.
import { ActionIcon, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Member, Posthorn } from '@posthorn/sdk';
import { usePlace, useRole } from '../../data/place.js';
import { useList } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { people } from '../../texts/people.js';
import { useTexts } from '../../texts/texts.js';
import { DataTable } from '../../ui/data-table.js';
import { useFilters } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageLink } from '../../ui/links.js';
import { Card, Facts, PageHead } from '../../ui/page.js';
import { Status, useStatusText } from '../../ui/status.js';
import { Invitations } from './invitations.js';
import { ChangeRole, Invite, RemoveMember, ROLES } from './people-dialogs.js';

type Dialog = { kind: 'invite' } | { kind: 'role' | 'remove'; member: Member } | null;

export function PeoplePage() {
  const t = useTexts(people);
  const mayAct = useRole('admin');
  const { cursor } = useFilters([]);
  const [dialog, setDialog] = useState<Dialog>(null);
  const close = () => setDialog(null);
  const list = useList<Member>(
    ['members', 'list'],
    (api, after, signal) => api.members.list({ limit: 50, ...(after ? { cursor: after } : {}) }, { signal }),
    { cursor },
  );
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.members.list(), ...(mayAct ? [(api: Posthorn) => api.invitations.list()] : [])]}
        actions={
          mayAct ? (
            <Button
              leftSection={<Icon name="plus" size={16} />}
              onClick={() => setDialog({ kind: 'invite' })}
            >
              {t.invite}
            </Button>
          ) : null
        }
      />
      <Stack>
        <Members list={list} onChoose={setDialog} />
        {mayAct ? null : (
          <Text size="sm" c="dimmed">
            {t.onlyAdmins}
          </Text>
        )}
        {mayAct ? <Invitations /> : null}
        <Roles />
      </Stack>
      {dialog?.kind === 'invite' ? <Invite onClose={close} /> : null}
      {dialog?.kind === 'role' ? <ChangeRole member={dialog.member} onClose={close} /> : null}
      {dialog?.kind === 'remove' ? <RemoveMember member={dialog.member} onClose={close} /> : null}
    </>
  );
}

function Roles() {
  const { roles: t } = useTexts(people);
  const word = useStatusText();
  return (
    <Card title={t.title}>
      <Facts of={ROLES.map((role) => [word(role), t[role]])} />
    </Card>
  );
}

function Members({
  list,
  onChoose,
}: {
  list: ReturnType<typeof useList<Member>>;
  onChoose: (dialog: Dialog) => void;
}) {
  const t = useTexts(people);
  const word = useStatusText();
  const { session } = usePlace();
  return (
    <DataTable
      label={t.title}
      list={list}
      rowKey={({ id }) => id}
      empty={{ icon: 'people', title: t.emptyTitle, children: t.empty }}
      columns={[
        {
          key: 'person',
          label: t.person,
          cell: ({ id, name, email }) => (
            <>
              <Group gap="xs" wrap="nowrap">
                <PageLink to="/audit-log" search={{ actor_id: id }} className="ph-clip">
                  {name ?? email}
                </PageLink>
                {id === session.user.id ? (
                  <Text span size="xs" c="dimmed">
                    {t.you}
                  </Text>
                ) : null}
              </Group>
              {name === null ? null : (
                <Text size="xs" c="dimmed" className="ph-clip">
                  {email}
                </Text>
              )}
            </>
          ),
        },
        { key: 'role', label: t.role, cell: ({ role }) => word(role) },
        {
          key: 'factor',
          label: t.factor,
          isWide: true,
          cell: ({ totp }) => (
            <Status of={totp ? 'enabled' : 'disabled'} tone={totp ? 'good' : 'quiet'}>
              {totp ? t.on : t.off}
            </Status>
          ),
        },
        {
          key: 'since',
          label: t.since,
          isWide: true,
          cell: ({ created_at: at }) => <Time at={at} />,
        },
        {
          key: 'more',
          label: '',
          align: 'right',
          cell: (member) => <MemberMenu member={member} onChoose={onChoose} />,
        },
      ]}
    />
  );
}

/** Nothing for who may do nothing: leaving is open to all, the rest to admins, and what concerns owners to owners. */
function MemberMenu({ member, onChoose }: { member: Member; onChoose: (dialog: Dialog) => void }) {
  const t = useTexts(people);
  const frame = useTexts(common);
  const { session } = usePlace();
  const isAdmin = useRole('admin');
  const isOwner = useRole('owner');
  const isSelf = member.id === session.user.id;
  const mayChange = isOwner || (isAdmin && member.role !== 'owner');
  if (!mayChange && !isSelf) return null;
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${frame.more}: ${member.name ?? member.email}`}
        >
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayChange ? (
          <Menu.Item onClick={() => onChoose({ kind: 'role', member })}>{t.changeRole}</Menu.Item>
        ) : null}
        <Menu.Item c="var(--ph-bad)" onClick={() => onChoose({ kind: 'remove', member })}>
          {isSelf ? t.leave : t.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
