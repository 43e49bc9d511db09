// The figures of the metrics that stand in rows.
import { expect, it } from 'vitest';
import { type Bench, makeWorkspace, newMessage, NOW } from './builders.js';
