// One approval: the message as its recipients would see it, its sender, its differences from the policy, and the decision.
import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import type { ApprovalDetail, PolicyDifference } from '@mailkeel/sdk';
import { useEffect, useMemo, useState } from 'react';
import { usePathPart } from '../../data/address.js';
import { useRole } from '../../data/place.js';
import { useAction, useList, useRead } from '../../data/read.js';
import { approvals } from '../../texts/approvals.js';
import { message as messageTexts } from '../../texts/message.js';
import { useTexts } from '../../texts/texts.js';
import { Copyable } from '../../ui/code-block.js';
import { Time } from '../../ui/format.js';
import { useGo } from '../../ui/links.js';
import { Card, Facts, PageHead } from '../../ui/page.js';
import { mailbox } from '../../ui/mailbox.js';
import { RecordLink } from '../../ui/record-link.js';
import { useShortcuts } from '../../ui/shortcuts.js';
import { Shown } from '../../ui/states.js';
import { Status } from '../../ui/status.js';
import { Content, ContentParts } from '../messages/message-content.js';
import { EditMessage, RejectMessage } from './approval-dialogs.js';

/** Messages among which the keys j and k move. */
const MOST_NEIGHBORS = 100;
/** Time (ms) for which a message that was just opened cannot be approved. The second click of a double click would approve it unread. */
const OPENING_MS = 700;

export function ApprovalPage() {
  const id = usePathPart('id');
  const found = useRead(['approvals', id], (api, signal) => api.approvals.get(id, { signal }));
  return <Shown of={found}>{(approval) => <OneApproval key={id} approval={approval} />}</Shown>;
}

function OneApproval({ approval }: { approval: ApprovalDetail }) {
  const t = useTexts(approvals);
  const { id, subject, status, to, problem, restored_at: restoredAt } = approval;
  return (
    <>
      <PageHead
        title={subject === null || subject === '' ? t.noSubject : subject}
        badge={<Status of={status} />}
        about={to}
        back={{ to: '/approvals', label: t.title }}
        actions={<Actions approval={approval} />}
        calls={[(api) => api.approvals.get(id)]}
      />
      <Stack gap="lg">
        {status === 'pending' && problem !== null ? <Alert color="yellow">{problem}</Alert> : null}
        {restoredAt === null ? null : (
          <Alert color="yellow">
            {t.restored} <Time at={restoredAt} />
          </Alert>
        )}
        <Differences of={approval.differences} />
        <div className="mk-split">
          <Card title={t.content}>
            <MailContent approval={approval} />
          </Card>
          <Stack gap="lg" miw={0}>
            <Recipients approval={approval} />
            <RequestFacts approval={approval} />
          </Stack>
        </div>
      </Stack>
    </>
  );
}

/** The next and previous message that waits; null at the ends. */
function useNeighbors(id: string): { next: string | null; previous: string | null } {
  const list = useList(['approvals', 'neighbors'], (api, _cursor, signal) =>
    api.approvals.list({ status: ['pending'], limit: MOST_NEIGHBORS }, { signal }),
  );
  const ids = list.data?.rows.map((row) => row.id) ?? [];
  const at = ids.indexOf(id);
  return { next: ids[at + 1] ?? null, previous: at > 0 ? (ids[at - 1] ?? null) : null };
}

function useIsOpened(): boolean {
  const [isOpened, setIsOpened] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOpened(true), OPENING_MS);
    return () => clearTimeout(timer);
  }, []);
  return isOpened;
}

function Actions({ approval }: { approval: ApprovalDetail }) {
  const t = useTexts(approvals);
  const go = useGo();
  const mayAct = useRole('member');
  const [open, setOpen] = useState<'reject' | 'edit' | null>(null);
  const { id, content_hash } = approval;
  const { next, previous } = useNeighbors(id);
  const isPending = mayAct && approval.status === 'pending';
  const onDone = () => go(next === null ? '/approvals' : `/approvals/${next}`);
  const approve = useAction((api) => api.approvals.approve(id, { content_hash }), {
    done: t.approved,
    changes: ['approvals', 'messages'],
    onDone,
  });
  const isOpened = useIsOpened();
  const mayApprove = isPending && isOpened && approval.problem === null && !approve.isPending;
  const actions = useMemo(
    () => ({
      a: mayApprove ? () => approve.mutate() : null,
      r: isPending ? () => setOpen('reject') : null,
      j: next === null ? null : () => go(`/approvals/${next}`),
      k: previous === null ? null : () => go(`/approvals/${previous}`),
    }),
    [mayApprove, isPending, next, previous, approve, go],
  );
  useShortcuts(actions);
  return (
    <>
      <Group gap="xs">
        <Button variant="default" disabled={previous === null} onClick={() => void actions.k?.()}>
          {t.previous}
        </Button>
        <Button variant="default" disabled={next === null} onClick={() => void actions.j?.()}>
          {t.next}
        </Button>
        {isPending ? (
          <>
            {approval.editable ? (
              <Button variant="default" onClick={() => setOpen('edit')}>
                {t.edit}
              </Button>
            ) : null}
            <Button
              variant="default"
              className="mk-danger"
              aria-keyshortcuts="r"
              onClick={() => setOpen('reject')}
            >
              {t.reject}
            </Button>
            <Button
              aria-keyshortcuts="a"
              disabled={approval.problem !== null || !isOpened}
              loading={approve.isPending}
              onClick={() => approve.mutate()}
            >
              {t.approve}
            </Button>
          </>
        ) : null}
      </Group>
      {open === 'reject' ? (
        <RejectMessage approval={approval} onClose={() => setOpen(null)} onDone={onDone} />
      ) : null}
      {open === 'edit' ? <EditMessage approval={approval} onClose={() => setOpen(null)} /> : null}
    </>
  );
}

function Differences({ of }: { of: readonly PolicyDifference[] }) {
  const t = useTexts(approvals);
  if (of.length === 0) return null;
  const fields: Readonly<Record<string, string>> = t.fields;
  return (
    <Alert color="yellow" title={t.outsideTitle}>
      <Text size="sm" mb="xs">
        {t.outsideHint}
      </Text>
      <List size="sm">
        {of.map(({ field, value }) => (
          <List.Item key={`${field} ${value}`} style={{ overflowWrap: 'anywhere' }}>
            {fields[field] ?? field}: <strong>{value}</strong>
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/**
 * The same view as on the message's page. The approval contains the content that belongs to its `content_hash`, because content
 * read separately could be another version's.
 */
function MailContent({ approval }: { approval: ApprovalDetail }) {
  const { message_id: id, status, content } = approval;
  const { facts } = useTexts(messageTexts);
  const found = useRead(['messages', id], (api, signal) => api.messages.get(id ?? '', { signal }), {
    isOff: id === null,
  });
  return (
    <Shown of={found}>
      {(message) => (
        <Stack>
          <Facts
            of={[
              [facts.from, mailbox(message.from)],
              message.reply_to === null ? null : [facts.replyTo, mailbox(message.reply_to)],
            ]}
          />
          {status === 'pending' ? (
            <ContentParts message={message} content={content} />
          ) : (
            <Content message={message} />
          )}
        </Stack>
      )}
    </Shown>
  );
}

function Recipients({ approval: { messages, differences } }: { approval: ApprovalDetail }) {
  const t = useTexts(approvals);
  const outside = differences.flatMap(({ field, value }) => (field === 'allowed_recipients' ? [value] : []));
  return (
    <Card title={t.recipients}>
      <List size="sm" listStyleType="none">
        {messages.map(({ message_id: id, to, recipient_role: role, status }) => (
          <List.Item key={id} style={{ overflowWrap: 'anywhere' }}>
            <Text span c="dimmed" size="sm" tt="capitalize">
              {role}
            </Text>{' '}
            {outside.includes(to) ? <strong>{to}</strong> : to}{' '}
            {status === 'queued' ? null : <Status of={status} />}
          </List.Item>
        ))}
      </List>
    </Card>
  );
}

function RequestFacts({ approval }: { approval: ApprovalDetail }) {
  const t = useTexts(approvals);
  const { api_key: key, sub_tenant_id: tenant, decided_at: decidedAt, decided_by: person, note } = approval;
  return (
    <Card title={t.facts}>
      <Facts
        isStacked
        of={[
          [t.message, approval.message_id === null ? null : <RecordLink key="id" id={approval.message_id} />],
          [t.key, key.name ?? key.id],
          key.owner === null ? null : [t.owner, key.owner.email ?? key.owner.id],
          tenant === null ? null : [t.subTenant, <RecordLink key="tenant" id={tenant} />],
          [t.waitingSince, <Time key="since" at={approval.created_at} isFull />],
          approval.status === 'pending'
            ? [t.expires, <Time key="end" at={approval.expires_at} isFull />]
            : null,
          [t.version, t.versionOf(approval.version)],
          decidedAt === null ? null : [t.decidedAt, <Time key="at" at={decidedAt} isFull />],
          person === null ? null : [t.decidedBy, person.email ?? person.id],
          note === null ? null : [t.note, note],
          [t.hash, <Copyable key="hash" value={approval.content_hash} label={t.hash} />],
        ]}
      />
      {approval.status === 'pending' ? (
        <Text size="xs" c="dimmed" mt="md">
          {approval.editable ? '' : `${t.fixed} `}
          {t.keys}
        </Text>
      ) : null}
    </Card>
  );
}
