// Enrolls one contact by hand.
import { Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { readObject } from '../../data/json.js';
import { useAction } from '../../data/read.js';
import { sequences } from '../../texts/sequences.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { FormDialog, useFormState } from '../../ui/form.js';

export function EnrollDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts(sequences);
  const form = useFormState(['email', 'variables']);
  const [email, setEmail] = useState('');
  const [text, setText] = useState('');
  const variables = readObject(text);
  const params = { email, ...(variables === undefined || variables === null ? {} : { variables }) };
  const enroll = useAction((api) => api.sequences.enroll(id, params), {
    done: t.enrolled,
    changes: ['sequences'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.enroll}
      submit={t.enroll}
      form={form}
      extra={<CallsButton calls={[(api) => api.sequences.enroll(id, params)]} />}
      act={() => (variables === null ? Promise.reject(new Error(t.variablesWrong)) : enroll.mutateAsync())}
    >
      <Text c="dimmed">{t.enrollHint}</Text>
      <TextInput
        label={t.email}
        inputMode="email"
        required
        value={email}
        error={form.errors['email']}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Textarea
        label={t.variables}
        className="mk-mono"
        value={text}
        error={variables === null ? t.variablesWrong : form.errors['variables']}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
