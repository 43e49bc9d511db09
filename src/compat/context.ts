// The dependencies of the routes for other vendors' clients, which the program provides.
import type { Clock } from '../lib/runtime/index.js';
import type { Config } from '../settings/settings.js';
import type { Renderer } from '../templates/rendering/renderer.js';

export interface CompatContext {
  clock: Clock;
  renderer: Pick<Renderer, 'substitute'>;
  config: Pick<Config, 'compat' | 'publicUrl' | 'messageBodyLimitBytes' | 'batchLimit'>;
}
