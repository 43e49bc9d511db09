// The sign-in page: address and password, then a code if the account requires one, and a password reset link.
import { Alert, Anchor, Button, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { ApiError, type SignedIn } from '@mailkeel/sdk';
import { useSearchTexts } from '../data/address.js';
import { clientFor } from '../data/client.js';
import { useSentence } from '../data/sentences.js';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { Mark } from '../ui/mark.js';
import { PasswordField } from '../ui/password-field.js';
import { PageLoading } from '../ui/states.js';
import { firstPath } from './last-place.js';
import { SESSION_KEY, useSession } from './session.js';

/** Only allows paths of this server, because another address would lead people away after signing in. */
function safePath(next: unknown): string | null {
  return typeof next === 'string' && /^\/ws_[0-9a-z]+\/(live|test)(\/|$|\?)/.test(next) ? next : null;
}

export function SignIn() {
  const t = useTexts(common);
  const session = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isReset, setReset] = useState(false);
  const { next } = useSearchTexts();
  const enter = async (signedIn: SignedIn) => {
    client.clear();
    client.setQueryData(SESSION_KEY, signedIn);
    await navigate({ to: safePath(next) ?? firstPath(signedIn) ?? '/sign-in' });
  };
  if (session.isPending) return <PageLoading />;
  if (session.data !== null && session.data !== undefined) {
    const path = safePath(next) ?? firstPath(session.data);
    if (path !== null) return <Navigate to={path} replace />;
  }
  return (
    <main className="mk-door">
      <div className="mk-door-brand">
        <Mark size={44} />
        <span>Mailkeel</span>
        <Text c="dimmed">{t.signIn.tagline}</Text>
      </div>
      <Paper withBorder p="xl" className="mk-door-card">
        {isReset ? (
          <ResetForm onBack={() => setReset(false)} />
        ) : (
          <>
            <Title order={1} mb="md">
              {t.signIn.title}
            </Title>
            <SignInForm onReset={() => setReset(true)} onSignedIn={enter} />
          </>
        )}
        {session.data === null || session.data === undefined ? null : (
          <Alert mt="md">{t.shell.noWorkspace}</Alert>
        )}
      </Paper>
    </main>
  );
}

/** `onSignedIn` receives the new session. */
export function SignInForm({
  onReset,
  onSignedIn,
}: {
  onReset?: () => void;
  onSignedIn: (session: SignedIn) => unknown;
}) {
  const t = useTexts(common);
  const sentenceOf = useSentence();
  const [needsCode, setNeedsCode] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const code = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (needsCode) code.current?.focus();
  }, [needsCode]);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = fieldsOf(event.currentTarget);
    setBusy(true);
    setProblem(null);
    try {
      const signedIn = await clientFor({ csrfToken: '' }).auth.signIn({
        email: text('email').trim(),
        password: text('password'),
        ...secondFactor(text('code').trim()),
      });
      await onSignedIn(signedIn);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'totp_required') setNeedsCode(true);
      else setProblem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        {problem === null ? null : (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <TextInput name="email" type="email" label={t.email} autoComplete="username" required autoFocus />
        <PasswordField name="password" label={t.signIn.password} autoComplete="current-password" required />
        {needsCode ? (
          <TextInput
            ref={code}
            name="code"
            label={t.signIn.code}
            description={t.signIn.codeHint}
            autoComplete="one-time-code"
            maxLength={40}
            required
          />
        ) : null}
        <Button type="submit" loading={isBusy} fullWidth>
          {t.signIn.submit}
        </Button>
        {onReset === undefined ? null : (
          <Anchor component="button" type="button" size="sm" onClick={onReset}>
            {t.signIn.forgot}
          </Anchor>
        )}
      </Stack>
    </form>
  );
}

/** Texts of a form by the names of its fields. */
function fieldsOf(form: HTMLFormElement): (name: string) => string {
  const given = new FormData(form);
  return (name) => {
    const value = given.get(name);
    return typeof value === 'string' ? value : '';
  };
}

function secondFactor(code: string): { totp?: string; recovery_code?: string } {
  if (code === '') return {};
  return /^\d{6}$/.test(code) ? { totp: code } : { recovery_code: code };
}

function ResetForm({ onBack }: { onBack: () => void }) {
  const t = useTexts(common);
  const sentenceOf = useSentence();
  const [state, setState] = useState<{ isDone: boolean; problem: string | null }>({
    isDone: false,
    problem: null,
  });
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = fieldsOf(event.currentTarget)('email').trim();
    try {
      await clientFor({ csrfToken: '' }).auth.requestPasswordReset({ email });
      setState({ isDone: true, problem: null });
    } catch (error) {
      const isMailless = error instanceof ApiError && error.code === 'conflict';
      setState({ isDone: false, problem: isMailless ? t.signIn.resetByOperator : sentenceOf(error) });
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <Title order={1}>{t.signIn.resetTitle}</Title>
        <Text c="dimmed">{t.signIn.resetHint}</Text>
        {state.problem === null ? null : (
          <Alert color="red" role="alert">
            {state.problem}
          </Alert>
        )}
        {state.isDone ? (
          <Alert color="green" role="status">
            {t.signIn.resetDone}
          </Alert>
        ) : (
          <>
            <TextInput name="email" type="email" label={t.email} autoComplete="username" required autoFocus />
            <Button type="submit" fullWidth>
              {t.signIn.resetSubmit}
            </Button>
          </>
        )}
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {t.signIn.backToSignIn}
        </Anchor>
      </Stack>
    </form>
  );
}
