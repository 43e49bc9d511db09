// The root of the dashboard: language, theme, cached reads and toasts.
import { MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { SignedIn } from '@mailkeel/sdk';
import { isSignedOut } from '../data/client.js';
import { LanguageProvider } from '../texts/texts.js';
import { theme, variables } from '../theme.js';
import { PageLoading } from '../ui/states.js';
import { createPages } from './router.js';
import { ENDED_KEY, followTabs, SESSION_KEY } from './session.js';

const Notifications = lazy(() =>
  import('./notifications.js').then((loaded) => ({ default: loaded.Notifications })),
);

/** Data read within this time is not read again when the user returns to a page. */
const FRESH_MS = 10_000;

export function App() {
  const [client] = useState(createQueries);
  const [router] = useState(createPages);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
      <LanguageProvider>
        <QueryClientProvider client={client}>
          <Suspense>
            <Notifications position="bottom-right" />
          </Suspense>
          <Suspense fallback={<PageLoading />}>
            <RouterProvider router={router} />
          </Suspense>
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  );
}

function createQueries(): QueryClient {
  // The session ended while a page was open: it stays, and asks to sign in again.
  const onError = (error: unknown): void => {
    const session = client.getQueryData<SignedIn | null>(SESSION_KEY) ?? null;
    if (session !== null && isSignedOut(error)) client.setQueryData(ENDED_KEY, true);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // The SDK retries temporary failures itself.
    defaultOptions: { queries: { retry: false, staleTime: FRESH_MS }, mutations: { retry: false } },
  });
  followTabs(client);
  return client;
}
