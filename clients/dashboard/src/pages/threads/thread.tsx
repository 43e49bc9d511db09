// One conversation, and a reply to it.
import { Box, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Message, ThreadInFull } from '@mailkeel/sdk';
import { usePathPart } from '../../data/address.js';
import { useActors } from '../../data/people.js';
import { useRole } from '../../data/place.js';
import { useAction, useRead } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { threads } from '../../texts/threads.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { FormProblem, useFormState } from '../../ui/form.js';
import { Time } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { PageLink } from '../../ui/links.js';
import { PageHead } from '../../ui/page.js';
import { ReceivedRiskNotice } from '../../ui/received-risk.js';
import { Shown } from '../../ui/states.js';
import { MessageStatus } from '../../ui/message-status.js';
import { Status } from '../../ui/status.js';
import { SearchSelect } from '../../ui/search-select.js';
import { Tags, TagsField } from '../../ui/tags.js';
import { Drafts } from './drafts.js';

export function ThreadPage() {
  const id = usePathPart('id');
  const thread = useRead(['threads', id], (api, signal) => api.threads.get(id, { signal }));
  return <Shown of={thread}>{(found) => <OneThread thread={found} />}</Shown>;
}

function OneThread({ thread }: { thread: ThreadInFull }) {
  const t = useTexts(threads);
  const mayAct = useRole('member');
  const { id, recent } = thread;
  const isOpen = thread.status === 'open';
  const next = isOpen ? 'closed' : 'open';
  const change = useAction((api) => api.threads.update(id, { status: next }), { changes: ['threads'] });
  const mark = useAction((api) => api.threads.update(id, { unread: !thread.unread }), {
    changes: ['threads'],
  });
  return (
    <>
      <PageHead
        title={thread.subject === '' ? t.noSubject : thread.subject}
        badge={<Status of={thread.status} tone="quiet" />}
        about={thread.correspondent.email}
        back={{ to: '/threads', label: t.title }}
        calls={[(api) => api.threads.get(id)]}
        actions={
          mayAct ? (
            <Group gap="xs">
              <Button variant="default" loading={mark.isPending} onClick={() => mark.mutate()}>
                {thread.unread ? t.markRead : t.markUnread}
              </Button>
              <Button variant="default" loading={change.isPending} onClick={() => change.mutate()}>
                {isOpen ? t.close : t.reopen}
              </Button>
            </Group>
          ) : null
        }
      />
      <Stack maw={820}>
        <Assignee thread={thread} mayAct={mayAct} />
        {mayAct ? <Labels thread={thread} /> : <Tags of={thread.labels} />}
        {thread.messages > recent.length ? (
          <PageLink to="/messages" search={{ thread_id: id }}>
            {t.older(thread.messages)}
          </PageLink>
        ) : null}
        {recent.map((message) => (
          <Turn key={message.id} message={message} />
        ))}
        <Drafts threadId={id} />
        {mayAct ? <Reply thread={thread} /> : null}
      </Stack>
    </>
  );
}

function Assignee({
  thread: { id, assigned_to: assignee },
  mayAct,
}: {
  thread: ThreadInFull;
  mayAct: boolean;
}) {
  const t = useTexts(threads);
  const { clear } = useTexts(common).list;
  const { people, keys, nameOf } = useActors();
  const assign = useAction((api, to: string | null) => api.threads.update(id, { assigned_to: to }), {
    changes: ['threads'],
  });
  if (!mayAct) {
    return (
      <Text size="sm">
        {t.assignee}: {assignee === null ? t.nobody : nameOf(assignee)}
      </Text>
    );
  }
  const known = [...people, ...keys].some(({ value }) => value === assignee);
  const unknown = assignee === null || known ? [] : [{ value: assignee, label: nameOf(assignee) }];
  return (
    <SearchSelect
      label={t.assignee}
      placeholder={t.nobody}
      data={[
        { group: t.people, items: people },
        { group: t.keys, items: [...keys, ...unknown] },
      ]}
      value={assignee}
      disabled={assign.isPending}
      clearable
      clearButtonProps={{ 'aria-label': clear }}
      onChange={(to) => assign.mutate(to)}
      maw={360}
    />
  );
}

function Labels({ thread: { id, labels } }: { thread: ThreadInFull }) {
  const t = useTexts(threads);
  const form = useFormState(['labels']);
  const [wanted, setWanted] = useState(labels);
  const save = useAction((api) => api.threads.update(id, { labels: wanted }), {
    done: t.labelsSaved,
    changes: ['threads'],
    isQuiet: true,
  });
  const isChanged = wanted.join(' ') !== labels.join(' ');
  return (
    <form onSubmit={form.onSubmit(() => save.mutateAsync())}>
      <Stack gap="xs">
        <FormProblem form={form} />
        <TagsField
          label={t.labels}
          hint={t.labelsHint}
          tags={wanted}
          onChange={setWanted}
          error={form.errors['labels']}
        />
        {isChanged ? (
          <Group>
            <Button type="submit" variant="default" loading={form.isBusy}>
              {t.saveLabels}
            </Button>
          </Group>
        ) : null}
      </Stack>
    </form>
  );
}

/** One mail of the conversation: the new text of a received mail, or the text of a sent one. */
function Turn({ message }: { message: Message }) {
  const t = useTexts(threads);
  const isTheirs = message.direction === 'inbound';
  const { received } = message;
  return (
    <section className="mk-card" data-theirs={isTheirs}>
      <Group justify="space-between" mb="xs">
        <Group gap="xs">
          <Text fw={600}>{isTheirs ? (message.from.name ?? message.from.email) : t.you}</Text>
          {isTheirs ? <Authenticated message={message} /> : <MessageStatus of={message} />}
          {received?.auto_reply ? (
            <Text size="sm" c="dimmed">
              {t.auto}
            </Text>
          ) : null}
        </Group>
        <Text size="sm" c="dimmed">
          <Time at={message.created_at} />
        </Text>
      </Group>
      <Box mb="xs">
        <ReceivedRiskNotice risk={received?.risk} />
      </Box>
      {isTheirs ? <Received message={message} /> : <Sent id={message.id} />}
      <PageLink to={`/messages/${message.id}`} size="sm">
        {t.message}
      </PageLink>
    </section>
  );
}

function Authenticated({ message }: { message: Message }) {
  const t = useTexts(threads);
  const verdict = message.received?.authentication?.dmarc;
  if (verdict === undefined) return null;
  const isProved = verdict.result === 'pass';
  return (
    <Status of={isProved ? 'pass' : 'unknown'} tone={isProved ? 'good' : 'warn'}>
      {isProved ? t.authentication.pass : t.authentication.other}
    </Status>
  );
}

function Received({ message }: { message: Message }) {
  const t = useTexts(threads);
  const { received } = message;
  const quoted = received?.quoted_text ?? null;
  return (
    <>
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} mb="xs">
        {received?.visible_text ?? received?.text ?? ''}
      </Text>
      {quoted === null || quoted === '' ? null : (
        <details>
          <summary>{t.quoted}</summary>
          <Text c="dimmed" size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {quoted}
          </Text>
        </details>
      )}
    </>
  );
}

function Sent({ id }: { id: string }) {
  const content = useRead(['messages', id, 'content'], (api, signal) =>
    api.messages.getContent(id, { signal }),
  );
  return (
    <Shown of={content} lines={2}>
      {({ text, html }) => (
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} mb="xs">
          {text ?? html ?? ''}
        </Text>
      )}
    </Shown>
  );
}

function Reply({ thread: { id } }: { thread: ThreadInFull }) {
  const t = useTexts(threads);
  const form = useFormState(['text']);
  const [text, setText] = useState('');
  const send = useAction((api) => api.threads.reply(id, { text }), {
    done: t.sent,
    changes: ['threads', 'messages'],
    onDone: () => setText(''),
    isQuiet: true,
  });
  const draft = useAction((api) => api.drafts.create(id, { text }), {
    done: t.draftSaved,
    changes: ['drafts'],
    onDone: () => setText(''),
    isQuiet: true,
  });
  return (
    <form onSubmit={form.onSubmit(() => send.mutateAsync())} className="mk-card">
      <Stack>
        <FormProblem form={form} />
        <Textarea
          label={t.reply}
          required
          minRows={4}
          value={text}
          error={form.errors['text']}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" loading={form.isBusy} leftSection={<Icon name="reply" size={16} />}>
            {t.send}
          </Button>
          <Button
            variant="default"
            disabled={text === '' || form.isBusy}
            onClick={() => void form.submit(() => draft.mutateAsync())}
          >
            {t.saveDraft}
          </Button>
          <CallsButton
            calls={[(api) => api.threads.reply(id, { text }), (api) => api.drafts.create(id, { text })]}
          />
        </Group>
      </Stack>
    </form>
  );
}
