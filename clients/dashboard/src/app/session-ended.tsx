// Asks to sign in again over the page that was open when the session ended.
import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { SignedIn } from '@mailkeel/sdk';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { ENDED_KEY, SESSION_KEY, useHasEnded } from './session.js';
import { SignInForm } from './sign-in.js';
import { Dialog } from '../ui/dialog.js';

export function SessionEnded({ userId }: { userId: string }) {
  const t = useTexts(common);
  const client = useQueryClient();
  const hasEnded = useHasEnded();
  const goOn = (session: SignedIn) => {
    // The page is the other person's.
    if (session.user.id !== userId) {
      location.assign('/');
      return;
    }
    client.setQueryData(SESSION_KEY, session);
    client.setQueryData(ENDED_KEY, false);
    void client.invalidateQueries({
      predicate: ({ queryKey }) => !String(queryKey[0]).startsWith('session'),
    });
  };
  return (
    <Dialog
      isOpen={hasEnded}
      onClose={() => location.assign('/')}
      title={t.signIn.endedTitle}
      size="sm"
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Text c="dimmed" mb="md">
        {t.signIn.ended}
      </Text>
      <SignInForm onSignedIn={goOn} />
    </Dialog>
  );
}
