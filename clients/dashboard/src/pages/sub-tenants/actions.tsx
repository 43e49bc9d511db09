// The actions for a sub-tenant: pause, resume, edit, delete and rotate keys.
import { Alert, Button, Checkbox, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { DkimRotate, SubTenant, SubTenantUpdate } from '@mailkeel/sdk';
import { useState } from 'react';
import { usePlace, useRole } from '../../data/place.js';
import { useAction, useRefresh } from '../../data/read.js';
import { dns } from '../../texts/dns.js';
import { subTenants } from '../../texts/sub-tenants.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { ConfirmButton, DeleteMenu } from '../../ui/confirm.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { useGo } from '../../ui/links.js';

export function TenantActions({ tenant, isPaused }: { tenant: SubTenant; isPaused: boolean }) {
  const mayChange = useRole('member');
  if (!mayChange) return null;
  return (
    <>
      {isPaused ? <ResumeButton tenant={tenant} /> : <PauseButton tenant={tenant} />}
      <EditButton tenant={tenant} />
      <DeleteButton tenant={tenant} />
    </>
  );
}

function PauseButton({ tenant: { id, name } }: { tenant: SubTenant }) {
  const t = useTexts(subTenants);
  const pause = useAction((api) => api.subTenants.pause(id), {
    done: t.paused,
    changes: ['sub-tenants', 'queue'],
    isQuiet: true,
  });
  return (
    <ConfirmButton
      label={t.pause}
      title={t.pauseTitle(name)}
      action={t.pause}
      onConfirm={() => pause.mutateAsync()}
      call={(api) => api.subTenants.pause(id)}
    >
      {t.pauseAbout}
    </ConfirmButton>
  );
}

function ResumeButton({ tenant: { id, name } }: { tenant: SubTenant }) {
  const t = useTexts(subTenants);
  const resume = useAction((api) => api.subTenants.resume(id), {
    done: t.resumed,
    changes: ['sub-tenants', 'queue'],
    isQuiet: true,
  });
  return (
    <ConfirmButton
      label={t.resume}
      title={t.resumeTitle(name)}
      action={t.resume}
      isDangerous={false}
      onConfirm={() => resume.mutateAsync()}
      call={(api) => api.subTenants.resume(id)}
    >
      {t.resumeAbout}
    </ConfirmButton>
  );
}

function DeleteButton({ tenant: { id, name, sending_domain: domain } }: { tenant: SubTenant }) {
  const t = useTexts(subTenants);
  const go = useGo();
  const remove = useAction((api) => api.subTenants.delete(id), {
    done: t.removed,
    isQuiet: true,
    // Leaves the page of the deleted object before any data is read again.
    onDone: () => go('/sub-tenants'),
    changes: ['sub-tenants', 'senders'],
  });
  return (
    <DeleteMenu
      label={t.remove}
      title={t.removeTitle(name)}
      action={t.remove}
      word={domain}
      onConfirm={() => remove.mutateAsync()}
      call={(api) => api.subTenants.delete(id)}
    >
      {t.removeAbout}
    </DeleteMenu>
  );
}

const TEXT_FIELDS = [
  'name',
  'external_id',
  'return_path_domain',
  'inbound_domain',
  'tracking_domain',
] as const;
const FIELDS = [...TEXT_FIELDS, 'throttle_per_hour'];

type Values = Record<(typeof TEXT_FIELDS)[number], string> & { throttle_per_hour: number | null };

/** Sends only changed fields, so that custom names are not touched. */
function changesOf(tenant: SubTenant, values: Values): SubTenantUpdate {
  const changes: Record<string, unknown> = {};
  for (const field of TEXT_FIELDS) {
    if (values[field] !== (tenant[field] ?? '')) changes[field] = values[field] === '' ? null : values[field];
  }
  if (values.throttle_per_hour !== tenant.throttle_per_hour) {
    changes['throttle_per_hour'] = values.throttle_per_hour;
  }
  return changes;
}

function EditButton({ tenant }: { tenant: SubTenant }) {
  const t = useTexts(subTenants);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={open}>
        {t.edit}
      </Button>
      {isOpen ? <EditDialog tenant={tenant} onClose={close} /> : null}
    </>
  );
}

function EditDialog({ tenant, onClose }: { tenant: SubTenant; onClose: () => void }) {
  const t = useTexts(subTenants);
  const { isSandbox } = usePlace();
  const form = useFormState(FIELDS);
  const [values, setValues] = useState<Values>({
    name: tenant.name,
    external_id: tenant.external_id ?? '',
    return_path_domain: tenant.return_path_domain,
    inbound_domain: tenant.inbound_domain,
    tracking_domain: tenant.tracking_domain,
    throttle_per_hour: tenant.throttle_per_hour,
  });
  const save = useAction((api) => api.subTenants.update(tenant.id, changesOf(tenant, values)), {
    done: t.saved,
    changes: ['sub-tenants'],
    isQuiet: true,
  });
  const field = (name: (typeof TEXT_FIELDS)[number]) => ({
    value: values[name],
    error: form.errors[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setValues((before) => ({ ...before, [name]: value }));
    },
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.edit}
      submit={t.edit}
      form={form}
      extra={<CallsButton calls={[(api) => api.subTenants.update(tenant.id, changesOf(tenant, values))]} />}
      act={() => save.mutateAsync()}
    >
      <TextInput label={t.name} required {...field('name')} />
      <TextInput label={t.externalId} description={t.externalIdHint} {...field('external_id')} />
      {isSandbox ? null : (
        <>
          <NumberInput
            label={t.throttle}
            description={t.throttleHint}
            min={1}
            allowDecimal={false}
            value={values.throttle_per_hour ?? ''}
            error={form.errors['throttle_per_hour']}
            onChange={(next) =>
              setValues((before) => ({ ...before, throttle_per_hour: next === '' ? null : Number(next) }))
            }
          />
          <TextInput label={t.returnPath} description={t.ownNamesHint} {...field('return_path_domain')} />
          <TextInput label={t.inbound} {...field('inbound_domain')} />
          <TextInput label={t.tracking} {...field('tracking_domain')} />
        </>
      )}
    </FormDialog>
  );
}

export function RotateButton({ tenant }: { tenant: SubTenant }) {
  const t = useTexts(dns);
  const [isOpen, { open, close }] = useDisclosure(false);
  if (tenant.dkim?.mode === 'zone') return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        {t.rotate}
      </Button>
      {isOpen ? <RotateDialog tenant={tenant} onClose={close} /> : null}
    </>
  );
}

function RotateDialog({ tenant: { id }, onClose }: { tenant: SubTenant; onClose: () => void }) {
  const t = useTexts(dns);
  const { api } = usePlace();
  const refresh = useRefresh();
  const form = useFormState(['mode', 'emergency']);
  const [mode, setMode] = useState<'' | 'txt' | 'cname'>('');
  const [isEmergency, setEmergency] = useState(false);
  const request: DkimRotate = {
    ...(mode === '' ? {} : { mode }),
    ...(isEmergency ? { emergency: true } : {}),
  };
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.rotate}
      submit={t.rotate}
      form={form}
      extra={<CallsButton calls={[(to) => to.subTenants.rotateDkim(id, request)]} />}
      act={async () => {
        await api.subTenants.rotateDkim(id, request);
        await refresh('sub-tenants');
      }}
    >
      <Text>{t.rotateAbout}</Text>
      <Select
        label={t.mode}
        value={mode}
        error={form.errors['mode']}
        onChange={(next) => setMode(next === 'txt' || next === 'cname' ? next : '')}
        data={[
          { value: '', label: t.modeUnchanged },
          { value: 'txt', label: t.modes.txt },
          { value: 'cname', label: t.modes.cname },
        ]}
      />
      <Checkbox
        label={t.emergency}
        description={t.emergencyHint}
        checked={isEmergency}
        onChange={(event) => setEmergency(event.currentTarget.checked)}
      />
      {isEmergency ? <Alert color="red">{t.emergencyHint}</Alert> : null}
    </FormDialog>
  );
}
