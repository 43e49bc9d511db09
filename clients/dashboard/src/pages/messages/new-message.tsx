// Sends one message, as POST /v1/messages does.
import { Button, Group, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { MessageCreateParams } from '@mailkeel/sdk';
import { readObject } from '../../data/json.js';
import { usePlace } from '../../data/place.js';
import { useAction } from '../../data/read.js';
import { newMessage } from '../../texts/new-message.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { FormProblem, useFormState } from '../../ui/form.js';
import { TemplatePicker } from '../../ui/pickers.js';
import { SenderField } from '../../ui/sender-field.js';
import { Icon } from '../../ui/icon.js';
import { LeaveGuard } from '../../ui/leave-guard.js';
import { useGo } from '../../ui/links.js';
import { MailView } from '../../ui/mail-view.js';
import { OnlyFor } from '../../ui/only-for.js';
import { Card, PageHead } from '../../ui/page.js';
import { useStatusText } from '../../ui/status.js';

type Kind = 'text' | 'html' | 'template';

interface Draft {
  from: string;
  to: string;
  subject: string;
  kind: Kind;
  text: string;
  html: string;
  template: string;
  variables: string;
  type: 'transactional' | 'marketing' | 'sales';
  sendAt: string;
  tags: string;
}

const EMPTY: Draft = {
  ...{ from: '', to: '', subject: '', kind: 'text', text: '', html: '', template: '', variables: '' },
  ...{ type: 'transactional', sendAt: '', tags: '' },
};
const FIELDS = [
  'from',
  'to',
  'subject',
  'text',
  'html',
  'template_id',
  'variables',
  'type',
  'send_at',
  'tags',
];

const parts = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Returns the request of a draft without empty fields. */
function requestOf(draft: Draft): MessageCreateParams {
  const to = parts(draft.to);
  const [first = ''] = to;
  const variables = readObject(draft.variables) ?? undefined;
  const tags = parts(draft.tags);
  return {
    to: to.length === 1 ? first : to,
    ...(draft.from.trim() === '' ? {} : { from: draft.from.trim() }),
    ...(draft.subject === '' ? {} : { subject: draft.subject }),
    ...(draft.kind === 'template' ? { template_id: draft.template } : { [draft.kind]: draft[draft.kind] }),
    ...(variables === undefined ? {} : { variables }),
    ...(draft.type === 'transactional' ? {} : { type: draft.type }),
    ...(draft.sendAt === '' ? {} : { send_at: new Date(draft.sendAt).toISOString() }),
    ...(tags.length === 0 ? {} : { tags }),
  };
}

export function NewMessagePage() {
  const t = useTexts(newMessage);
  return (
    <OnlyFor role="member" title={t.title}>
      <NewMessage />
    </OnlyFor>
  );
}

function NewMessage() {
  const t = useTexts(newMessage);
  const go = useGo();
  const { isSandbox } = usePlace();
  const word = useStatusText();
  const form = useFormState(FIELDS);
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const set = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }));
  const variables = readObject(draft.variables);
  const send = useAction((api) => api.messages.create(requestOf(draft)), {
    changes: ['messages'],
    onDone: (message) => go(`/messages/${message.id}`),
    isQuiet: true,
  });
  return (
    <>
      <PageHead title={t.title} about={t.about} back={{ to: '/messages', label: t.back }} />
      <LeaveGuard isDirty={draft !== EMPTY && !send.isSuccess && !send.isPending} />
      <form onSubmit={form.onSubmit(() => (variables === null ? Promise.resolve() : send.mutateAsync()))}>
        <Stack maw={760}>
          <FormProblem form={form} />
          <TextInput
            label={t.to}
            autoFocus
            description={isSandbox ? t.toSandbox : t.toHint}
            required
            value={draft.to}
            error={form.errors['to']}
            onChange={(event) => set({ to: event.currentTarget.value })}
          />
          <SenderField
            label={t.from}
            description={t.fromHint}
            value={draft.from}
            error={form.errors['from']}
            onChange={(from) => set({ from })}
          />
          <TextInput
            label={t.subject}
            {...(draft.kind === 'template' ? { description: t.subjectHint } : {})}
            required={draft.kind !== 'template'}
            value={draft.subject}
            error={form.errors['subject']}
            onChange={(event) => set({ subject: event.currentTarget.value })}
          />
          <Body draft={draft} set={set} errors={form.errors} />
          <Textarea
            label={t.variables}
            description={t.variablesHint}
            className="mk-mono"
            minRows={2}
            value={draft.variables}
            error={variables === null ? t.variablesWrong : form.errors['variables']}
            onChange={(event) => set({ variables: event.currentTarget.value })}
          />
          <div className="mk-fields">
            <Select
              label={t.type}
              description={t.typeHint}
              data={(['transactional', 'marketing', 'sales'] as const).map((value) => ({
                value,
                label: word(value),
              }))}
              value={draft.type}
              error={form.errors['type']}
              onChange={(type) => set({ type: type ?? 'transactional' })}
            />
            <TextInput
              type="datetime-local"
              label={t.sendAt}
              description={t.sendAtHint}
              value={draft.sendAt}
              error={form.errors['send_at']}
              onChange={(event) => set({ sendAt: event.currentTarget.value })}
            />
            <TextInput
              label={t.tags}
              description={t.tagsHint}
              value={draft.tags}
              error={form.errors['tags']}
              onChange={(event) => set({ tags: event.currentTarget.value })}
            />
          </div>
          <Group>
            <Button type="submit" loading={form.isBusy} leftSection={<Icon name="send" size={16} />}>
              {draft.sendAt === '' ? t.send : t.schedule}
            </Button>
            <CallsButton calls={[(api) => api.messages.create(requestOf(draft))]} />
          </Group>
          {draft.kind === 'html' && draft.html.trim() !== '' ? (
            <Card title={t.preview}>
              <MailView html={draft.html} height={360} />
            </Card>
          ) : null}
        </Stack>
      </form>
    </>
  );
}

function Body({
  draft,
  set,
  errors,
}: {
  draft: Draft;
  set: (changes: Partial<Draft>) => void;
  errors: Record<string, string | undefined>;
}) {
  const t = useTexts(newMessage);
  const kinds: readonly Kind[] = ['text', 'html', 'template'];
  return (
    <>
      <div>
        <Text size="sm" fw={500} mb={4}>
          {t.content}
        </Text>
        <SegmentedControl
          size="xs"
          aria-label={t.content}
          value={draft.kind}
          onChange={(kind) => set({ kind })}
          data={kinds.map((value) => ({ value, label: t.kinds[value] }))}
        />
      </div>
      {draft.kind === 'template' ? (
        <TemplatePicker
          label={t.template}
          required
          value={draft.template === '' ? null : draft.template}
          error={errors['template_id']}
          onChange={(id) => set({ template: id ?? '' })}
        />
      ) : (
        <Textarea
          label={t[draft.kind]}
          required
          minRows={8}
          maxRows={24}
          className={draft.kind === 'html' ? 'mk-mono' : ''}
          value={draft[draft.kind]}
          error={errors[draft.kind]}
          onChange={(event) => set({ [draft.kind]: event.currentTarget.value })}
        />
      )}
    </>
  );
}
