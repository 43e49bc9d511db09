// Rejecting and editing a message that waits for approval.
import { Text, Textarea, TextInput } from '@mantine/core';
import type { ApprovalDetail } from '@mailkeel/sdk';
import { useState } from 'react';
import { useAction } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { approvals } from '../../texts/approvals.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { FormDialog, useFormState } from '../../ui/form.js';

interface DialogProps {
  approval: ApprovalDetail;
  onClose: () => void;
}

export function RejectMessage({
  approval: { id },
  onClose,
  onDone,
}: DialogProps & { onDone: () => unknown }) {
  const t = useTexts(approvals);
  const form = useFormState(['note']);
  const [note, setNote] = useState('');
  const params = note.trim() === '' ? {} : { note: note.trim() };
  const reject = useAction((api) => api.approvals.reject(id, params), {
    done: t.rejected,
    changes: ['approvals', 'messages'],
    isQuiet: true,
    onDone,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.rejectTitle}
      submit={t.reject}
      form={form}
      extra={<CallsButton calls={[(api) => api.approvals.reject(id, params)]} />}
      act={() => reject.mutateAsync()}
    >
      <Text>{t.rejectHint}</Text>
      <Textarea
        label={t.note}
        description={t.noteHint}
        autosize
        minRows={2}
        data-autofocus
        value={note}
        error={form.errors['note']}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

export function EditMessage({ approval, onClose }: DialogProps) {
  const t = useTexts(approvals);
  const frame = useTexts(common);
  const { id, content } = approval;
  const form = useFormState(['subject', 'html', 'text']);
  const [subject, setSubject] = useState(approval.subject ?? '');
  const [html, setHtml] = useState(content.html ?? '');
  const [text, setText] = useState(content.text ?? '');
  const params = {
    subject,
    ...(content.html === null ? {} : { html }),
    ...(content.text === null ? {} : { text }),
  };
  const edit = useAction((api) => api.approvals.update(id, params), {
    done: t.edited,
    changes: ['approvals', 'messages'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.editTitle}
      submit={frame.save}
      form={form}
      extra={<CallsButton calls={[(api) => api.approvals.update(id, params)]} />}
      act={() => edit.mutateAsync()}
    >
      <Text c="dimmed" size="sm">
        {t.editHint}
      </Text>
      <TextInput
        label={t.subject}
        required
        value={subject}
        error={form.errors['subject']}
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
      {content.text === null ? null : (
        <Textarea
          label={t.text}
          required
          autosize
          minRows={4}
          maxRows={14}
          value={text}
          error={form.errors['text']}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {content.html === null ? null : (
        <Textarea
          label={t.html}
          required
          autosize
          minRows={4}
          maxRows={14}
          classNames={{ input: 'mk-mono' }}
          value={html}
          error={form.errors['html']}
          onChange={(event) => setHtml(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  );
}
