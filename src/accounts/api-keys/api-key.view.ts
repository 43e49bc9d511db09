// An API key's row as /v1 shows it; never its hash.
import { wireOf } from '../../contract/codec.js';
import type { ShownKey } from './api-key-plan.js';
import { apiKey } from './api-key.schema.js';

export const presentApiKey = wireOf(apiKey).from<ShownKey>();
