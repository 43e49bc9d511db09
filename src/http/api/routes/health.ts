// Probes: /healthz says that the process runs, /readyz that it can take work.
import { LRUCache } from 'lru-cache';
import { health, readiness } from '../../../contract/health.js';
import { Refusal } from '../../../contract/refusal.js';
import type { Upsert } from '../../../store/plan.js';
import type { Store } from '../../../store/store.js';
import type { Api } from '../api.js';

const tags = ['Health'];
const config = { public: true };
const CHECK_TIMEOUT_MS = 2000;
/** Anyone may ask; the store is asked once a second. */
const ANSWER_TTL_MS = 1000;

const WRITE_PROBE: Upsert = {
  kind: 'upsert',
  into: 'marks',
  row: { name: 'write_probe', value: null, created_at: 0 },
  key: ['name'],
  set: { created_at: 0 },
};

export interface HealthDeps {
  store: Pick<Store, 'accounts' | 'commit'>;
  /** True from the moment that the process was told to end. */
  isClosing: () => boolean;
}

export function healthRoutes(app: Api, { store, isClosing }: HealthDeps): void {
  const checked = new LRUCache<'store', { problem: string | null }>({ max: 1, ttl: ANSWER_TTL_MS });

  app.get(
    '/healthz',
    {
      config,
      schema: {
        operationId: 'getHealth',
        tags,
        summary: 'Is the process up?',
        response: { 200: health },
      },
    },
    () => ({ status: 'ok' as const }),
  );

  app.get(
    '/readyz',
    {
      config,
      schema: {
        operationId: 'getReadiness',
        tags,
        summary: 'Can it take work? 503 when the store cannot be read or written, or while it shuts down',
        response: { 200: readiness },
      },
    },
    async () => {
      if (isClosing()) throw new Refusal('unavailable', 'The server is shutting down.');
      const known = checked.get('store') ?? { problem: await storeProblem(store) };
      if (!checked.has('store')) checked.set('store', known);
      if (known.problem !== null) throw new Refusal('unavailable', known.problem);
      return { status: 'ready' as const };
    },
  );
}

/** Reads a row and writes one, so that a full disk shows too; null when both work in time. */
async function storeProblem(store: HealthDeps['store']): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('The store does not answer in time.'), CHECK_TIMEOUT_MS);
  });
  const works = async (): Promise<string | null> => {
    await store.accounts.firstOrganization();
    await store.commit([WRITE_PROBE]);
    return null;
  };
  try {
    return await Promise.race([works(), late]);
  } catch (error) {
    if (error instanceof Refusal) return 'The store cannot be written.';
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
