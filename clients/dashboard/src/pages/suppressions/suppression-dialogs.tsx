// Adding, checking and importing suppressions.
import { Alert, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { Fragment, useState } from 'react';
import type {
  SuppressionCheck,
  SuppressionCreate,
  SuppressionImport,
  SuppressionReason,
} from '@mailkeel/sdk';
import { useAction } from '../../data/read.js';
import { suppressions } from '../../texts/suppressions.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { FileDrop } from '../../ui/file-drop.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { useFormat } from '../../ui/format.js';
import { Facts } from '../../ui/page.js';
import { useStatusText } from '../../ui/status.js';
import { SubTenantPicker } from '../../ui/pickers.js';
import { RecordLink } from '../../ui/record-link.js';

export const SUPPRESSION_REASONS: readonly SuppressionReason[] = [
  'bounce',
  'complaint',
  'unsubscribe',
  'manual',
];

export function AddSuppression({ onClose }: { onClose: () => void }) {
  const t = useTexts(suppressions);
  const word = useStatusText();
  const form = useFormState(['email', 'reason', 'sub_tenant_id']);
  const [email, setEmail] = useState('');
  const [reason, setReason] = useState<SuppressionReason>('manual');
  const [tenant, setTenant] = useState('');
  const params: SuppressionCreate = {
    email: email.trim(),
    reason,
    ...(tenant.trim() === '' ? {} : { sub_tenant_id: tenant.trim() }),
  };
  const add = useAction((api) => api.suppressions.create(params), {
    done: t.added,
    changes: ['suppressions', 'contacts'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.add}
      submit={t.add}
      form={form}
      extra={<CallsButton calls={[(api) => api.suppressions.create(params)]} />}
      act={() => add.mutateAsync()}
    >
      <Text c="dimmed">{t.addHint}</Text>
      <TextInput
        label={t.address}
        inputMode="email"
        required
        value={email}
        error={form.errors['email']}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Select
        label={t.reason}
        data={SUPPRESSION_REASONS.map((value) => ({ value, label: word(value) }))}
        value={reason}
        error={form.errors['reason']}
        onChange={(value) => setReason(value ?? 'manual')}
      />
      <SubTenantPicker
        label={t.subTenant}
        description={t.subTenantHint}
        value={tenant === '' ? null : tenant}
        error={form.errors['sub_tenant_id']}
        onChange={(id) => setTenant(id ?? '')}
      />
    </FormDialog>
  );
}

/** The result for the workspace's own mail, and the sub-tenants that suppress the address. */
interface FoundAddress extends SuppressionCheck {
  tenants: string[];
}

/** The dialog stays open: often it is more than one address. */
export function CheckAddress({ onClose }: { onClose: () => void }) {
  const t = useTexts(suppressions);
  const form = useFormState(['email']);
  const [email, setEmail] = useState('');
  const [found, setFound] = useState<FoundAddress | null>(null);
  const params = { email: email.trim() };
  const check = useAction(
    async (api): Promise<FoundAddress> => {
      const answer = await api.suppressions.check(params);
      const { data } = await api.suppressions.list({ q: answer.email, limit: 100 });
      const key = answer.email.toLowerCase();
      const same = data.filter((row) => row.email.toLowerCase() === key);
      return { ...answer, tenants: same.flatMap(({ sub_tenant_id: tenant }) => tenant ?? []) };
    },
    { isQuiet: true },
  );
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.check}
      submit={t.checkButton}
      form={form}
      extra={<CallsButton calls={[(api) => api.suppressions.check(params)]} />}
      act={async () => setFound(await check.mutateAsync())}
      result={false}
    >
      <TextInput
        label={t.address}
        inputMode="email"
        required
        value={email}
        error={form.errors['email']}
        onChange={(event) => {
          setEmail(event.currentTarget.value);
          setFound(null);
        }}
      />
      {found === null ? null : (
        <Alert color={found.suppressed || found.tenants.length > 0 ? 'yellow' : 'green'} role="status">
          <Finding of={found} />
        </Alert>
      )}
    </FormDialog>
  );
}

function Finding({ of: { email, suppressed, reason, scope, tenants } }: { of: FoundAddress }) {
  const t = useTexts(suppressions);
  const names = tenants.map((tenant, at) => (
    <Fragment key={tenant}>
      {at === 0 ? ' ' : ', '}
      <RecordLink id={tenant} />
    </Fragment>
  ));
  if (suppressed) {
    return (
      <>
        {t.checkFound(email, reason === null ? '' : t.sentences[reason])}{' '}
        {scope === null ? null : t.checkScope[scope]} {tenants.length === 0 ? null : [t.checkAlso, ...names]}
      </>
    );
  }
  return tenants.length === 0 ? t.checkFree(email) : [t.checkOnly(email), ...names];
}

export function ImportSuppressions({ onClose }: { onClose: () => void }) {
  const t = useTexts(suppressions);
  const form = useFormState([]);
  const [file, setFile] = useState<File | null>(null);
  const [text, setText] = useState('');
  const [done, setDone] = useState<SuppressionImport | null>(null);
  const format = file !== null && /\.(ndjson|jsonl)$/i.test(file.name) ? 'ndjson' : 'csv';
  const read = useAction((api) => api.suppressions.import(file ?? text, { format }), {
    changes: ['suppressions', 'contacts'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.importTitle}
      submit={t.import}
      form={form}
      extra={
        <CallsButton calls={[(api) => api.suppressions.import(text === '' ? 'email\n' : text, { format })]} />
      }
      act={async () => setDone(await read.mutateAsync())}
      result={done !== null && <Imported result={done} />}
    >
      <Text c="dimmed">{t.importHint}</Text>
      <FileDrop label={t.importTitle} accept=".csv,.txt,.ndjson,.jsonl" file={file} onChange={setFile} />
      {file === null ? (
        <Textarea
          label={t.importText}
          className="mk-mono"
          maxRows={10}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      ) : null}
    </FormDialog>
  );
}

function Imported({ result }: { result: SuppressionImport }) {
  const t = useTexts(suppressions);
  const format = useFormat();
  const counts = ['total', 'created', 'existing', 'failed'] as const;
  return (
    <Stack role="status">
      <Text fw={600}>{t.importDone}</Text>
      <Facts of={counts.map((name) => [t.importCounts[name], format.count(result[name])])} />
      {result.errors.length === 0 ? null : (
        <ul className="mk-list">
          {result.errors.map(({ line, email, message }) => (
            <li key={line} className="mk-break">
              {t.importLine(line)}: {email} {message}
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}
