// Asks before something that cannot be taken back, and shows the call that would do it.
import { Alert, Button, Group, Menu, Stack, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useSentence } from '../data/sentences.js';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { CallsButton, type ApiCall } from './calls.js';
import { Dialog } from './dialog.js';
import { MoreMenu } from './more-menu.js';

export interface ConfirmProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** Describes the effect in sentences. */
  children: ReactNode;
  /** Label of the button. */
  action: string;
  /** Runs the action. A rejection is shown; the dialog closes on success. */
  onConfirm: () => Promise<unknown>;
  isDangerous?: boolean;
  /** Text to type first, for large actions. */
  word?: string;
  call?: ApiCall;
}

export function Confirm({
  isOpen,
  onClose,
  title,
  children,
  action,
  onConfirm,
  isDangerous = true,
  word,
  call,
}: ConfirmProps) {
  const t = useTexts(common);
  const sentenceOf = useSentence();
  const [state, setState] = useState<{ isBusy: boolean; problem: string | null }>({
    isBusy: false,
    problem: null,
  });
  const [typed, setTyped] = useState('');
  const close = () => {
    setState({ isBusy: false, problem: null });
    setTyped('');
    onClose();
  };
  const confirm = async () => {
    setState({ isBusy: true, problem: null });
    try {
      await onConfirm();
      close();
    } catch (error) {
      setState({ isBusy: false, problem: sentenceOf(error) });
    }
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={title} size="md">
      <Stack>
        <Text component="div">{children}</Text>
        {word === undefined ? null : (
          <TextInput
            label={t.confirm.type(word)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        {state.problem === null ? null : (
          <Alert color="red" role="alert">
            {state.problem}
          </Alert>
        )}
        <Group justify="flex-end">
          {call === undefined ? null : <CallsButton calls={[call]} />}
          <Button variant="default" onClick={close} data-autofocus>
            {t.cancel}
          </Button>
          <Button
            {...(isDangerous ? { color: 'red.9' } : {})}
            loading={state.isBusy}
            disabled={word !== undefined && typed !== word}
            onClick={() => void confirm()}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** A button that asks for confirmation. Destructive ones have a red outline. */
export function ConfirmButton({
  label,
  size = 'sm',
  ...confirm
}: Omit<ConfirmProps, 'isOpen' | 'onClose'> & {
  label: string;
  /** Smaller in the row of a table. */
  size?: 'xs' | 'sm';
}) {
  const [isOpen, setOpen] = useState(false);
  const { isDangerous = true } = confirm;
  return (
    <>
      <Button
        variant="default"
        size={size}
        {...(isDangerous ? { className: 'mk-danger' } : {})}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <Confirm {...confirm} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

/** The menu of a page with one item, which deletes the page's object after a question. */
export function DeleteMenu({
  label,
  ...confirm
}: Omit<ConfirmProps, 'isOpen' | 'onClose'> & { label: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <MoreMenu danger={<Menu.Item onClick={() => setOpen(true)}>{label}</Menu.Item>} />
      <Confirm {...confirm} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
