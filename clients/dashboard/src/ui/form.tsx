// Forms: what is sent is checked by the server, which names every field at fault; its sentences stand at the fields.
import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { errorsByField } from '../data/form-errors.js';
import { fieldErrorsOf, useSentence } from '../data/sentences.js';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';

export interface FormState {
  /** By names on the wire; undefined where the field is right. */
  errors: Record<string, string | undefined>;
  /** What is not about a field of the form. */
  problem: string | null;
  isBusy: boolean;
  /** True when it was done. */
  submit: (act: () => Promise<unknown>) => Promise<boolean>;
  /** For a form of a page: `<form onSubmit={form.onSubmit(() => send.mutateAsync())}>`. */
  onSubmit: (act: () => Promise<unknown>) => (event: { preventDefault: () => void }) => void;
}

/** `fields` are the names that the form shows; problems of others stand above it. */
export function useFormState(fields: readonly string[]): FormState {
  const sentenceOf = useSentence();
  const [state, setState] = useState<Omit<FormState, 'submit' | 'onSubmit'>>({
    errors: {},
    problem: null,
    isBusy: false,
  });
  const submit = async (act: () => Promise<unknown>) => {
    setState({ errors: {}, problem: null, isBusy: true });
    try {
      await act();
      setState({ errors: {}, problem: null, isBusy: false });
      return true;
    } catch (error) {
      const { errors, others } = errorsByField(fieldErrorsOf(error), fields);
      const isCovered = Object.keys(errors).length > 0;
      setState({
        errors,
        problem: others.length > 0 ? others.join(' ') : isCovered ? null : sentenceOf(error),
        isBusy: false,
      });
      return false;
    }
  };
  return {
    ...state,
    submit,
    onSubmit: (act) => (event) => {
      event.preventDefault();
      void submit(act);
    },
  };
}

/** A form in a dialog. It closes when what it does has been done, or shows the result, such as a secret that is shown once. */
export function FormDialog({
  isOpen,
  onClose,
  title,
  submit,
  form,
  act,
  children,
  extra,
  result = null,
}: {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** The name of the deed, on the button. */
  submit: string;
  form: FormState;
  act: () => Promise<unknown>;
  children: ReactNode;
  /** Beside the buttons, such as "</>". */
  extra?: ReactNode;
  /** Shown in place of the form once it is there; the dialog stays open then. False: nothing is shown, and it stays open. */
  result?: ReactNode;
}) {
  const t = useTexts(common);
  const send = async () => {
    const isDone = await form.submit(act);
    if (isDone && result === null) onClose();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={title}
      closeOnClickOutside={result === null || result === false}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      {result !== null && result !== false ? (
        <Stack>
          {result}
          <Group justify="flex-end">
            <Button onClick={onClose}>{t.close}</Button>
          </Group>
        </Stack>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <Stack>
            <FormProblem form={form} />
            {children}
            <Group justify="flex-end">
              {extra}
              <Button variant="default" onClick={onClose}>
                {t.cancel}
              </Button>
              <Button type="submit" loading={form.isBusy}>
                {submit}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}

export function FormProblem({ form: { problem } }: { form: FormState }) {
  return problem === null ? null : (
    <Alert color="red" role="alert">
      {problem}
    </Alert>
  );
}
