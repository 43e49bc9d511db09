// A source is chosen and connected, and its account is imported or only checked.
import {
  Button,
  Checkbox,
  Group,
  MultiSelect,
  SegmentedControl,
  Select,
  Stack,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import type {
  AccountImportConnection,
  AccountImportFileSource,
  AccountImportKind,
  AccountImportSource,
  AccountImportVendor,
} from '@mailkeel/sdk';
import { useAction } from '../../data/read.js';
import { accountImports, type AccountImportsTexts } from '../../texts/account-imports.js';
import { useTexts } from '../../texts/texts.js';
import { FileDrop } from '../../ui/file-drop.js';
import { useSearchValue } from '../../ui/filters.js';
import { FormProblem, useFormState, type FormState } from '../../ui/form.js';
import { useGo } from '../../ui/links.js';
import { OnlyFor } from '../../ui/only-for.js';
import { PageHead } from '../../ui/page.js';
import { PasswordField } from '../../ui/password-field.js';
import { SubTenantPicker } from '../../ui/pickers.js';

type FieldName = keyof AccountImportConnection;

interface Field {
  name: FieldName;
  label: (t: AccountImportsTexts['connection']) => string;
  kind: 'text' | 'secret' | 'region';
  isOptional?: true;
}

const secret = (name: FieldName & keyof AccountImportsTexts['connection']): Field => ({
  name,
  label: (t) => t[name],
  kind: 'secret',
});
const text = (name: FieldName & keyof AccountImportsTexts['connection']): Field => ({
  ...secret(name),
  kind: 'text',
});
const REGION: Field = { name: 'region', label: (t) => t.region, kind: 'region' };

const FIELDS: Readonly<Record<AccountImportVendor, readonly Field[]>> = {
  brevo: [secret('api_key')],
  listmonk: [text('url'), text('user'), secret('token')],
  mailgun: [secret('api_key'), REGION],
  postmark: [
    { name: 'api_key', label: (t) => t.server_token, kind: 'secret' },
    { ...secret('account_token'), isOptional: true },
  ],
  resend: [secret('api_key')],
  sendgrid: [secret('api_key'), REGION],
  ses: [text('access_key_id'), secret('secret_access_key'), text('aws_region')],
};
/** File name endings of each source. */
const ACCEPTED: Readonly<Record<AccountImportFileSource, string>> = {
  listmonk: '.sql,.gz',
  mailchimp: '.zip,.csv',
  mailkeel: '.ndjson,.jsonl,.gz',
  postal: '.sql,.gz',
};
const isVendor = (source: AccountImportSource): source is AccountImportVendor => source in FIELDS;
const isFile = (source: AccountImportSource): source is AccountImportFileSource => source in ACCEPTED;

const KINDS: readonly AccountImportKind[] = [
  ...(['suppressions', 'lists', 'contacts', 'templates', 'saved_blocks', 'sequences', 'campaigns'] as const),
  ...(['domains', 'webhooks', 'sub_tenants'] as const),
];

export function NewAccountImportPage() {
  const t = useTexts(accountImports);
  return (
    <OnlyFor role="admin" title={t.create}>
      <NewAccountImport />
    </OnlyFor>
  );
}

function NewAccountImport() {
  const t = useTexts(accountImports);
  const go = useGo();
  const [given] = useSearchValue('source', '');
  const form = useFormState([...connectionPaths(), 'source', 'name', 'kinds', 'sub_tenant_id']);
  const [source, setSource] = useState<AccountImportSource>(
    given in t.sources ? (given as AccountImportSource) : 'resend',
  );
  const [values, setValues] = useState<Partial<Record<FieldName, string>>>({});
  const [method, setMethod] = useState<'api' | 'file'>('api');
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState('');
  const [kinds, setKinds] = useState<AccountImportKind[]>([]);
  const [tenant, setTenant] = useState('');
  const [isDry, setDry] = useState(true);
  const hasBoth = isVendor(source) && isFile(source);
  const uploaded = isFile(source) && (!isVendor(source) || method === 'file') ? source : null;
  const fields = uploaded === null && isVendor(source) ? FIELDS[source] : [];
  const isReady =
    uploaded !== null
      ? file !== null
      : fields.every(({ name, kind, isOptional }) => isOptional || kind === 'region' || values[name]);
  const common = { dry_run: isDry, ...(tenant === '' ? {} : { sub_tenant_id: tenant }) };
  const start = useAction(
    (api) => {
      if (uploaded !== null) {
        const chosen = kinds.length === 0 ? {} : { kinds: kinds.join(',') };
        const named = name === '' ? {} : { name };
        return api.accountImports.upload(file ?? '', { source: uploaded, ...named, ...common, ...chosen });
      }
      const filled = fields.flatMap(({ name }) => (values[name] ? [[name, values[name].trim()]] : []));
      const connection = Object.fromEntries(filled) as AccountImportConnection;
      return api.accountImports.create({
        source: source as AccountImportVendor, // not a file
        connection,
        ...common,
        ...(kinds.length === 0 ? {} : { kinds }),
      });
    },
    { changes: ['account-imports'], onDone: ({ id }) => go(`/account-imports/${id}`), isQuiet: true },
  );
  return (
    <>
      <PageHead title={t.create} about={t.about} back={{ to: '/account-imports', label: t.title }} />
      <form onSubmit={form.onSubmit(() => start.mutateAsync())} autoComplete="off">
        <Stack maw={560}>
          <FormProblem form={form} />
          <Select
            label={t.source}
            description={t.sourceHint}
            data={Object.entries(t.sources).map(([value, label]) => ({ value, label }))}
            value={source}
            allowDeselect={false}
            error={form.errors['source']}
            onChange={(next) => {
              setSource((next ?? 'resend') as AccountImportSource);
              setValues({});
              setFile(null);
              setName('');
            }}
          />
          {hasBoth ? (
            <SegmentedControl
              aria-label={t.method}
              data={Object.entries(t.methods).map(([value, label]) => ({ value, label }))}
              value={method}
              onChange={(next) => setMethod(next === 'file' ? 'file' : 'api')}
            />
          ) : null}
          {uploaded === null ? null : (
            <FileDrop
              label={t.files[uploaded]}
              hint={t.files[uploaded]}
              accept={ACCEPTED[uploaded]}
              file={file}
              onChange={setFile}
            />
          )}
          {uploaded === 'mailchimp' || uploaded === 'postal' ? (
            <TextInput
              label={t.names[uploaded]}
              description={t.nameHints[uploaded]}
              value={name}
              error={form.errors['name']}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          ) : null}
          {fields.map((field) => (
            <ConnectionField
              key={`${source} ${field.name}`}
              field={field}
              form={form}
              value={values[field.name] ?? ''}
              onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
            />
          ))}
          <MultiSelect
            label={t.kinds}
            description={t.kindsHint}
            data={KINDS.map((value) => ({ value, label: t.kindNames[value] }))}
            value={kinds}
            error={form.errors['kinds']}
            onChange={(next) => setKinds(next)}
          />
          <SubTenantPicker
            label={t.subTenant}
            description={t.subTenantHint}
            value={tenant === '' ? null : tenant}
            error={form.errors['sub_tenant_id']}
            onChange={(id) => setTenant(id ?? '')}
          />
          <Checkbox
            label={t.dryRun}
            description={t.dryRunHint}
            checked={isDry}
            onChange={(event) => setDry(event.currentTarget.checked)}
          />
          <Group>
            <Button type="submit" disabled={!isReady} loading={form.isBusy}>
              {isDry ? t.startDry : t.start}
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}

function ConnectionField({
  field: { name, label, kind },
  form,
  value,
  onChange,
}: {
  field: Field;
  form: FormState;
  value: string;
  onChange: (value: string) => void;
}) {
  const t = useTexts(accountImports);
  const error = form.errors[`connection.${name}`];
  const labelled = { label: label(t.connection), error };
  switch (kind) {
    case 'region':
      return (
        <Select
          {...labelled}
          data={Object.entries(t.connection.regions).map(([region, text]) => ({
            value: region,
            label: text,
          }))}
          value={value === '' ? 'global' : value}
          allowDeselect={false}
          onChange={(next) => onChange(next ?? 'global')}
        />
      );
    case 'secret':
      return (
        <PasswordField
          {...labelled}
          description={name === 'account_token' ? t.connection.account_tokenHint : t.secretHint}
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'text':
      return (
        <TextInput
          {...labelled}
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}

function connectionPaths(): string[] {
  const names = new Set(Object.values(FIELDS).flatMap((fields) => fields.map(({ name }) => name)));
  return [...names].map((name) => `connection.${name}`);
}
