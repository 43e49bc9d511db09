// The account page: name, password, second factor and sessions.
import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { SESSION_KEY } from '../../app/session.js';
import { usePlace } from '../../data/place.js';
import { useAction } from '../../data/read.js';
import { account } from '../../texts/account.js';
import { alerts } from '../../texts/alerts.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/texts.js';
import { PasswordField } from '../../ui/password-field.js';
import { AccountName } from '../../ui/account-name.js';
import { useFormState } from '../../ui/form.js';
import { PageButton } from '../../ui/links.js';
import { Card, PageHead } from '../../ui/page.js';
import { SettingsCard } from '../../ui/settings-card.js';
import { Sessions } from './sessions.js';
import { SecondFactor } from './second-factor.js';

export function AccountPage() {
  const t = useTexts(account);
  return (
    <>
      <PageHead
        title={t.title}
        about={t.about}
        calls={[(api) => api.auth.getSession(), (api) => api.auth.listSessions()]}
      />
      <Stack gap="lg" maw={820}>
        <Profile />
        <Password />
        <SecondFactor />
        <Alerts />
        <Sessions />
      </Stack>
    </>
  );
}

function Alerts() {
  const t = useTexts(alerts);
  return (
    <Card title={t.title}>
      <Group justify="space-between">
        <Text>{t.link}</Text>
        <PageButton to="/account/alerts" variant="default">
          {t.open}
        </PageButton>
      </Group>
    </Card>
  );
}

function Profile() {
  const t = useTexts(account);
  const frame = useTexts(common);
  const client = useQueryClient();
  const { user } = usePlace().session;
  const form = useFormState(['name']);
  const [name, setName] = useState(user.name ?? '');
  const params = { name: name.trim() === '' ? null : name.trim() };
  const save = useAction((api) => api.auth.updateUser(params), {
    done: frame.saved,
    changes: ['members'],
    onDone: () => client.invalidateQueries({ queryKey: SESSION_KEY }),
    isQuiet: true,
  });
  return (
    <SettingsCard
      title={t.profile}
      form={form}
      mayAct
      act={() => save.mutateAsync()}
      call={(api) => api.auth.updateUser(params)}
    >
      <TextInput
        label={t.name}
        autoComplete="name"
        value={name}
        error={form.errors['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextInput label={t.email} description={t.emailHint} value={user.email} readOnly />
    </SettingsCard>
  );
}

function Password() {
  const t = useTexts(account);
  const form = useFormState(['current', 'new']);
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const save = useAction((api) => api.auth.changePassword({ current, new: next }), {
    done: t.changed,
    changes: ['sessions'],
    onDone: () => {
      setCurrent('');
      setNext('');
    },
    isQuiet: true,
  });
  return (
    <SettingsCard
      title={t.password}
      form={form}
      mayAct
      submit={t.change}
      act={() => save.mutateAsync()}
      // Passwords are not written down.
      call={(api) => api.auth.changePassword({ current: '…', new: '…' })}
    >
      <AccountName />
      <PasswordField
        label={t.current}
        required
        autoComplete="current-password"
        value={current}
        error={form.errors['current']}
        onChange={(event) => setCurrent(event.currentTarget.value)}
      />
      <PasswordField
        label={t.next}
        description={t.nextHint}
        required
        autoComplete="new-password"
        value={next}
        error={form.errors['new']}
        onChange={(event) => setNext(event.currentTarget.value)}
      />
    </SettingsCard>
  );
}
