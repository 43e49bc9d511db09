// The authenticator app: added with a QR code and a first code, its recovery codes shown once, and removed.
import { Alert, Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { RecoveryCodes, TotpBegun } from '@posthorn/sdk';
import { encode } from 'uqr';
import { useSessionRefresh } from '../../app/session.js';
import { saveFile } from '../../data/files.js';
import { usePlace } from '../../data/place.js';
import { useAction } from '../../data/read.js';
import { account } from '../../texts/account.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { CodeBlock, Copyable } from '../../ui/code-block.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { Card } from '../../ui/page.js';
import { Status } from '../../ui/status.js';

const QR_PIXELS = 190;
/** White around the code, in modules: readers need four. */
const QUIET_ZONE = 4;
const FEW_CODES = 3;

export function SecondFactor() {
  const { totp: t } = useTexts(account);
  const { user } = usePlace().session;
  const [dialog, setDialog] = useState<'add' | 'remove' | null>(null);
  const close = () => setDialog(null);
  const left = user.recovery_codes_left;
  return (
    <Card
      title={t.title}
      actions={
        <Status of={user.totp ? 'enabled' : 'disabled'} tone={user.totp ? 'good' : 'warn'}>
          {user.totp ? t.on : t.off}
        </Status>
      }
    >
      <Group justify="space-between" align="flex-end">
        <Text c="dimmed" maw={560}>
          {user.totp ? `${t.hintOn} ${t.codesLeft(left)}` : t.hintOff}
          {user.totp && left < FEW_CODES ? ` ${t.fewCodes}` : ''}
        </Text>
        {user.totp ? (
          <Button variant="default" onClick={() => setDialog('remove')}>
            {t.remove}
          </Button>
        ) : (
          <Button leftSection={<Icon name="shield" size={16} />} onClick={() => setDialog('add')}>
            {t.begin}
          </Button>
        )}
      </Group>
      {dialog === 'add' ? <AddApp onClose={close} /> : null}
      {dialog === 'remove' ? <RemoveApp onClose={close} /> : null}
    </Card>
  );
}

function AddApp({ onClose }: { onClose: () => void }) {
  const { totp: t } = useTexts(account);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [begun, setBegun] = useState<TotpBegun | null>(null);
  const [codes, setCodes] = useState<RecoveryCodes | null>(null);
  const refresh = useSessionRefresh();
  const form = useFormState(['password', 'code']);
  const begin = useAction((api) => api.auth.beginTotp({ password }), { isQuiet: true });
  const confirm = useAction((api) => api.auth.confirmTotp({ code: code.trim() }), { isQuiet: true });
  const close = () => {
    onClose();
    if (codes !== null) void refresh();
  };
  return (
    <FormDialog
      isOpen
      onClose={close}
      title={t.begin}
      submit={begun === null ? t.go : t.confirm}
      form={form}
      extra={
        <CallsButton
          calls={[
            (api) => api.auth.beginTotp({ password: '…' }),
            (api) => api.auth.confirmTotp({ code: '123456' }),
          ]}
        />
      }
      act={async () => {
        if (begun === null) setBegun(await begin.mutateAsync());
        else setCodes(await confirm.mutateAsync());
      }}
      result={codes !== null && <Recovery codes={codes.recovery_codes} />}
    >
      {begun === null ? (
        <PasswordField value={password} set={setPassword} error={form.errors['password']} />
      ) : (
        <>
          <Text>{t.scan}</Text>
          <Group align="center">
            <QrCode text={begun.uri} />
            <Stack gap={4} style={{ flex: '1 1 12rem' }}>
              <Text size="sm" c="dimmed">
                {t.secret}
              </Text>
              <Copyable value={begun.secret} label={t.secret} />
            </Stack>
          </Group>
          <TextInput
            label={t.code}
            required
            data-autofocus
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            value={code}
            error={form.errors['code']}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        </>
      )}
    </FormDialog>
  );
}

function PasswordField({
  value,
  set,
  error,
}: {
  value: string;
  set: (value: string) => void;
  error: string | undefined;
}) {
  const t = useTexts(account);
  return (
    <PasswordInput
      label={t.totp.password}
      required
      data-autofocus
      autoComplete="current-password"
      visibilityToggleButtonProps={{ 'aria-label': t.showPassword }}
      value={value}
      error={error}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}

/** Dark on white in every appearance: readers expect it. */
function QrCode({ text }: { text: string }) {
  const { totp: t } = useTexts(account);
  const { data, size } = encode(text, { border: QUIET_ZONE });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      role="img"
      aria-label={t.qr}
      width={QR_PIXELS}
      height={QR_PIXELS}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function Recovery({ codes }: { codes: readonly string[] }) {
  const { totp: t } = useTexts(account);
  const text = codes.join('\n');
  return (
    <>
      <Alert color="green" title={t.done} icon={<Icon name="shield" />} role="status">
        {t.recoveryHint}
      </Alert>
      <CodeBlock code={text} label={t.recovery} />
      <Group>
        <Button
          variant="default"
          leftSection={<Icon name="download" size={16} />}
          onClick={() => saveFile('posthorn-recovery-codes.txt', `${text}\n`, 'text/plain')}
        >
          {t.download}
        </Button>
      </Group>
    </>
  );
}

function RemoveApp({ onClose }: { onClose: () => void }) {
  const { totp: t } = useTexts(account);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const refresh = useSessionRefresh();
  const form = useFormState(['password', 'code', 'recovery_code']);
  const given = code.trim();
  const proof = /^\d{6}$/.test(given) ? { code: given } : { recovery_code: given };
  const remove = useAction((api) => api.auth.disableTotp({ password, ...proof }), {
    done: t.removed,
    onDone: refresh,
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.removeTitle}
      submit={t.remove}
      form={form}
      extra={<CallsButton calls={[(api) => api.auth.disableTotp({ password: '…', code: '123456' })]} />}
      act={() => remove.mutateAsync()}
    >
      <Text>{t.removeHint}</Text>
      <PasswordField value={password} set={setPassword} error={form.errors['password']} />
      <TextInput
        label={t.removeCode}
        required
        autoComplete="one-time-code"
        value={code}
        error={form.errors['code'] ?? form.errors['recovery_code']}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
