// Name, slug and type of a template.
import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Template, TemplateType } from '@mailkeel/sdk';
import { useAction } from '../../data/read.js';
import { useVersion } from '../../data/versions.js';
import { common } from '../../texts/common.js';
import { templates } from '../../texts/templates.js';
import { useTexts } from '../../texts/texts.js';
import { CallsButton } from '../../ui/calls.js';
import { Copyable } from '../../ui/code-block.js';
import { FormProblem, useFormState } from '../../ui/form.js';
import { Time } from '../../ui/format.js';
import { Card, Facts } from '../../ui/page.js';
import { useStatusText } from '../../ui/status.js';

export const TYPES: readonly TemplateType[] = ['any', 'transactional', 'marketing', 'sales'];

export function TemplateSettings({ template, isFixed }: { template: Template; isFixed: boolean }) {
  const t = useTexts(templates);
  const frame = useTexts(common);
  const word = useStatusText();
  const form = useFormState(['name', 'slug', 'type']);
  const [name, setName] = useState(template.name);
  const [slug, setSlug] = useState(template.slug);
  const [type, setType] = useState<TemplateType>(template.type);
  const { id } = template;
  const params = { name, slug, type };
  const versioned = useVersion(template, true);
  const save = useAction((api) => versioned((options) => api.templates.update(id, params, options)), {
    done: frame.saved,
    changes: ['templates'],
    isQuiet: true,
  });
  return (
    <div className="mk-split">
      <Card title={t.tabs.settings}>
        <form onSubmit={form.onSubmit(() => save.mutateAsync())}>
          <Stack>
            <FormProblem form={form} />
            <TextInput
              label={t.name}
              required
              readOnly={isFixed}
              maxLength={200}
              value={name}
              error={form.errors['name']}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <TextInput
              label={t.slug}
              description={t.slugEditHint}
              required
              readOnly={isFixed}
              value={slug}
              error={form.errors['slug']}
              onChange={(event) => setSlug(event.currentTarget.value)}
            />
            <Select
              label={t.type}
              description={t.typeHint}
              readOnly={isFixed}
              data={TYPES.map((value) => ({ value, label: word(value) }))}
              value={type}
              error={form.errors['type']}
              onChange={(value) => setType(value ?? 'any')}
            />
            {isFixed ? null : (
              <Group>
                <Button type="submit" loading={form.isBusy}>
                  {frame.save}
                </Button>
                <CallsButton calls={[(api) => api.templates.update(id, params)]} />
              </Group>
            )}
          </Stack>
        </form>
      </Card>
      <Card>
        <Facts
          isStacked
          of={[
            [t.id, <Copyable key="id" value={id} label={t.id} />],
            [frame.created, <Time key="created" at={template.created_at} isFull />],
            [frame.updated, <Time key="updated" at={template.updated_at} isFull />],
          ]}
        />
      </Card>
    </div>
  );
}
