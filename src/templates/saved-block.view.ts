// Saved blocks as /v1 shows them.
import { wireOf } from '../contract/codec.js';
import { savedBlock } from './saved-block.schema.js';
import type { SavedBlock } from './templates.tables.js';

export const presentSavedBlock = wireOf(savedBlock).from<SavedBlock>();
