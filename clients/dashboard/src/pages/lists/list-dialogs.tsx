// Dialogs that create and change lists and segments, and add contacts.
import { Checkbox, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ListMemberAdd, MailingList, MailingListCreate } from '@mailkeel/sdk';
import { useAction } from '../../data/read.js';
import { common } from '../../texts/common.js';
import { lists } from '../../texts/lists.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { FormDialog, useFormState } from '../../ui/form.js';
import { useGo } from '../../ui/links.js';
import { TagsField } from '../../ui/tags.js';
import { FilterBuilder, FilterCount } from './filter-builder.js';
import { filterOf, groupFrom, newGroup } from './filter-rules.js';
import { SubTenantPicker, TemplatePicker } from '../../ui/pickers.js';

const FIELDS = [
  'name',
  'description',
  'double_opt_in',
  'confirmation_template_id',
  'form_origins',
  'sub_tenant_id',
];

interface ListForm {
  name: string;
  description: string;
  isConfirmed: boolean;
  template: string;
  origins: readonly string[];
}

interface FieldsProps {
  values: ListForm;
  set: (changes: Partial<ListForm>) => void;
  errors: Record<string, string | undefined>;
  isSegment: boolean;
}

function ListFields({ values, set, errors, isSegment }: FieldsProps) {
  const t = useTexts(lists);
  return (
    <>
      <TextInput
        label={t.name}
        description={t.nameHint}
        required
        value={values.name}
        error={errors['name']}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Textarea
        label={t.description}
        description={t.descriptionHint}
        minRows={2}
        value={values.description}
        error={errors['description']}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      {isSegment ? null : (
        <>
          <Checkbox
            label={t.doubleOptIn}
            description={t.doubleOptInHint}
            checked={values.isConfirmed}
            onChange={(event) => set({ isConfirmed: event.currentTarget.checked })}
          />
          {values.isConfirmed ? (
            <TemplatePicker
              label={t.template}
              description={t.templateHint}
              placeholder={t.plainTemplate}
              value={values.template === '' ? null : values.template}
              error={errors['confirmation_template_id']}
              onChange={(id) => set({ template: id ?? '' })}
            />
          ) : null}
          <TagsField
            label={t.origins}
            hint={t.originsHint}
            tags={values.origins}
            error={errors['form_origins']}
            onChange={(origins) => set({ origins })}
          />
        </>
      )}
    </>
  );
}

function paramsOf(values: ListForm, isSegment: boolean) {
  const { name, description, isConfirmed, template, origins } = values;
  return {
    name: name.trim(),
    description: description.trim() === '' ? null : description.trim(),
    ...(isSegment
      ? {}
      : {
          double_opt_in: isConfirmed,
          confirmation_template_id: template === '' ? null : template,
          form_origins: [...origins],
        }),
  };
}

export function NewList({ isSegment, onClose }: { isSegment: boolean; onClose: () => void }) {
  const t = useTexts(lists);
  const go = useGo();
  const form = useFormState(FIELDS);
  const [values, setValues] = useState<ListForm>({
    name: '',
    description: '',
    isConfirmed: false,
    template: '',
    origins: [],
  });
  const [group, setGroup] = useState(() => newGroup());
  const [tenant, setTenant] = useState('');
  const params: MailingListCreate = {
    ...paramsOf(values, isSegment),
    ...(isSegment ? { filter: filterOf(group) } : {}),
    ...(tenant.trim() === '' ? {} : { sub_tenant_id: tenant.trim() }),
  };
  const make = useAction((api) => api.lists.create(params), {
    done: t.made,
    changes: ['lists'],
    onDone: ({ id }) => go(`/lists/${id}`),
    isQuiet: true,
  });
  const title = isSegment ? t.newSegment : t.newList;
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={title}
      submit={title}
      form={form}
      extra={<CallsButton calls={[(api) => api.lists.create(params)]} />}
      act={() => make.mutateAsync()}
    >
      <ListFields
        values={values}
        set={(changes) => setValues((before) => ({ ...before, ...changes }))}
        errors={form.errors}
        isSegment={isSegment}
      />
      {isSegment ? (
        <>
          <FilterBuilder group={group} onChange={setGroup} />
          <FilterCount group={group} />
        </>
      ) : null}
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

export function EditList({ list, onClose }: { list: MailingList; onClose: () => void }) {
  const t = useTexts(lists);
  const frame = useTexts(common);
  const form = useFormState(FIELDS);
  const isSegment = list.filter !== null;
  const [values, setValues] = useState<ListForm>({
    name: list.name,
    description: list.description ?? '',
    isConfirmed: list.double_opt_in,
    template: list.confirmation_template_id ?? '',
    origins: list.form_origins,
  });
  const [group, setGroup] = useState(() => groupFrom(list.filter));
  const params = { ...paramsOf(values, isSegment), ...(isSegment ? { filter: filterOf(group) } : {}) };
  const change = useAction((api) => api.lists.update(list.id, params), {
    done: frame.saved,
    changes: ['lists'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.edit}
      submit={frame.save}
      form={form}
      extra={<CallsButton calls={[(api) => api.lists.update(list.id, params)]} />}
      act={() => change.mutateAsync()}
    >
      <ListFields
        values={values}
        set={(changes) => setValues((before) => ({ ...before, ...changes }))}
        errors={form.errors}
        isSegment={isSegment}
      />
      {isSegment ? (
        <>
          <FilterBuilder group={group} onChange={setGroup} />
          <FilterCount group={group} />
        </>
      ) : null}
    </FormDialog>
  );
}

export function AddMember({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTexts(lists);
  const form = useFormState(['email', 'name', 'resubscribe']);
  const [email, setEmail] = useState('');
  const [resubscribes, setResubscribes] = useState(false);
  const params: ListMemberAdd = { email: email.trim(), ...(resubscribes ? { resubscribe: true } : {}) };
  const add = useAction((api) => api.lists.addContacts(id, params), {
    done: t.memberAdded,
    changes: ['lists', 'contacts'],
    isQuiet: true,
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={t.addMember}
      submit={t.addMember}
      form={form}
      extra={<CallsButton calls={[(api) => api.lists.addContacts(id, params)]} />}
      act={() => add.mutateAsync()}
    >
      <Text c="dimmed">{t.addMemberHint}</Text>
      <TextInput
        label={t.memberEmail}
        inputMode="email"
        required
        value={email}
        error={form.errors['email']}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Checkbox
        label={t.resubscribe}
        checked={resubscribes}
        onChange={(event) => setResubscribes(event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
