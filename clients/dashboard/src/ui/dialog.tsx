// Dialogs and drawers. The initial focus is on the first field, or else on the safe action, or else on the text, but never on the
// close button, which Mantine would choose. Escape closes only the topmost one.
import { Drawer, Modal, type DrawerProps, type ModalProps } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';

/** Fields of files are hidden behind a button. */
const FIELD = 'textarea, input:not([type="hidden"], [type="file"], [readonly]:not([role="combobox"]))';

/** Gets the focus only if there is no text field, because a radio button ignores typed text. */
const CHOICE = '[type="radio"], [type="checkbox"]';

type Framed<T> = Omit<T, 'closeButtonProps' | 'opened'> & { isOpen?: boolean };

/** Without a field, `data-autofocus` on a button makes it the safe action. */
export function Dialog({ isOpen = true, children, ...frame }: Framed<ModalProps>) {
  const t = useTexts(common);
  useEscape(isOpen, frame);
  return (
    <Modal {...frame} opened={isOpen} closeOnEscape={false} closeButtonProps={{ 'aria-label': t.close }}>
      <DialogBody>{children}</DialogBody>
    </Modal>
  );
}

export function SideDialog({ isOpen = true, size = 'lg', children, ...frame }: Framed<DrawerProps>) {
  const t = useTexts(common);
  useEscape(isOpen, frame);
  return (
    <Drawer
      {...frame}
      opened={isOpen}
      closeOnEscape={false}
      position="right"
      size={size}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <DialogBody>{children}</DialogBody>
    </Drawer>
  );
}

type Closing = Pick<ModalProps, 'onClose' | 'closeOnEscape'>;

/** Functions that close the open dialogs, of which the last is on top. */
const openDialogs: (() => void)[] = [];

/** Mantine closes all open dialogs, unless their page names each of them. */
function useEscape(isOpen: boolean, { onClose, closeOnEscape = true }: Closing): void {
  const close = useRef<() => void>(() => undefined);
  useEffect(() => {
    close.current = closeOnEscape ? onClose : () => undefined;
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeThis = () => close.current();
    openDialogs.push(closeThis);
    if (openDialogs.length === 1) window.addEventListener('keydown', closeTop, { capture: true });
    return () => {
      openDialogs.splice(openDialogs.indexOf(closeThis), 1);
      if (openDialogs.length === 0) window.removeEventListener('keydown', closeTop, { capture: true });
    };
  }, [isOpen]);
}

function closeTop({ key, isComposing, target }: KeyboardEvent): void {
  if (key !== 'Escape' || isComposing) return;
  // Menus and choices of Mantine that are open close first.
  const isTaken =
    target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true';
  if (!isTaken) openDialogs.at(-1)?.();
}

function DialogBody({ children }: Pick<ModalProps, 'children'>) {
  return (
    <div ref={markFirst} tabIndex={-1} className="mk-dialog-body">
      {children}
    </div>
  );
}

/** Sets the attribute that Mantine's focus trap looks for. */
function markFirst(body: HTMLElement | null): void {
  if (body === null) return;
  const safe = body.querySelector('[data-autofocus]');
  const fields = [...body.querySelectorAll<HTMLElement>(FIELD)].filter(
    (field) => !field.matches(':disabled'),
  );
  const first = fields.find((field) => !field.matches(CHOICE)) ?? fields[0];
  if (first !== undefined) safe?.removeAttribute('data-autofocus');
  if (first !== undefined || safe === null) (first ?? body).setAttribute('data-autofocus', '');
}
