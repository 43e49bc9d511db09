// Who may sign in, with roles, and who is invited.
import { Button, Select, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Invitation, Member, Role } from '@mailkeel/sdk';
import { usePlace, useRole } from '../../data/place.js';
import { useAction, useList } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { organization } from '../../texts/organization.js';
import { useTexts } from '../../texts/texts.js';
import { Confirm } from '../../ui/confirm.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { useFilters } from '../../ui/filters.js';
import { Time } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { Person } from '../../ui/initials.js';
import { PageLink } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { Status, useStatusText } from '../../ui/status.js';
import { Invite, RemoveMember } from './people-dialogs.js';

const ROLES: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];

export function PeoplePage() {
  const t = useTexts(organization).people;
  const mayAct = useRole('admin');
  const { cursor } = useFilters([]);
  const [isInviting, setInviting] = useState(false);
  const [leaving, setLeaving] = useState<Member | null>(null);
  const members = useList<Member>(
    ['members', 'list'],
    (api, from, signal) => api.members.list(from ? { cursor: from } : {}, { signal }),
    { cursor },
  );
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.members.list(), (api) => api.invitations.list()]}
        actions={
          mayAct ? (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setInviting(true)}>
              {t.invite}
            </Button>
          ) : null
        }
      />
      <DataTable
        label={t.title}
        list={members}
        rowKey={({ id }) => id}
        empty={{ icon: 'people', title: t.emptyTitle }}
        columns={useMemberColumns(mayAct, setLeaving)}
      />
      {mayAct ? <Invitations /> : null}
      {isInviting ? <Invite onClose={() => setInviting(false)} /> : null}
      {leaving === null ? null : <RemoveMember member={leaving} onClose={() => setLeaving(null)} />}
    </>
  );
}

function useMemberColumns(mayAct: boolean, remove: (member: Member) => void): Column<Member>[] {
  const t = useTexts(organization).people;
  const frame = useTexts(common);
  const { session } = usePlace();
  const columns: Column<Member>[] = [
    {
      key: 'person',
      label: t.person,
      cell: ({ id, email, name }) => (
        <Person name={name ?? email}>
          <PageLink to="/audit-log" search={{ actor_id: id }} className="mk-clip">
            {name ?? email}
          </PageLink>
          <Text size="xs" c="dimmed" className="mk-clip">
            {id === session.user.id ? `${t.you} · ` : ''}
            {email}
          </Text>
        </Person>
      ),
    },
    { key: 'role', label: t.role, cell: (row) => <RoleOf member={row} mayAct={mayAct} /> },
    {
      key: 'approves',
      label: t.approves,
      isWide: true,
      cell: (row) => <ApprovesOf member={row} mayAct={mayAct} />,
    },
    { key: 'factor', label: t.factor, isWide: true, cell: ({ totp }) => (totp ? frame.yes : frame.no) },
    {
      key: 'since',
      label: t.since,
      align: 'right',
      isWide: true,
      cell: (row) => <Time at={row.created_at} />,
    },
  ];
  if (mayAct) {
    columns.push({
      key: 'remove',
      label: t.remove,
      align: 'right',
      cell: (row) => (
        <Button
          size="compact-xs"
          variant="default"
          className="mk-danger"
          aria-label={`${t.remove}: ${row.name ?? row.email}`}
          onClick={() => remove(row)}
        >
          {t.remove}
        </Button>
      ),
    });
  }
  return columns;
}

/** Only owners can make owners. The server keeps the last owner. */
function RoleOf({ member, mayAct }: { member: Member; mayAct: boolean }) {
  const t = useTexts(organization).people;
  const word = useStatusText();
  const isOwner = useRole('owner');
  const change = useAction((api, role: Role) => api.members.update(member.id, { role }), {
    done: t.roleChanged,
    changes: ['members'],
  });
  if (!mayAct || (member.role === 'owner' && !isOwner)) return word(member.role);
  return (
    <Select
      size="xs"
      maw={140}
      aria-label={t.roleOf(member.name ?? member.email)}
      data={ROLES.filter((role) => isOwner || role !== 'owner').map((value) => ({
        value,
        label: word(value),
      }))}
      value={member.role}
      disabled={change.isPending}
      onChange={(role) => {
        if (role !== null && role !== member.role) change.mutate(role);
      }}
    />
  );
}

/** Owners and admins always approve, and viewers never do. */
function ApprovesOf({ member, mayAct }: { member: Member; mayAct: boolean }) {
  const t = useTexts(organization).people;
  const frame = useTexts(common);
  const change = useAction((api, can_approve: boolean) => api.members.update(member.id, { can_approve }), {
    done: t.approvesChanged,
    changes: ['members'],
  });
  if (!mayAct || member.role !== 'member') return member.can_approve ? frame.yes : frame.no;
  return (
    <Switch
      size="sm"
      aria-label={t.approvesOf(member.name ?? member.email)}
      checked={member.can_approve}
      disabled={change.isPending}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  );
}

function Invitations() {
  const t = useTexts(organization).people;
  const word = useStatusText();
  const [revoked, setRevoked] = useState<Invitation | null>(null);
  const list = useList<Invitation>(['invitations', 'list'], (api, _cursor, signal) =>
    api.invitations.list({}, { signal }),
  );
  return (
    <section>
      <Title order={2} mt="xl" mb="sm">
        {t.invitations}
      </Title>
      <DataTable
        label={t.invitations}
        list={list}
        rowKey={({ id }) => id}
        empty={{ icon: 'mail', title: t.invitationsNone, children: t.invitationsNoneHint }}
        columns={[
          { key: 'email', label: t.email, cell: ({ email }) => <span className="mk-clip">{email}</span> },
          { key: 'status', label: word('status'), cell: ({ status }) => <Status of={status} /> },
          { key: 'role', label: t.role, isWide: true, cell: ({ role }) => word(role) },
          {
            key: 'expires',
            label: t.expires,
            align: 'right',
            isWide: true,
            cell: (row) => (row.status === 'pending' ? <Time at={row.expires_at} /> : '–'),
          },
          {
            key: 'revoke',
            label: t.revoke,
            align: 'right',
            cell: (row) =>
              row.status === 'pending' ? (
                <Button
                  size="compact-xs"
                  variant="default"
                  className="mk-danger"
                  aria-label={`${t.revoke}: ${row.email}`}
                  onClick={() => setRevoked(row)}
                >
                  {t.revoke}
                </Button>
              ) : null,
          },
        ]}
      />
      {revoked === null ? null : <Revoke invitation={revoked} onClose={() => setRevoked(null)} />}
    </section>
  );
}

function Revoke({ invitation: { id, email }, onClose }: { invitation: Invitation; onClose: () => void }) {
  const t = useTexts(organization).people;
  const revoke = useAction((api) => api.invitations.revoke(id), {
    done: t.revoked,
    changes: ['invitations'],
    isQuiet: true,
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={t.revokeTitle(email)}
      action={t.revoke}
      onConfirm={() => revoke.mutateAsync()}
      call={(api) => api.invitations.revoke(id)}
    >
      {t.revokeHint}
    </Confirm>
  );
}
