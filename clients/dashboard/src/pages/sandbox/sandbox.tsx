// The sandbox inbox: messages on the left, the selected message and simulated actions on the right.
import { Group, Stack, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { MessageSummary } from '@mailkeel/sdk';
import { useRole } from '../../data/place.js';
import { useList, useRead } from '../../data/read.js';
import { sandbox } from '../../texts/sandbox.js';
import { useTexts } from '../../texts/texts.js';
import { CodeBlock } from '../../ui/code-block.js';
import { Time } from '../../ui/format.js';
import { useFilters, useSearchValue } from '../../ui/filters.js';
import { PageButton, PageLink } from '../../ui/links.js';
import { MailView } from '../../ui/mail-view.js';
import { Card, PageHead } from '../../ui/page.js';
import { EmptyState, Shown } from '../../ui/states.js';
import { MessageStatus } from '../../ui/message-status.js';
import { Simulate } from '../messages/message-actions.js';
import { SandboxAddresses } from './sandbox-addresses.js';

const TYPING_MS = 250;

export function SandboxPage() {
  const t = useTexts(sandbox);
  const mayAct = useRole('member');
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), TYPING_MS);
  const { cursor } = useFilters([]);
  const list = useList<MessageSummary>(
    ['messages', 'sandbox', q],
    (api, after, signal) =>
      api.messages.list(
        { view: 'summary', limit: 30, ...(q === '' ? {} : { q }), ...(after ? { cursor: after } : {}) },
        { signal },
      ),
    { cursor },
  );
  const [chosen, choose] = useSearchValue('message', '');
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[
          (api) => api.messages.list({ view: 'summary' }),
          (api) => api.messages.listSandboxAddresses(),
        ]}
        actions={mayAct ? <PageButton to="/messages/new">{t.send}</PageButton> : null}
      />
      <div className="mk-inbox">
        <section aria-label={t.list} className="mk-inbox-list">
          <TextInput
            aria-label={t.search}
            placeholder={t.search}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            m="sm"
          />
          <Shown of={list} lines={6}>
            {({ rows, nextCursor }) => (
              <>
                {rows.length === 0 ? (
                  <EmptyState icon="sandbox" title={t.emptyTitle}>
                    {t.empty}
                  </EmptyState>
                ) : null}
                <ul>
                  {rows.map((row) => (
                    <li key={row.id}>
                      <Row row={row} isChosen={row.id === chosen} choose={choose} />
                    </li>
                  ))}
                </ul>
                {nextCursor === null ? null : (
                  <PageLink to="/sandbox" search={{ cursor: nextCursor }} m="sm" display="block">
                    {t.older}
                  </PageLink>
                )}
              </>
            )}
          </Shown>
        </section>
        {chosen === '' ? <EmptyState icon="mail" title={t.choose} /> : <Reading key={chosen} id={chosen} />}
      </div>
      <SandboxAddresses />
    </>
  );
}

function Row({
  row,
  isChosen,
  choose,
}: {
  row: MessageSummary;
  isChosen: boolean;
  choose: (id: string) => void;
}) {
  const t = useTexts(sandbox);
  return (
    <UnstyledButton className="mk-inbox-row" aria-pressed={isChosen} onClick={() => choose(row.id)}>
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <Text fw={600} truncate>
          {row.from.name ?? row.from.email}
        </Text>
        <Text size="xs" c="dimmed">
          <Time at={row.created_at} />
        </Text>
      </Group>
      <Text truncate>{row.subject === '' ? t.noSubject : row.subject}</Text>
      <Group gap="xs" justify="space-between" wrap="nowrap">
        <Text size="sm" c="dimmed" truncate>
          {t.to(row.to)}
        </Text>
        <MessageStatus of={row} />
      </Group>
    </UnstyledButton>
  );
}

function Reading({ id }: { id: string }) {
  const t = useTexts(sandbox);
  const message = useRead(['messages', id], (api, signal) => api.messages.get(id, { signal }));
  const content = useRead(['messages', id, 'content'], (api, signal) =>
    api.messages.getContent(id, { signal }),
  );
  return (
    <Shown of={message} lines={6}>
      {(found) => (
        <Card>
          <Stack>
            <Group justify="space-between" align="flex-start">
              <div style={{ minWidth: 0, flex: '1 1 16rem' }}>
                <Text fw={600} size="lg" style={{ overflowWrap: 'anywhere' }}>
                  {found.subject === '' ? t.noSubject : found.subject}
                </Text>
                <Group gap="xs">
                  <MessageStatus of={found} />
                  <Text size="sm" c="dimmed">
                    {found.from.email} {t.to(found.to)}
                  </Text>
                </Group>
              </div>
              <Group gap="xs">
                {found.direction === 'outbound' ? <Simulate message={found} /> : null}
                <PageButton to={`/messages/${id}`} variant="default">
                  {t.open}
                </PageButton>
              </Group>
            </Group>
            <Shown of={content} lines={6}>
              {({ html, text }) =>
                html === null ? (
                  <CodeBlock code={text ?? ''} wraps label={found.subject} />
                ) : (
                  <MailView html={html} />
                )
              }
            </Shown>
          </Stack>
        </Card>
      )}
    </Shown>
  );
}
