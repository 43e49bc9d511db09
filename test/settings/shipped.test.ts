import { expect, it } from 'vitest';
import { compileShipped, readShipped } from '../../src/settings/shipped.js';

it('reads a file once, and returns frozen data', () => {
  const plans = readShipped('plans') as Record<string, unknown>;
  expect(readShipped('plans')).toBe(plans);
  expect(() => (plans['free'] = {})).toThrow(TypeError);
  expect(Object.values(plans).every((plan) => Object.isFrozen(plan))).toBe(true);
});

it('compiles a file once for the same context, and again for another', () => {
  let count = 0;
  const compile = (json: unknown, context: object) => ({ json, context, count: (count += 1) });
  const context = {};
  const first = compileShipped('simulator', compile, context);
  expect(compileShipped('simulator', compile, context)).toBe(first);
  expect(first.json).toBe(readShipped('simulator'));
  expect(compileShipped('simulator', compile, {}).count).toBe(2);
});
