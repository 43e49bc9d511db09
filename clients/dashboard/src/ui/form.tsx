// Forms. The server validates the input and names every invalid field, and the form shows its sentences at the fields.
import { Alert, Button, Group, Stack } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { errorsByField } from '../data/form-errors.js';
import { fieldErrorsOf, useSentence } from '../data/sentences.js';
import { common } from '../texts/common.js';
import { refusals } from '../texts/refusals.js';
import { useTexts } from '../texts/texts.js';
import { Dialog } from './dialog.js';

export interface FormState {
  /** By field name in the API; undefined for valid fields. */
  errors: Record<string, string | undefined>;
  /** Problems that do not belong to a field of the form. */
  problem: string | null;
  isBusy: boolean;
  /** True when it was done. */
  submit: (act: () => Promise<unknown>) => Promise<boolean>;
  /** For a form of a page: `<form onSubmit={form.onSubmit(() => send.mutateAsync())}>`. */
  onSubmit: (act: () => Promise<unknown>) => (event: { preventDefault: () => void }) => void;
}

/** `fields` are the names of the form's fields. Problems of other fields are shown above the form. */
export function useFormState(fields: readonly string[]): FormState {
  const sentenceOf = useSentence();
  const { fields: labels } = useTexts(refusals);
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
      const { errors, others } = errorsByField(fieldErrorsOf(error), fields, labels);
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

/** A form in a dialog. It closes on success, or shows the result, such as a secret that is shown once. */
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
  /** Label of the button. */
  submit: string;
  form: FormState;
  act: () => Promise<unknown>;
  children: ReactNode;
  /** Beside the buttons, such as "</>". */
  extra?: ReactNode;
  /** Replaces the form once it is set, and keeps the dialog open. `false` keeps the dialog open without a result. */
  result?: ReactNode;
}) {
  const t = useTexts(common);
  const [isTyped, setTyped] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const isForm = result === null || result === false;
  const close = () => {
    setTyped(false);
    setAsked(false);
    onClose();
  };
  // Escape or a click outside asks before it discards input.
  const leave = () => (isForm && isTyped && !isAsked ? setAsked(true) : close());
  const send = async () => {
    const isDone = await form.submit(act);
    if (isDone && result === null) close();
  };
  return (
    <Dialog isOpen={isOpen} onClose={leave} title={title} closeOnClickOutside={isForm}>
      {!isForm ? (
        <Stack ref={focusResult} tabIndex={-1} className="mk-dialog-body">
          {result}
          <Group justify="flex-end">
            <Button onClick={close}>{t.close}</Button>
          </Group>
        </Stack>
      ) : (
        <form
          onInput={() => setTyped(true)}
          onSubmit={(event) => {
            event.preventDefault();
            void send();
          }}
        >
          <Stack>
            <FormProblem form={form} />
            {children}
            {isAsked && (
              <Alert color="yellow" title={t.discard.title} role="alert">
                <Group mt="xs">
                  <Button size="xs" variant="default" onClick={() => setAsked(false)}>
                    {t.discard.keep}
                  </Button>
                  <Button size="xs" color="red" variant="light" onClick={close}>
                    {t.discard.button}
                  </Button>
                </Group>
              </Alert>
            )}
            <Group justify="flex-end">
              {extra}
              <Button variant="default" onClick={close}>
                {t.cancel}
              </Button>
              <Button type="submit" loading={form.isBusy}>
                {submit}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}

/** The focused button was removed. */
function focusResult(result: HTMLElement | null): void {
  result?.focus();
}

export function FormProblem({ form: { problem } }: { form: FormState }) {
  return problem === null ? null : (
    <Alert color="red" role="alert">
      {problem}
    </Alert>
  );
}
