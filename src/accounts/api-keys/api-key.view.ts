// API keys as /v1 shows them, without their hash.
import { wireOf } from '../../contract/codec.js';
import { readStoredPolicy } from '../../contract/send-policy.js';
import type { ShownKey } from './api-key-plan.js';
import { apiKey } from './api-key.schema.js';

export const presentApiKey = wireOf(apiKey).from<ShownKey>({
  policy: ({ policy }) => readStoredPolicy(policy),
});
