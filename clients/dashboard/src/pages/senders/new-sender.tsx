// Adding a sender: a domain, or one address.
import { Button, Radio, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { SenderCreate } from '@mailkeel/sdk';
import { useState } from 'react';
import { usePlace, useRole } from '../../data/place.js';
import { useRefresh } from '../../data/read.js';
import { senders } from '../../texts/senders.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { Icon } from '../../ui/icon.js';
import { useGo, useNewFromLink } from '../../ui/links.js';
import { SubTenantPicker } from '../../ui/pickers.js';

const KINDS = ['domain', 'address'] as const;
type Kind = (typeof KINDS)[number];
type Field = 'domain' | 'email' | 'name' | 'sub_tenant_id';

function requestOf(kind: Kind, given: Record<Field, string>): SenderCreate {
  const tenant = given.sub_tenant_id === '' ? {} : { sub_tenant_id: given.sub_tenant_id };
  if (kind === 'domain') return { domain: given.domain, ...tenant };
  return { email: given.email, ...(given.name === '' ? {} : { name: given.name }), ...tenant };
}

/** Only one of the page's buttons opens its dialog for a link. */
export function NewSender({
  domain = '',
  opensFromLink = false,
}: {
  domain?: string;
  opensFromLink?: boolean;
}) {
  const t = useTexts(senders);
  const mayCreate = useRole('member');
  const [isOpen, { open, close }] = useDisclosure(false);
  useNewFromLink(opensFromLink ? open : null);
  if (!mayCreate) return null;
  return (
    <>
      <Button
        variant={domain === '' ? 'filled' : 'default'}
        leftSection={<Icon name="plus" size={16} />}
        onClick={open}
      >
        {domain === '' ? t.newOne : t.whole}
      </Button>
      {isOpen ? <NewSenderDialog domain={domain} onClose={close} /> : null}
    </>
  );
}

function NewSenderDialog({ domain, onClose }: { domain: string; onClose: () => void }) {
  const t = useTexts(senders);
  const { api } = usePlace();
  const go = useGo();
  const refresh = useRefresh();
  const form = useFormState(['domain', 'email', 'name', 'sub_tenant_id']);
  const [kind, setKind] = useState<Kind>('domain');
  const [given, setGiven] = useState<Record<Field, string>>({
    domain,
    email: '',
    name: '',
    sub_tenant_id: '',
  });
  const field = (name: Field) => ({
    value: given[name],
    error: form.errors[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setGiven((before) => ({ ...before, [name]: value.trimStart() }));
    },
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.newOne}
      submit={t.add}
      form={form}
      extra={<CallsButton calls={[(to) => to.senders.create(requestOf(kind, given))]} />}
      act={async () => {
        const made = await api.senders.create(requestOf(kind, given));
        await refresh('senders');
        await go(`/senders/${made.id}`);
      }}
    >
      <Radio.Group
        label={t.kindChoice}
        value={kind}
        onChange={(next) => setKind(next === 'address' ? 'address' : 'domain')}
      >
        <Stack gap="sm" mt="xs">
          {KINDS.map((value) => (
            <Radio key={value} value={value} label={t.kindTitles[value]} description={t.kindHints[value]} />
          ))}
        </Stack>
      </Radio.Group>
      {kind === 'domain' ? (
        <TextInput label={t.domain} placeholder={t.domainExample} required {...field('domain')} />
      ) : (
        <>
          <TextInput
            label={t.email}
            inputMode="email"
            placeholder={t.emailExample}
            required
            {...field('email')}
          />
          <TextInput label={t.displayName} {...field('name')} />
        </>
      )}
      <SubTenantPicker
        label={t.subTenant}
        description={t.subTenantHint}
        value={given.sub_tenant_id === '' ? null : given.sub_tenant_id}
        error={form.errors['sub_tenant_id']}
        onChange={(id) => setGiven((before) => ({ ...before, sub_tenant_id: id ?? '' }))}
      />
    </FormDialog>
  );
}
