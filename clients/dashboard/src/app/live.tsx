// Live updates: the event stream invalidates the data that has changed. Only a visible tab has a connection, because browsers allow
// few per host.
import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import type { StreamConnection } from '@mailkeel/sdk';
import { isSignedOut } from '../data/client.js';
import { usePlace } from '../data/place.js';

/** The reads that events of a noun, or one event, invalidate. */
const CHANGED_BY: Record<string, readonly string[]> = {
  message: ['messages', 'threads', 'drafts', 'analytics', 'queue', 'deliveries'],
  ...{ 'message.approval_requested': ['approvals'], 'message.approval_changed': ['approvals'] },
  ...{ 'message.approved': ['approvals'], 'message.rejected': ['approvals'] },
  ...{ 'message.approval_expired': ['approvals'], 'message.canceled': ['approvals'] },
  thread: ['threads'],
  draft: ['drafts'],
  recipient: ['suppressions', 'contacts'],
  suppression: ['suppressions'],
  contact: ['contacts', 'lists'],
  tenant: ['sub-tenants'],
  domain: ['senders', 'sub-tenants'],
  campaign: ['campaigns'],
  import: ['imports'],
  export: ['exports'],
  bulk_action: ['bulk-actions'],
  account_import: ['account-imports', 'contacts', 'lists', 'suppressions', 'templates', 'senders'],
};
/** Events within this time are handled together, because a campaign causes thousands. */
const TOGETHER_MS = 1_000;

/** Milliseconds until a stream that never opened is tried again. */
const AGAIN_MS = 5_000;

export interface Liveness {
  /** `off` while the tab is hidden or the stream has not opened yet. */
  state: 'live' | 'retrying' | 'off';
  /** When the server was last heard; everything on the page is at least as new. */
  heardAt: Date | null;
}

const OFF: Liveness = { state: 'off', heardAt: null };
const LiveContext = createContext<Liveness>(OFF);

/** How the stream of events is doing. */
export function useLiveness(): Liveness {
  return use(LiveContext);
}

export function LiveProvider({ children }: { children: ReactNode }) {
  const { api, workspace, environment } = usePlace();
  const client = useQueryClient();
  const [liveness, setLiveness] = useState(OFF);

  useEffect(() => {
    let stop = new AbortController();
    let lastId: string | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
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
      for (const key of [type.split('.', 1)[0] ?? '', type]) {
        for (const name of CHANGED_BY[key] ?? []) changed.add(name);
      }
      timer ??= setTimeout(flush, TOGETHER_MS);
    };
    // After an outage, the stream sends the missed events, and failed reads are repeated.
    let wasCut = false;
    const onConnection = ({ isOpen, heardAt }: StreamConnection) => {
      setLiveness({ state: isOpen ? 'live' : 'retrying', heardAt });
      if (isOpen && wasCut) void client.invalidateQueries();
      wasCut = !isOpen;
    };
    const listen = async (signal: AbortSignal) => {
      try {
        // After a restore from a backup everything may be different.
        const onReset = () => void client.invalidateQueries();
        const place = lastId === undefined ? {} : { lastEventId: lastId };
        for await (const event of api.events.stream({ signal, onReset, onConnection, ...place })) {
          lastId = event.id;
          note(event.event);
        }
      } catch (error) {
        if (signal.aborted) return;
        setLiveness(({ heardAt }) => ({ state: 'retrying', heardAt }));
        wasCut = true;
        // If the session has ended, the next read reports it.
        if (!isSignedOut(error)) again = setTimeout(follow, AGAIN_MS);
      }
    };
    const follow = () => {
      stop.abort();
      clearTimeout(again);
      stop = new AbortController();
      if (document.visibilityState === 'visible') void listen(stop.signal);
      else setLiveness(OFF);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      stop.abort();
      clearTimeout(timer);
      clearTimeout(again);
    };
  }, [api, client, workspace.id, environment]);

  return <LiveContext value={liveness}>{children}</LiveContext>;
}
