// Everything that all pages stand in: language, theme, what was read, messages that come and go.
import { MantineProvider } from '@mantine/core';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { isSignedOut } from '../data/client.js';
import { LanguageProvider } from '../texts/texts.js';
import { theme, variables } from '../theme.js';
import { PageLoading } from '../ui/states.js';
import { createPages } from './router.js';
import { SESSION_KEY } from './session.js';

const Notifications = lazy(() =>
  import('./notifications.js').then((loaded) => ({ default: loaded.Notifications })),
);

/** What was read so recently is not read again when a page comes back. */
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
  const client = new QueryClient({
    queryCache: new QueryCache({
      // The session ended while a page was open: signing in leads back to it.
      onError: (error) => {
        if (isSignedOut(error)) client.setQueryData(SESSION_KEY, null);
      },
    }),
    // The SDK tries again what passes by itself.
    defaultOptions: { queries: { retry: false, staleTime: FRESH_MS }, mutations: { retry: false } },
  });
  return client;
}
