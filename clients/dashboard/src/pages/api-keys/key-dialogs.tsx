// Dialogs that create, change and rotate an API key. A secret is shown once.
import { Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey, ApiKeyCreate, Environment, KeyPermission } from '@mailkeel/sdk';
import { localOf, timeOf } from '../../data/local-time.js';
import { useAction } from '../../data/read.js';
import { apiKeys } from '../../texts/api-keys.js';
import { common } from '../../texts/common.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { ShownOnce } from '../../ui/secret.js';
import { SubTenantPicker } from '../../ui/pickers.js';
import { draftOfPolicy, POLICY_FIELDS, PolicyFields, policyOfDraft } from './policy-fields.js';

const PERMISSIONS: readonly KeyPermission[] = ['full', 'send', 'read', 'admin'];
const OVERLAPS = ['0', '1h', '24h', '7d', '30d'] as const;

function addressesOf(text: string): string[] | null {
  const addresses = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return addresses.length === 0 ? null : addresses;
}

interface Limits {
  expires: string;
  addresses: string;
}

function LimitFields({
  limits,
  set,
  errors,
}: {
  limits: Limits;
  set: (changes: Partial<Limits>) => void;
  errors: Record<string, string | undefined>;
}) {
  const t = useTexts(apiKeys);
  return (
    <>
      <TextInput
        type="datetime-local"
        label={t.expires}
        description={t.expiresHint}
        value={limits.expires}
        error={errors['expires_at']}
        onChange={(event) => set({ expires: event.currentTarget.value })}
      />
      <TextInput
        label={t.addresses}
        description={t.addressesHint}
        value={limits.addresses}
        error={errors['allowed_ips']}
        onChange={(event) => set({ addresses: event.currentTarget.value })}
      />
    </>
  );
}

export function NewKey({ environment, onClose }: { environment: Environment; onClose: () => void }) {
  const t = useTexts(apiKeys);
  const frame = useTexts(common);
  const form = useFormState([
    ...['name', 'permission', 'mode', 'sub_tenant_id', 'expires_at', 'allowed_ips'],
    ...POLICY_FIELDS,
  ]);
  const [name, setName] = useState('');
  const [mode, setMode] = useState<Environment>(environment);
  const [permission, setPermission] = useState<KeyPermission>('full');
  const [tenant, setTenant] = useState('');
  const [limits, setLimits] = useState<Limits>({ expires: '', addresses: '' });
  const [policyDraft, setPolicyDraft] = useState(() => draftOfPolicy(null));
  const [secret, setSecret] = useState<string | null>(null);
  const policy = permission === 'send' ? policyOfDraft(policyDraft) : null;
  const allowed = addressesOf(limits.addresses);
  const expires = timeOf(limits.expires);
  const params: ApiKeyCreate = {
    name,
    permission,
    mode,
    ...(tenant.trim() === '' ? {} : { sub_tenant_id: tenant.trim() }),
    ...(expires === null ? {} : { expires_at: expires }),
    ...(allowed === null ? {} : { allowed_ips: allowed }),
    ...(policy === null ? {} : { policy }),
  };
  const make = useAction((api) => api.apiKeys.create(params), { changes: ['api-keys'], isQuiet: true });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.create}
      submit={t.create}
      form={form}
      extra={<CallsButton calls={[(api) => api.apiKeys.create(params)]} />}
      act={async () => setSecret((await make.mutateAsync()).secret)}
      result={secret !== null && <ShownOnce title={t.secret} hint={t.secretHint} value={secret} />}
    >
      <TextInput
        label={t.name}
        description={t.nameHint}
        required
        value={name}
        error={form.errors['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={t.environment}
        description={t.environmentHint}
        data={[
          { value: 'test', label: frame.sandbox },
          { value: 'live', label: frame.live },
        ]}
        value={mode}
        error={form.errors['mode']}
        onChange={(value) => setMode(value === 'live' ? 'live' : 'test')}
      />
      <Select
        label={t.permission}
        data={PERMISSIONS.map((value) => ({ value, label: t.permissions[value] }))}
        value={permission}
        error={form.errors['permission']}
        onChange={(value) => setPermission(value ?? 'full')}
      />
      <SubTenantPicker
        label={t.subTenant}
        description={t.subTenantHint}
        value={tenant === '' ? null : tenant}
        error={form.errors['sub_tenant_id']}
        onChange={(id) => setTenant(id ?? '')}
      />
      <LimitFields
        limits={limits}
        set={(changes) => setLimits((before) => ({ ...before, ...changes }))}
        errors={form.errors}
      />
      {permission === 'send' ? (
        <PolicyFields
          draft={policyDraft}
          set={(changes) => setPolicyDraft((before) => ({ ...before, ...changes }))}
          errors={form.errors}
        />
      ) : null}
    </FormDialog>
  );
}

export function EditKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useTexts(apiKeys);
  const frame = useTexts(common);
  const form = useFormState(['name', 'expires_at', 'allowed_ips', ...POLICY_FIELDS]);
  const [policyDraft, setPolicyDraft] = useState(() => draftOfPolicy(apiKey.policy));
  const [name, setName] = useState(apiKey.name);
  const [limits, setLimits] = useState<Limits>({
    expires: localOf(apiKey.expires_at),
    addresses: (apiKey.allowed_ips ?? []).join(', '),
  });
  const params = {
    name,
    expires_at: timeOf(limits.expires),
    allowed_ips: addressesOf(limits.addresses),
    ...(apiKey.permission === 'send' ? { policy: policyOfDraft(policyDraft) } : {}),
  };
  const change = useAction((api) => api.apiKeys.update(apiKey.id, params), {
    done: frame.saved,
    changes: ['api-keys'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`${t.edit}: ${apiKey.name}`}
      submit={frame.save}
      form={form}
      extra={<CallsButton calls={[(api) => api.apiKeys.update(apiKey.id, params)]} />}
      act={() => change.mutateAsync()}
    >
      <TextInput
        label={t.name}
        required
        value={name}
        error={form.errors['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <LimitFields
        limits={limits}
        set={(changes) => setLimits((before) => ({ ...before, ...changes }))}
        errors={form.errors}
      />
      {apiKey.permission === 'send' ? (
        <PolicyFields
          draft={policyDraft}
          set={(changes) => setPolicyDraft((before) => ({ ...before, ...changes }))}
          errors={form.errors}
        />
      ) : null}
    </FormDialog>
  );
}

export function RotateKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useTexts(apiKeys);
  const form = useFormState(['overlap']);
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>('24h');
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useAction((api) => api.apiKeys.rotate(apiKey.id, { overlap }), {
    changes: ['api-keys'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`${t.rotateTitle}: ${apiKey.name}`}
      submit={t.rotate}
      form={form}
      extra={<CallsButton calls={[(api) => api.apiKeys.rotate(apiKey.id, { overlap })]} />}
      act={async () => setSecret((await rotate.mutateAsync()).secret)}
      result={secret !== null && <ShownOnce title={t.secret} hint={t.secretHint} value={secret} />}
    >
      <Text c="dimmed">{t.rotateHint}</Text>
      <Select
        label={t.overlap}
        data={OVERLAPS.map((value) => ({ value, label: t.overlaps[value] }))}
        value={overlap}
        error={form.errors['overlap']}
        onChange={(value) => setOverlap(value ?? '24h')}
      />
    </FormDialog>
  );
}

/** Creates the credentials with which Amazon SES clients sign requests as the key. */
export function SesCredentials({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useTexts(apiKeys);
  const form = useFormState([]);
  const [secret, setSecret] = useState<string | null>(null);
  const create = useAction((api) => api.apiKeys.createSesCredentials(apiKey.id), {
    changes: ['api-keys'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`${t.sesTitle}: ${apiKey.name}`}
      submit={t.sesCreate}
      form={form}
      extra={<CallsButton calls={[(api) => api.apiKeys.createSesCredentials(apiKey.id)]} />}
      act={async () => setSecret((await create.mutateAsync()).secret_access_key)}
      result={
        secret !== null && <ShownOnce title={t.sesSecret} hint={t.sesSecretHint(apiKey.id)} value={secret} />
      }
    >
      <Text c="dimmed">{apiKey.ses_credentials_at === null ? t.sesHint : t.sesReplaceHint}</Text>
    </FormDialog>
  );
}
