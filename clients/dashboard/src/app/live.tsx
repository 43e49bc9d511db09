// Live updates: the stream of events says what has changed, and what shows it is read anew. One connection for a visible tab, none
// for a hidden one: browsers allow few to a host.
import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { usePlace } from '../data/place.js';

/** What is read anew for events of a noun. */
const CHANGED_BY: Record<string, readonly string[]> = {
  message: ['messages', 'threads', 'analytics', 'queue', 'deliveries'],
  recipient: ['suppressions', 'contacts'],
  suppression: ['suppressions'],
  contact: ['contacts', 'lists'],
  tenant: ['sub-tenants'],
  domain: ['senders', 'sub-tenants'],
  campaign: ['campaigns'],
  import: ['imports'],
  export: ['exports'],
  bulk_action: ['bulk-actions'],
};
/** Events of this long are answered together: a campaign makes thousands. */
const TOGETHER_MS = 1_000;

const LiveContext = createContext(false);

/** Whether the stream is connected. */
export function useIsLive(): boolean {
  return use(LiveContext);
}

export function LiveProvider({ children }: { children: ReactNode }) {
  const { api, workspace, environment } = usePlace();
  const client = useQueryClient();
  const [isLive, setLive] = useState(false);

  useEffect(() => {
    let stop = new AbortController();
    let lastId: string | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const changed = new Set<string>();

    const flush = () => {
      timer = undefined;
      for (const name of changed) {
        void client.invalidateQueries({ queryKey: [workspace.id, environment, name] });
      }
      changed.clear();
    };
    const note = (type: string) => {
      changed.add('events');
      for (const name of CHANGED_BY[type.split('.', 1)[0] ?? ''] ?? []) changed.add(name);
      timer ??= setTimeout(flush, TOGETHER_MS);
    };
    const listen = async (signal: AbortSignal) => {
      try {
        // After a restore from a backup everything may be different.
        const onReset = () => void client.invalidateQueries();
        const options = { signal, onReset, ...(lastId === undefined ? {} : { lastEventId: lastId }) };
        setLive(true);
        for await (const event of api.events.stream(options)) {
          lastId = event.id;
          note(event.event);
        }
      } catch {
        // The session ended, or the stream is refused: what is read next says so.
      } finally {
        if (!signal.aborted) setLive(false);
      }
    };
    const follow = () => {
      stop.abort();
      stop = new AbortController();
      if (document.visibilityState === 'visible') void listen(stop.signal);
      else setLive(false);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      stop.abort();
      clearTimeout(timer);
    };
  }, [api, client, workspace.id, environment]);

  return <LiveContext value={isLive}>{children}</LiveContext>;
}
