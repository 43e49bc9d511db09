// Reads from the API with a cache per workspace and environment, and sends changes.
import { notifications } from '@mantine/notifications';
import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { List, Mailkeel } from '@mailkeel/sdk';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';
import { useSentence } from './sentences.js';
import { usePlace } from './place.js';

/** The first part names the data, such as `messages`. Changes and events invalidate all reads with that name. */
export type Key = readonly [string, ...unknown[]];

export interface ReadOptions {
  isOff?: boolean;
  /** Milliseconds between reads, for data without events. False for none. */
  every?: number | false;
  /** Shows the previous data until the new data arrives. */
  keepsLast?: boolean;
  /** Reads again whenever the tab becomes visible, even if the last response is recent. */
  readsOnFocus?: boolean;
}

/** Reads one response of the API. */
export function useRead<T>(
  key: Key,
  read: (api: Mailkeel, signal: AbortSignal) => PromiseLike<T>,
  { isOff = false, every = false, keepsLast = false, readsOnFocus = false }: ReadOptions = {},
): UseQueryResult<T> {
  const { api, workspace, environment } = usePlace();
  return useQuery({
    queryKey: [workspace.id, environment, ...key],
    queryFn: async ({ signal }) => read(api, signal),
    enabled: !isOff,
    refetchInterval: every,
    refetchOnWindowFocus: readsOnFocus ? 'always' : true,
    ...(keepsLast ? { placeholderData: keepPreviousData } : {}),
  });
}

/** A page of a list. */
export interface ListPage<T> {
  rows: T[];
  nextCursor: string | null;
}

/**
 * Without an index, the server searches in windows, whose pages can be empty. After this time, the page asks whether to continue.
 */
const LOOKING_MS = 1_000;

/** Reads one page of a list, from `cursor` on. Skips empty pages that have a next one. */
export function useList<T>(
  key: Key,
  list: (api: Mailkeel, cursor: string | undefined, signal: AbortSignal) => List<T>,
  { cursor, ...options }: ReadOptions & { cursor?: string | undefined } = {},
): UseQueryResult<ListPage<T>> {
  return useRead(
    [...key, { cursor }],
    async (api, signal) => {
      let page = await list(api, cursor, signal);
      const until = performance.now() + LOOKING_MS;
      while (page.data.length === 0 && page.has_more && performance.now() < until) {
        const next = await page.next();
        if (next === null) break;
        page = next;
      }
      return { rows: page.data, nextCursor: page.has_more ? page.next_cursor : null };
    },
    { keepsLast: true, ...options },
  );
}

/** Invalidates all reads with these names. */
export function useRefresh(): (...names: string[]) => Promise<void> {
  const client = useQueryClient();
  const { workspace, environment } = usePlace();
  return async (...names) => {
    await Promise.all(
      names.map((name) => client.invalidateQueries({ queryKey: [workspace.id, environment, name] })),
    );
  };
}

export interface ActionOptions<A, T> {
  /** Toast shown after success. */
  done?: string | ((answer: T, input: A) => string);
  /** Names of the data that the change affects. */
  changes?: readonly string[];
  onDone?: (answer: T, input: A) => unknown;
  /** The caller shows refusals itself, as forms do. */
  isQuiet?: boolean;
}

/** Shows a line in the corner of the window. */
export function useNotify(): (message: string, kind: 'done' | 'problem') => void {
  const closeButtonProps = { 'aria-label': useTexts(common).close };
  return (message, kind) => {
    const look = kind === 'done' ? { color: 'green' } : { color: 'red', autoClose: 10_000 };
    notifications.show({ message, closeButtonProps, ...look });
  };
}

/** A change. A refusal is shown as the server wrote it. */
export function useAction<A = void, T = unknown>(
  act: (api: Mailkeel, input: A) => PromiseLike<T>,
  { done, changes = [], onDone, isQuiet = false }: ActionOptions<A, T> = {},
) {
  const { api } = usePlace();
  const sentenceOf = useSentence();
  const refresh = useRefresh();
  const notify = useNotify();
  return useMutation<T, Error, A>({
    mutationFn: async (input) => act(api, input),
    onSuccess: async (answer, input) => {
      if (done !== undefined) {
        notify(typeof done === 'string' ? done : done(answer, input), 'done');
      }
      await onDone?.(answer, input);
      await refresh(...changes);
    },
    onError: (error) => {
      if (!isQuiet) notify(sentenceOf(error), 'problem');
    },
  });
}
