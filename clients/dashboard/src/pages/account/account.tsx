// One's own account: the name, the password, the second factor, the sessions.
import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSessionRefresh } from '../../app/session.js';
import { usePlace } from '../../data/place.js';
import { useAction } from '../../data/read.js';
import { account } from '../../texts/account.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { FormProblem, useFormState } from '../../ui/form.js';
import { Time } from '../../ui/format.js';
import { Card, Facts, PageHead } from '../../ui/page.js';
import { useStatusText } from '../../ui/status.js';
import { SecondFactor } from './second-factor.js';
import { Sessions } from './sessions.js';

export function AccountPage() {
  const t = useTexts(account);
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.auth.getSession(), (api) => api.auth.listSessions()]}
      />
      <Stack>
        <div className="ph-grid">
          <You />
          <Password />
        </div>
        <SecondFactor />
        <Sessions />
      </Stack>
    </>
  );
}

function You() {
  const t = useTexts(account);
  const frame = useTexts(common);
  const word = useStatusText();
  const refresh = useSessionRefresh();
  const { session, workspace } = usePlace();
  const { user } = session;
  const [name, setName] = useState(user.name ?? '');
  const form = useFormState(['name']);
  const params = { name: name.trim() === '' ? null : name.trim() };
  const save = useAction((api) => api.auth.updateUser(params), {
    done: frame.saved,
    changes: ['members'],
    onDone: refresh,
    isQuiet: true,
  });
  return (
    <Card title={t.you}>
      <Stack>
        <Facts
          of={[
            [frame.email, user.email],
            [t.role, word(workspace.role)],
            [t.since, <Time key="since" at={user.created_at} />],
          ]}
        />
        <form onSubmit={form.onSubmit(() => save.mutateAsync())}>
          <Stack>
            <FormProblem form={form} />
            <TextInput
              label={t.name}
              description={t.nameHint}
              autoComplete="name"
              value={name}
              error={form.errors['name']}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Group justify="flex-end">
              <CallsButton calls={[(api) => api.auth.updateUser(params)]} />
              <Button type="submit" loading={form.isBusy}>
                {frame.save}
              </Button>
            </Group>
          </Stack>
        </form>
      </Stack>
    </Card>
  );
}

function Password() {
  const t = useTexts(account);
  const { session } = usePlace();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const form = useFormState(['current', 'new']);
  const change = useAction((api) => api.auth.changePassword({ current, new: next }), {
    done: t.changed,
    changes: ['sessions'],
    onDone: () => {
      setCurrent('');
      setNext('');
    },
    isQuiet: true,
  });
  const toggle = { 'aria-label': t.showPassword };
  return (
    <Card title={t.passwordTitle}>
      <form onSubmit={form.onSubmit(() => change.mutateAsync())}>
        <Stack>
          <Text size="sm" c="dimmed">
            {t.passwordHint}
          </Text>
          <FormProblem form={form} />
          {/* Tells password managers whose password it is. */}
          <input type="text" autoComplete="username" value={session.user.email} readOnly hidden />
          <PasswordInput
            label={t.current}
            required
            autoComplete="current-password"
            visibilityToggleButtonProps={toggle}
            value={current}
            error={form.errors['current']}
            onChange={(event) => setCurrent(event.currentTarget.value)}
          />
          <PasswordInput
            label={t.next}
            required
            autoComplete="new-password"
            visibilityToggleButtonProps={toggle}
            value={next}
            error={form.errors['new']}
            onChange={(event) => setNext(event.currentTarget.value)}
          />
          <Group justify="flex-end">
            {/* Shown without the passwords that were typed. */}
            <CallsButton calls={[(api) => api.auth.changePassword({ current: '…', new: '…' })]} />
            <Button type="submit" loading={form.isBusy}>
              {t.changePassword}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
