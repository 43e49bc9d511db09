// Reading from the API, kept for each workspace and environment, and changing what is there.
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

/** The first part names what is read, such as `messages`: changes and events make all of that name be read anew. */
export type Key = readonly [string, ...unknown[]];

export interface ReadOptions {
  isOff?: boolean;
  /** Milliseconds between readings, for what no event tells of. False for none. */
  every?: number | false;
  /** What was read before is shown until the new is there. */
  keepsLast?: boolean;
  /** Reads again whenever the tab is shown, also if the last answer is recent. */
  readsOnFocus?: boolean;
}

/** One answer of the API. */
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

/** The server looks through what has no index in windows, whose pages may come empty. After this time the person is asked whether to go on. */
const LOOKING_MS = 1_000;

/** One page of a list, from `cursor` on. Empty pages with more behind them are read over. */
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

/** Makes everything of these names be read anew. */
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
  /** Said when it is done. */
  done?: string | ((answer: T, input: A) => string);
  /** Names of what has changed by it. */
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
