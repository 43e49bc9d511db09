// The second factor of signing in: setting it up with an app, recovery codes, switching it off.
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TotpBegun } from '@mailkeel/sdk';
import { SESSION_KEY } from '../../app/session.js';
import { saveFile } from '../../data/files.js';
import { usePlace } from '../../data/place.js';
import { useAction } from '../../data/read.js';
import { account } from '../../texts/account.js';
import { useTexts } from '../../texts/texts.js';
import { PasswordField } from '../../ui/password-field.js';
import { AccountName } from '../../ui/account-name.js';
import { CallsButton } from '../../ui/calls.js';
import { Copyable } from '../../ui/code-block.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { useFormat } from '../../ui/format.js';
import { Icon } from '../../ui/icon.js';
import { Card } from '../../ui/page.js';
import { QrCode } from '../../ui/qr-code.js';
import { Status } from '../../ui/status.js';

export function SecondFactor() {
  const t = useTexts(account);
  const format = useFormat();
  const { user } = usePlace().session;
  const [dialog, setDialog] = useState<'set-up' | 'off' | null>(null);
  const close = () => setDialog(null);
  return (
    <Card
      title={t.factor}
      actions={<Status of={user.totp ? 'enabled' : 'disabled'} tone={user.totp ? 'good' : 'quiet'} />}
    >
      <Stack gap="sm" align="flex-start">
        <Text>
          {user.totp ? t.factorOn : t.factorOff}{' '}
          {user.totp ? t.codesLeft(format.count(user.recovery_codes_left)) : null}
        </Text>
        <Button
          variant={user.totp ? 'default' : 'filled'}
          onClick={() => setDialog(user.totp ? 'off' : 'set-up')}
        >
          {user.totp ? t.turnOff : t.setUp}
        </Button>
      </Stack>
      {dialog === 'set-up' ? <SetUp onClose={close} /> : null}
      {dialog === 'off' ? <TurnOff onClose={close} /> : null}
    </Card>
  );
}

/** The password, then the code of the app, then the recovery codes. */
function SetUp({ onClose }: { onClose: () => void }) {
  const t = useTexts(account);
  const client = useQueryClient();
  const form = useFormState(['password', 'code']);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [begun, setBegun] = useState<TotpBegun | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const begin = useAction((api) => api.auth.beginTotp({ password }), { isQuiet: true });
  const confirm = useAction((api) => api.auth.confirmTotp({ code: code.replaceAll(' ', '') }), {
    isQuiet: true,
  });
  const act = async () => {
    if (begun === null) setBegun(await begin.mutateAsync());
    else setCodes((await confirm.mutateAsync()).recovery_codes);
  };
  const close = () => {
    onClose();
    if (codes !== null) void client.invalidateQueries({ queryKey: SESSION_KEY });
  };
  return (
    <FormDialog
      isOpen
      onClose={close}
      title={t.setUpTitle}
      submit={begun === null ? t.goOn : t.confirm}
      form={form}
      act={act}
      extra={
        <CallsButton
          calls={[
            (api) => api.auth.beginTotp({ password: '…' }),
            (api) => api.auth.confirmTotp({ code: '123456' }),
          ]}
        />
      }
      result={codes !== null && <Codes codes={codes} />}
    >
      {begun === null ? (
        <>
          <AccountName />
          <PasswordField
            label={t.current}
            required
            autoComplete="current-password"
            value={password}
            error={form.errors['password']}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        </>
      ) : (
        <>
          <Text>{t.setUpHint}</Text>
          <QrCode value={begun.uri} label={t.qr} />
          <div>
            <Text size="sm" c="dimmed">
              {t.secret}
            </Text>
            <Copyable value={begun.secret} label={t.secret} />
          </div>
          <TextInput
            label={t.code}
            required
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            error={form.errors['code']}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
  );
}

function Codes({ codes }: { codes: readonly string[] }) {
  const t = useTexts(account);
  return (
    <Alert color="yellow" title={t.recovery} icon={<Icon name="key" />} role="status">
      <Stack gap="sm">
        <Text size="sm">{t.recoveryHint}</Text>
        <ul className="mk-codes">
          {codes.map((code) => (
            <li key={code} className="mk-mono">
              {code}
            </li>
          ))}
        </ul>
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="download" size={14} />}
            onClick={() => saveFile('mailkeel-recovery-codes.txt', `${codes.join('\n')}\n`, 'text/plain')}
          >
            {t.download}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

/** Codes of the app are six digits; recovery codes are not. */
function TurnOff({ onClose }: { onClose: () => void }) {
  const t = useTexts(account);
  const client = useQueryClient();
  const form = useFormState(['password', 'code', 'recovery_code']);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const given = code.replaceAll(' ', '');
  const isRecovery = !/^\d{6}$/.test(given);
  const disable = useAction(
    (api) => api.auth.disableTotp({ password, ...(isRecovery ? { recovery_code: given } : { code: given }) }),
    { done: t.turnedOff, onDone: () => client.invalidateQueries({ queryKey: SESSION_KEY }), isQuiet: true },
  );
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.turnOffTitle}
      submit={t.turnOff}
      form={form}
      act={() => disable.mutateAsync()}
      extra={<CallsButton calls={[(api) => api.auth.disableTotp({ password: '…', code: '123456' })]} />}
    >
      <Text>{t.turnOffHint}</Text>
      <AccountName />
      <PasswordField
        label={t.current}
        required
        autoComplete="current-password"
        value={password}
        error={form.errors['password']}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <TextInput
        label={t.codeOrRecovery}
        required
        autoComplete="one-time-code"
        value={code}
        error={form.errors['code'] ?? form.errors['recovery_code']}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
