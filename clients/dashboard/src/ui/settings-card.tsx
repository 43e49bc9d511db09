// A card with a form: its fields, saving them, and the call that does it. Who may not change them sees them locked.
import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { CallsButton, type ApiCall } from './calls.js';
import { FormProblem, type FormState } from './form.js';
import { Card } from './page.js';

export function SettingsCard({
  title,
  hint,
  form,
  mayAct,
  act,
  call,
  submit,
  children,
}: {
  title: string;
  hint?: string;
  form: FormState;
  mayAct: boolean;
  act: () => Promise<unknown>;
  call: ApiCall;
  /** Label of the button if it does not save. */
  submit?: string;
  children: ReactNode;
}) {
  const t = useTexts(common);
  return (
    <Card title={title}>
      <form onSubmit={form.onSubmit(act)}>
        <fieldset disabled={!mayAct} className="mk-bare" aria-label={title}>
          <Stack>
            {hint === undefined ? null : <Text c="dimmed">{hint}</Text>}
            <FormProblem form={form} />
            {children}
            {mayAct ? (
              <Group gap="xs">
                <Button type="submit" loading={form.isBusy}>
                  {submit ?? t.save}
                </Button>
                <CallsButton calls={[call]} />
              </Group>
            ) : null}
          </Stack>
        </fieldset>
      </form>
    </Card>
  );
}
