// Adding, changing and erasing a contact.
import { Alert, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Contact, ContactErasure, ContactUpsert } from '@mailkeel/sdk';
import { useAction } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { contacts } from '../../texts/contacts.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { CustomFieldsInput, dataOf, fieldsOf, type CustomField } from '../../ui/custom-fields.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { useFormat } from '../../ui/format.js';
import { useGo } from '../../ui/links.js';
import { Facts } from '../../ui/page.js';
import { TagsField } from '../../ui/tags.js';
import { SubTenantPicker } from '../../ui/pickers.js';

const FIELDS = ['email', 'name', 'phone', 'tags', 'metadata', 'sub_tenant_id'];

interface ContactForm {
  name: string;
  phone: string;
  tags: readonly string[];
  fields: CustomField[];
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

function ContactFields({
  values,
  set,
  errors,
}: {
  values: ContactForm;
  set: (changes: Partial<ContactForm>) => void;
  errors: Record<string, string | undefined>;
}) {
  const t = useTexts(contacts);
  return (
    <>
      <TextInput
        label={t.name}
        value={values.name}
        error={errors['name']}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TextInput
        label={t.phone}
        type="tel"
        value={values.phone}
        error={errors['phone']}
        onChange={(event) => set({ phone: event.currentTarget.value })}
      />
      <TagsField
        label={t.tags}
        hint={t.tagsHint}
        tags={values.tags}
        error={errors['tags']}
        onChange={(tags) => set({ tags })}
      />
      <CustomFieldsInput
        texts={t}
        fields={values.fields}
        error={errors['metadata']}
        onChange={(fields) => set({ fields })}
      />
    </>
  );
}

export function NewContact({ onClose }: { onClose: () => void }) {
  const t = useTexts(contacts);
  const go = useGo();
  const form = useFormState(FIELDS);
  const [email, setEmail] = useState('');
  const [tenant, setTenant] = useState('');
  const [values, setValues] = useState<ContactForm>({ name: '', phone: '', tags: [], fields: [] });
  const data = dataOf(values.fields);
  const name = orNull(values.name);
  const phone = orNull(values.phone);
  const params: ContactUpsert = {
    email: email.trim(),
    ...(name === null ? {} : { name }),
    ...(phone === null ? {} : { phone }),
    ...(values.tags.length === 0 ? {} : { tags: [...values.tags] }),
    ...(Object.keys(data).length === 0 ? {} : { metadata: data }),
    ...(tenant.trim() === '' ? {} : { sub_tenant_id: tenant.trim() }),
  };
  const make = useAction((api) => api.contacts.upsert(params), {
    done: t.made,
    changes: ['contacts'],
    onDone: ({ id }) => go(`/contacts/${id}`),
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.create}
      submit={t.create}
      form={form}
      extra={<CallsButton calls={[(api) => api.contacts.upsert(params)]} />}
      act={() => make.mutateAsync()}
    >
      <TextInput
        label={t.email}
        inputMode="email"
        required
        value={email}
        error={form.errors['email']}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <ContactFields
        values={values}
        set={(changes) => setValues((before) => ({ ...before, ...changes }))}
        errors={form.errors}
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

export function EditContact({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const t = useTexts(contacts);
  const frame = useTexts(common);
  const form = useFormState(FIELDS);
  const [values, setValues] = useState<ContactForm>({
    name: contact.name ?? '',
    phone: contact.phone ?? '',
    tags: contact.tags,
    fields: fieldsOf(contact.metadata),
  });
  const params = {
    name: orNull(values.name),
    phone: orNull(values.phone),
    tags: [...values.tags],
    metadata: dataOf(values.fields),
  };
  const change = useAction((api) => api.contacts.update(contact.id, params), {
    done: frame.saved,
    changes: ['contacts'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`${t.edit}: ${contact.email}`}
      submit={frame.save}
      form={form}
      extra={<CallsButton calls={[(api) => api.contacts.update(contact.id, params)]} />}
      act={() => change.mutateAsync()}
    >
      <ContactFields
        values={values}
        set={(changes) => setValues((before) => ({ ...before, ...changes }))}
        errors={form.errors}
      />
    </FormDialog>
  );
}

/** Shows what was erased. Closing it leaves the page, because the contact no longer exists. */
export function EraseContact({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const t = useTexts(contacts);
  const go = useGo();
  const form = useFormState([]);
  const [typed, setTyped] = useState('');
  const [erased, setErased] = useState<ContactErasure | null>(null);
  const erase = useAction((api) => api.contacts.erase(contact.id), { isQuiet: true });
  const act = async () => {
    if (typed.trim() !== contact.email) throw new Error(t.eraseWrong);
    setErased(await erase.mutateAsync());
  };
  const close = () => {
    onClose();
    if (erased !== null) void go('/contacts');
  };
  return (
    <FormDialog
      isOpen
      onClose={close}
      title={t.erase}
      submit={t.eraseButton}
      form={form}
      extra={<CallsButton calls={[(api) => api.contacts.erase(contact.id)]} />}
      act={act}
      result={erased !== null && <Erased erasure={erased} />}
    >
      <Text>{t.eraseHint}</Text>
      <TextInput
        label={t.eraseType(contact.email)}
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

function Erased({ erasure: { erased, kept, complete } }: { erasure: ContactErasure }) {
  const t = useTexts(contacts);
  const format = useFormat();
  const names: Record<string, string> = t.counts;
  const counts = Object.entries({ ...erased, ...kept }).filter(([, count]) => count > 0);
  return (
    <Stack role="status">
      <Text fw={600}>{t.erased}</Text>
      <Facts of={counts.map(([name, count]) => [names[name] ?? name, format.count(count)])} />
      {complete ? null : <Alert color="yellow">{t.eraseAgain}</Alert>}
    </Stack>
  );
}
