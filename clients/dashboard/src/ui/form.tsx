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
  const [isTyped, setTyped] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const isForm = result === null || result === false;
  const close = () => {
    setTyped(false);
    setAsked(false);
    onClose();
  };
  // By Escape or a click beside it nothing that was typed is lost.
  const leave = () => (isForm && isTyped && !isAsked ? setAsked(true) : close());
  const send = async () => {
    const isDone = await form.submit(act);
    if (isDone && result === null) close();
  };
  return (
    <Modal
      opened={isOpen}
      onClose={leave}
      title={title}
      closeOnClickOutside={isForm}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      {!isForm ? (
        <Stack>
          {result}
          <Group justify="flex-end">
            <Button onClick={close}>{t.close}</Button>
          </Group>
        </Stack>
      ) : (
        <form
          ref={markFirstField}
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
    </Modal>
  );
}

/** Names of fields into which one types, without those that open a choice. */
const TYPED_INTO =
  'textarea, input:not([type="radio"], [type="checkbox"], [type="file"], [readonly], [aria-haspopup])';

/** The dialog opens with the cursor in its first field. */
function markFirstField(form: HTMLFormElement | null): void {
  if (form?.querySelector('[data-autofocus]') === null)
    form.querySelector(TYPED_INTO)?.setAttribute('data-autofocus', '');
}

export function FormProblem({ form: { problem } }: { form: FormState }) {
  return problem === null ? null : (
    <Alert color="red" role="alert">
      {problem}
    </Alert>
  );
}
