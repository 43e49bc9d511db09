// Invitations that nobody has accepted yet.
import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { Invitation } from '@posthorn/sdk';
import { useActors } from '../../data/people.js';
import { useAction, useList } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { people } from '../../texts/people.js';
import { useTexts } from '../../texts/texts.js';
import { ConfirmButton } from '../../ui/confirm.js';
import { Time } from '../../ui/format.js';
import { Card } from '../../ui/page.js';
import { Shown } from '../../ui/states.js';
import { Status, useStatusText } from '../../ui/status.js';
import { Invite } from './people-dialogs.js';

const MOST = 100;

/** For admins: others may not read them. */
export function Invitations() {
  const t = useTexts(people);
  const list = useList<Invitation>(['invitations'], (api, _cursor, signal) =>
    api.invitations.list({ limit: MOST }, { signal }),
  );
  return (
    <Card title={t.invitations}>
      <Shown of={list} lines={2}>
        {({ rows }) => {
          const open = rows.filter(({ status }) => status === 'pending' || status === 'expired');
          return open.length === 0 ? <Text c="dimmed">{t.noInvitations}</Text> : <Table rows={open} />;
        }}
      </Shown>
    </Card>
  );
}

function Table({ rows }: { rows: readonly Invitation[] }) {
  const t = useTexts(people);
  const frame = useTexts(common);
  const { nameOf } = useActors();
  return (
    <div className="ph-table-frame" role="region" aria-label={t.invitations} tabIndex={0}>
      <table className="ph-table">
        <thead>
          <tr>
            <th scope="col">{t.email}</th>
            <th scope="col">{t.role}</th>
            <th scope="col">{frame.status}</th>
            <th scope="col" className="ph-wide">
              {t.invitedBy}
            </th>
            <th scope="col" className="ph-wide">
              {t.expires}
            </th>
            <th scope="col">
              <VisuallyHidden>{frame.more}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <InvitationRow key={one.id} invitation={one} by={nameOf(one.invited_by)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function InvitationRow({ invitation, by }: { invitation: Invitation; by: string }) {
  const word = useStatusText();
  const { email, role, status } = invitation;
  return (
    <tr>
      <td>
        <span className="ph-clip">{email}</span>
      </td>
      <td>{word(role)}</td>
      <td>
        <Status of={status} />
      </td>
      <td className="ph-wide">
        <span className="ph-clip">{by}</span>
      </td>
      <td className="ph-wide">
        <Time at={invitation.expires_at} />
      </td>
      <td data-align="right">
        <InvitationActions invitation={invitation} />
      </td>
    </tr>
  );
}

function InvitationActions({ invitation: { id, email, status } }: { invitation: Invitation }) {
  const t = useTexts(people);
  const [isInviting, setInviting] = useState(false);
  const revoke = useAction((api) => api.invitations.revoke(id), {
    done: t.revoked,
    changes: ['invitations'],
    isQuiet: true,
  });
  if (status === 'pending') {
    return (
      <ConfirmButton
        label={t.revoke}
        title={t.revokeOf(email)}
        action={t.revoke}
        call={(api) => api.invitations.revoke(id)}
        onConfirm={() => revoke.mutateAsync()}
      >
        {t.revokeHint}
      </ConfirmButton>
    );
  }
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={() => setInviting(true)}>
        {t.again}
      </Button>
      {isInviting ? <Invite email={email} onClose={() => setInviting(false)} /> : null}
    </Group>
  );
}
