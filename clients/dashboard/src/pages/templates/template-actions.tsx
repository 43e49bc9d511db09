// Tries a template out, brings it to the other environment, deletes it.
import { Alert, Button, Menu, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiError, type Template } from '@mailkeel/sdk';
import { usePlace, useRole } from '../../data/place.js';
import { useAction } from '../../data/read.js';
import { templates } from '../../texts/templates.js';
import { useTexts } from '../../texts/texts.js';
import { MoreMenu } from '../../ui/more-menu.js';
import { CallsButton } from '../../ui/calls.js';
import { Confirm } from '../../ui/confirm.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { SenderField } from '../../ui/sender-field.js';
import { Icon } from '../../ui/icon.js';
import { useGo } from '../../ui/links.js';

interface ActionProps {
  template: Template;
  variables: Record<string, unknown>;
  isDirty: boolean;
}

export function TemplateActions(props: ActionProps) {
  const { template } = props;
  const t = useTexts(templates);
  const mayAct = useRole('member');
  const { environment } = usePlace();
  const go = useGo();
  const [dialog, setDialog] = useState<'test' | 'copy' | 'delete' | null>(null);
  const [isUsed, setUsed] = useState(false);
  const close = () => {
    setDialog(null);
    setUsed(false);
  };
  const { id } = template;
  const isOwn = template.environment === environment;
  const target = template.environment === 'live' ? 'test' : 'live';
  const copy = useAction((api) => api.templates.copy(id, { environment: target }), {
    done: t.copy.done,
    changes: ['templates'],
    // A copy that this environment can change is opened.
    onDone: (made) => (isOwn ? undefined : go(`/templates/${made.id}`)),
    isQuiet: true,
  });
  // If the template is in use, the first attempt is refused and the refusal is shown. The second attempt deletes it anyway.
  const remove = useAction((api) => api.templates.delete(id, { force: isUsed }), {
    done: t.deleted,
    changes: ['templates'],
    onDone: () => go('/templates'),
    isQuiet: true,
  });
  if (!mayAct) return null;
  const copyLabel = target === 'live' ? t.copy.toLive : t.copy.toTest;
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon name="send" size={16} />}
        onClick={() => setDialog('test')}
      >
        {t.test.title}
      </Button>
      <MoreMenu
        danger={
          isOwn ? (
            <Menu.Item leftSection={<Icon name="trash" />} onClick={() => setDialog('delete')}>
              {t.delete}
            </Menu.Item>
          ) : null
        }
      >
        <Menu.Item leftSection={<Icon name="copy" />} onClick={() => setDialog('copy')}>
          {copyLabel}
        </Menu.Item>
      </MoreMenu>
      <Confirm
        isOpen={dialog === 'copy'}
        onClose={close}
        title={copyLabel}
        action={copyLabel}
        isDangerous={false}
        call={(api) => api.templates.copy(id, { environment: target })}
        onConfirm={() => copy.mutateAsync()}
      >
        {t.copy.ask}
      </Confirm>
      <Confirm
        isOpen={dialog === 'delete'}
        onClose={close}
        title={`${t.delete}: ${template.name}`}
        action={isUsed ? t.deleteAnyway : t.delete}
        call={(api) => api.templates.delete(id, { force: isUsed })}
        onConfirm={() =>
          remove.mutateAsync().catch((error: unknown) => {
            setUsed(error instanceof ApiError && error.code === 'template_in_use');
            throw error;
          })
        }
      >
        {t.deleteAsk}
      </Confirm>
      {dialog === 'test' ? <TestDialog {...props} onClose={close} /> : null}
    </>
  );
}

function TestDialog({ template, variables, isDirty, onClose }: ActionProps & { onClose: () => void }) {
  const t = useTexts(templates).test;
  const { session } = usePlace();
  const form = useFormState(['to', 'from']);
  const [to, setTo] = useState(session.user.email);
  const [from, setFrom] = useState('');
  const params = {
    to: to
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
    variables,
    ...(from.trim() === '' ? {} : { from: from.trim() }),
  };
  const send = useAction((api) => api.templates.test(template.id, params), {
    done: ({ messages }) => t.done(messages.length),
    changes: ['messages'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.title}
      submit={t.title}
      form={form}
      extra={<CallsButton calls={[(api) => api.templates.test(template.id, params)]} />}
      act={() => send.mutateAsync()}
    >
      <Text c="dimmed">{t.hint}</Text>
      {isDirty ? <Alert color="yellow">{t.unsaved}</Alert> : null}
      <TextInput
        label={t.to}
        description={t.toHint}
        required
        value={to}
        error={form.errors['to']}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <SenderField
        label={t.from}
        description={t.fromHint}
        value={from}
        error={form.errors['from']}
        onChange={setFrom}
      />
    </FormDialog>
  );
}
