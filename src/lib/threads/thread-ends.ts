// Publishes worker threads that ended unexpectedly; each is replaced when there is work for it.
import { createFactChannel } from '../concurrency/index.js';

export const threadEnded = createFactChannel<{ kind: 'delivery' | 'isolated' | 'reader' | 'telemetry' }>();
