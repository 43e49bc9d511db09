// Open drafts of a thread: changed in place, sent and discarded. Unsaved text is kept when someone else changes or sends the draft.
import { Anchor, Button, Group, List, Stack, Text, Textarea } from '@mantine/core';
import type { Draft } from '@mailkeel/sdk';
import { useState } from 'react';
import { fileHref, shownFileName } from '../../data/files.js';
import { useActors } from '../../data/people.js';
import { usePlace, useRole } from '../../data/place.js';
import { useAction, useRead, useRefresh } from '../../data/read.js';
import { threads } from '../../texts/threads.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { ConfirmButton } from '../../ui/confirm.js';
import { FormProblem, useFormState, type FormState } from '../../ui/form.js';
import { Time, useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { LeaveGuard } from '../../ui/leave-guard.js';
import { MailFrame } from '../../ui/mail-frame.js';
import { Notice } from '../../ui/notice.js';
import { Status } from '../../ui/status.js';

const MOST = 50;

export function Drafts({ threadId }: { threadId: string }) {
  const list = useRead(
    ['drafts', threadId],
    async (api, signal) =>
      (await api.drafts.list({ thread_id: threadId, state: 'open', limit: MOST }, { signal })).data,
  );
  /** Drafts with unsaved text, by id. They stay visible even after someone else has sent or discarded them. */
  const [edited, setEdited] = useState<ReadonlyMap<string, Draft>>(new Map());
  const edit = (id: string, draft: Draft | null) =>
    setEdited((before) => {
      const after = new Map(before);
      if (draft === null) after.delete(id);
      else after.set(id, draft);
      return after;
    });
  const open = new Map((list.data ?? []).toReversed().map((draft) => [draft.id, draft]));
  const shown = new Map([...open, ...[...edited].filter(([id]) => !open.has(id))]);
  return (
    <>
      {[...shown.values()].map((draft) => (
        <OneDraft
          key={draft.id}
          draft={draft}
          isGone={list.data !== undefined && !open.has(draft.id)}
          onEdit={(isEdited) => edit(draft.id, isEdited ? draft : null)}
        />
      ))}
      <LeaveGuard isDirty={edited.size > 0} />
    </>
  );
}

interface DraftProps {
  draft: Draft;
  isGone: boolean;
  onEdit: (isEdited: boolean) => void;
}

/** The text, with the version that it was read from. */
function useDraftText({ draft, isGone, onEdit }: DraftProps) {
  const [read, setRead] = useState(draft);
  const [text, setText] = useState(draft.text ?? '');
  const isEdited = text !== (read.text ?? '');
  const take = (newer: Draft) => {
    setRead(newer);
    setText(newer.text ?? '');
  };
  if (!isEdited && !isGone && draft.version > read.version) take(draft);
  return {
    ...{ read, text, isEdited },
    isStale: isEdited && draft.version > read.version,
    take: (newer: Draft) => {
      take(newer);
      onEdit(false);
    },
    write: (wanted: string) => {
      setText(wanted);
      onEdit(wanted !== (read.text ?? ''));
    },
  };
}

function OneDraft(props: DraftProps) {
  const t = useTexts(threads).drafts;
  const { draft, isGone } = props;
  const mayAct = useRole('member');
  const form = useFormState(['text']);
  const { nameOf } = useActors();
  const state = useDraftText(props);
  const { read, text, isEdited, isStale, take, write } = state;
  const save = useAction((api) => api.drafts.update(read.id, { text, version: read.version }), {
    done: t.saved,
    changes: ['drafts'],
    onDone: take,
    isQuiet: true,
  });
  const send = useAction(
    async (api) => {
      const latest = isEdited ? await api.drafts.update(read.id, { text, version: read.version }) : read;
      take(latest);
      return api.drafts.send(latest.id, { version: latest.version });
    },
    { done: t.sent, changes: ['drafts', 'threads', 'messages'], isQuiet: true },
  );
  const refresh = useRefresh();
  /** A refused draft is read again, because someone else may have changed it. */
  const orRead = async (action: Promise<unknown>) => {
    try {
      await action;
    } catch (error) {
      await refresh('drafts');
      throw error;
    }
  };
  const isEditable = mayAct && draft.html === undefined && !hasTemplate(draft);
  return (
    <form onSubmit={form.onSubmit(() => orRead(send.mutateAsync()))} className="mk-card">
      <Stack gap="sm">
        <Author draft={draft} />
        <FormProblem form={form} />
        {isGone ? <Notice tone="warn">{t.gone}</Notice> : null}
        {isStale && !isGone ? <Notice tone="warn">{t.stale(nameOf(draft.updated_by))}</Notice> : null}
        <Facts draft={draft} />
        {isEditable ? (
          <Textarea
            label={t.text}
            autosize
            minRows={4}
            maxRows={20}
            value={text}
            error={form.errors['text']}
            onChange={(event) => write(event.currentTarget.value)}
          />
        ) : (
          <Content draft={draft} />
        )}
        {mayAct ? (
          <Group>
            {isGone ? null : (
              <Button type="submit" loading={form.isBusy} leftSection={<Icon name="reply" size={16} />}>
                {t.send}
              </Button>
            )}
            <Changes
              {...{ isEdited, isGone, form }}
              onSave={() => orRead(save.mutateAsync())}
              onDiscard={() => take(isGone ? read : draft)}
            />
            {isGone || isEdited ? null : <Discard id={draft.id} />}
            <CallsButton calls={[(api) => api.drafts.send(draft.id, { version: draft.version })]} />
          </Group>
        ) : null}
      </Stack>
    </form>
  );
}

/** Buttons for unsaved text. */
function Changes({
  isEdited,
  isGone,
  form,
  onSave,
  onDiscard,
}: {
  isEdited: boolean;
  isGone: boolean;
  form: FormState;
  onSave: () => Promise<unknown>;
  onDiscard: () => void;
}) {
  const t = useTexts(threads).drafts;
  const refresh = useRefresh();
  if (!isEdited) return null;
  const discard = async () => {
    onDiscard();
    await refresh('drafts');
  };
  return (
    <>
      {isGone ? null : (
        <Button variant="default" disabled={form.isBusy} onClick={() => void form.submit(onSave)}>
          {t.save}
        </Button>
      )}
      <Button variant="default" onClick={() => void form.submit(discard)}>
        {t.discardChanges}
      </Button>
    </>
  );
}

function Discard({ id }: { id: string }) {
  const t = useTexts(threads).drafts;
  const discard = useAction((api) => api.drafts.delete(id), {
    done: t.discarded,
    changes: ['drafts'],
    isQuiet: true,
  });
  return (
    <ConfirmButton
      label={t.discard}
      title={t.discardTitle}
      action={t.discard}
      call={(api) => api.drafts.delete(id)}
      onConfirm={() => discard.mutateAsync()}
    >
      {t.discardAbout}
    </ConfirmButton>
  );
}

/** Marks drafts of other people and of API keys. */
function Author({ draft }: { draft: Draft }) {
  const t = useTexts(threads).drafts;
  const { session } = usePlace();
  const { nameOf } = useActors();
  const { created_by: author, updated_by: editor } = draft;
  const isOwn = author === session.user.id;
  return (
    <Group justify="space-between">
      <Group gap="xs">
        <Status of="open" tone={isOwn ? 'quiet' : 'warn'}>
          {isOwn ? t.own : t.by(nameOf(author))}
        </Status>
        {editor === author ? null : (
          <Text size="sm" c="dimmed">
            {t.changedBy(nameOf(editor))}
          </Text>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        <Time at={draft.updated_at} />
      </Text>
    </Group>
  );
}

/** The fields besides the text, as far as the draft has them. */
function Facts({ draft }: { draft: Draft }) {
  const t = useTexts(threads).drafts;
  const facts: [string, string | undefined][] = [
    [t.from, mailboxesOf(draft.from)],
    [t.to, mailboxesOf(draft.to)],
    ['Cc', mailboxesOf(draft.cc)],
    ['Bcc', mailboxesOf(draft.bcc)],
    [t.replyTo, mailboxesOf(draft.reply_to)],
    [t.subject, draft.subject],
    ...Object.entries(draft.headers ?? {}),
    [t.template, draft.template ?? draft.template_id],
    // Their values are part of the message, including its text.
    [t.variables, draft.variables === undefined ? undefined : JSON.stringify(draft.variables, null, 1)],
  ];
  const known = facts.filter(([, value]) => value !== undefined && value !== '');
  return (
    <>
      {known.map(([label, value]) => (
        <Text key={label} size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Text span c="dimmed">
            {label}:
          </Text>{' '}
          {value}
        </Text>
      ))}
      <Files draft={draft} />
      {draft.send_at === undefined ? null : (
        <Text size="sm">
          <Text span c="dimmed">
            {t.at}:
          </Text>{' '}
          <Time at={draft.send_at} />
        </Text>
      )}
    </>
  );
}

/** Links to the files, which people check before they send the draft. */
function Files({ draft: { id, attachments = [] } }: { draft: Draft }) {
  const t = useTexts(threads).drafts;
  const place = usePlace();
  const format = useFormat();
  if (attachments.length === 0) return null;
  return (
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
      <Text span c="dimmed">
        {t.attachments}:
      </Text>
      <List size="sm">
        {attachments.map(({ filename, content_type: type, size, sha256 }, index) => (
          <List.Item key={`${sha256} ${index}`}>
            <Anchor href={fileHref(place, `/v1/drafts/${id}/attachments/${index}`)}>
              {shownFileName(filename)}
            </Anchor>{' '}
            <Text span c="dimmed">
              {type}, {format.bytes(size)}
            </Text>
          </List.Item>
        ))}
      </List>
    </Text>
  );
}

type Mailboxes = Draft['to'];

function mailboxesOf(value: Mailboxes): string | undefined {
  if (value === undefined) return undefined;
  return [value]
    .flat()
    .map((one) => (typeof one === 'string' ? one : one.name ? `${one.name} <${one.email}>` : one.email))
    .join(', ');
}

function hasTemplate({ template, template_id: id }: Draft): boolean {
  return template !== undefined || id !== undefined;
}

/** Shown to a person who cannot edit the text here. */
function Content({ draft }: { draft: Draft }) {
  const t = useTexts(threads).drafts;
  return (
    <>
      {draft.html === undefined ? null : <MailFrame html={draft.html} title={t.preview} height={280} />}
      {draft.text === undefined ? null : (
        <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{draft.text}</Text>
      )}
      {draft.html !== undefined || hasTemplate(draft) ? (
        <Text size="sm" c="dimmed">
          {t.notEditable}
        </Text>
      ) : null}
    </>
  );
}
