// Evidence for the bulk sender rules: each sender's newest mail, its attempts, its counters, and mail after an unsubscribe.
import { describe, expect, it } from 'vitest';
