// The sandbox's mailbox: the local part of the recipient decides what happens to a message.
import { BOUNCE_CATEGORIES, type BounceCategory, type MessageTrailEvent } from '../../contract/names.js';

const TRAIL_EVENTS = [
  'sending',
  'sent',
  'deferred',
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'complained',
  'suppressed',
] as const satisfies readonly MessageTrailEvent[];
/** Includes the returned mail, which is a separate message. */
const EVENTS = [...TRAIL_EVENTS, 'replied'] as const;

interface SimulatedReply {
  code: number;
  enhanced_code: string;
  message: string;
  category: BounceCategory | null;
}

export interface SimulatorStep {
  event: (typeof EVENTS)[number];
  /** Milliseconds after the step before it. */
  afterMs: number;
  /** Reply of the simulated server, for deferred, delivered and bounced. */
  reply: SimulatedReply | null;
}

export interface Simulator {
  outcomes: ReadonlyMap<string, readonly SimulatorStep[]>;
  otherwise: readonly SimulatorStep[];
}

/** The steps for a recipient: by its local part before any `+`, in any case; an unknown one is delivered. */
export function simulatedSteps(recipient: string, simulator: Simulator): readonly SimulatorStep[] {
  const localPart = recipient.slice(0, Math.max(0, recipient.lastIndexOf('@'))).toLowerCase();
  const name = localPart.split('+', 1)[0] ?? '';
  return simulator.outcomes.get(name) ?? simulator.otherwise;
}

function fieldsOf(value: unknown, place: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error(`simulator: ${place} must be an object`);
  return value as Record<string, unknown>;
}

function compileReply(value: unknown, place: string): SimulatedReply | null {
  if (value === undefined) return null;
  const { code, enhanced_code, message, category = null } = fieldsOf(value, place);
  const known = BOUNCE_CATEGORIES.find((name) => name === category) ?? null;
  if (typeof code !== 'number' || typeof enhanced_code !== 'string' || typeof message !== 'string') {
    throw new Error(`simulator: ${place} needs code, enhanced_code and message`);
  }
  if (category !== null && known === null) throw new Error(`simulator: ${place} has an unknown category`);
  return { code, enhanced_code, message, category: known };
}

function compileStep(value: unknown, place: string): SimulatorStep {
  const { event, after_ms: afterMs, reply } = fieldsOf(value, place);
  const known = EVENTS.find((name) => name === event);
  if (!known) throw new Error(`simulator: ${place} has an unknown event`);
  if (typeof afterMs !== 'number' || !(afterMs >= 0)) throw new Error(`simulator: ${place} needs after_ms`);
  return { event: known, afterMs, reply: compileReply(reply, `${place}.reply`) };
}

/**
 * The content of config/simulator.json, ready for use. Throws an Error that names the place of the first
 * mistake.
 */
export function compileSimulator(json: unknown): Simulator {
  const { outcomes: given, otherwise } = fieldsOf(json, 'the file');
  const outcomes = new Map<string, SimulatorStep[]>();
  for (const [name, steps] of Object.entries(fieldsOf(given, 'outcomes'))) {
    if (!Array.isArray(steps) || steps.length === 0)
      throw new Error(`simulator: ${name} must be a list of steps`);
    outcomes.set(
      name,
      steps.map((step: unknown, i) => compileStep(step, `${name}[${i}]`)),
    );
  }
  const fallback = outcomes.get(String(otherwise));
  if (!fallback) throw new Error('simulator: otherwise must name an outcome');
  return { outcomes, otherwise: fallback };
}
