// Classifies a server's reply by the shipped rules or an operator's drafts, and validates such drafts.
import { readFileSync } from 'node:fs';
import type { BounceCategory } from '../contract/names.js';
import { compileDsnRules, type DsnRules } from '../lib/dsn/index.js';
import { compileReplyRules, type ReplyRules } from '../inbound/replies/reply-rules.rules.js';
import { readShipped, type ShippedFile } from '../settings/shipped.js';
import {
  bounceType,
  compileBounceRules,
  enhancedCodeIn,
  type BounceRules,
  type ReplyPhase,
} from '../outbound/outcome/bounce-class.rules.js';
import { cleanReplyText } from '../lib/smtp-replies/index.js';
import { classifyReply } from '../outbound/outcome/disposition.rules.js';
import { compileProviders, findProvider, type Providers } from '../outbound/route/provider.rules.js';
import { retryHintMs } from '../outbound/schedule/retry-schedule.rules.js';
import { DataProblems } from '../lib/config/index.js';

export { REPLY_PHASES, type ReplyPhase } from '../outbound/outcome/bounce-class.rules.js';

/** Files that replace the shipped ones. */
export interface RuleFiles {
  rules?: string;
  providers?: string;
  dsnRules?: string;
  replyRules?: string;
}

interface ReplyQuestion {
  phase: ReplyPhase;
  code: number;
  text: string;
  /** A provider's name, or MX hosts that identify it. Without both, the provider is unknown. */
  provider?: string;
  mxHosts?: readonly string[];
}

export interface ClassifyAnswer {
  disposition: 'delivered' | 'retry' | 'fail';
  category: BounceCategory;
  /** One such reply suppresses the address. */
  suppress: boolean;
  /** Several such replies on different days suppress the address. */
  suppress_when_repeated: boolean;
  /** Bounce type of this category; null for a delivery. */
  type: 'hard' | 'soft' | null;
  /** `first[3]`, `enhanced 1.1`, `texts[4]`, `basic 550` or `success`. */
  by: string;
  /** Pattern of the rule that decided; null if none did. */
  pattern: string | null;
  phase: ReplyPhase;
  code: number;
  enhanced_code: string | null;
  provider: string | null;
  /** Seconds that the reply asks the sender to wait. */
  retry_hint_seconds: number | null;
}

/** Throws DataProblems if the files are invalid, and an Error for an unknown provider. */
export function adminClassify(question: ReplyQuestion, files: RuleFiles = {}): ClassifyAnswer {
  const { phase, code } = question;
  const providers = readProviders(files);
  const rules = readRules(files, providers);
  const provider = providerIn(question, providers);
  const text = cleanReplyText(question.text);
  const { by, suppress, ...classification } = classifyReply(
    { phase, code, enhanced: null, text, provider },
    rules,
  );
  const hintMs = classification.disposition === 'retry' ? retryHintMs(text) : null;
  return {
    ...classification,
    suppress: suppress === 'now',
    suppress_when_repeated: suppress === 'repeated',
    type: classification.disposition === 'delivered' ? null : bounceType(classification.category),
    by,
    pattern:
      [...rules.first, ...rules.texts, ...rules.doubts].find((rule) => rule.place === by)?.pattern.source ??
      null,
    phase,
    code,
    enhanced_code: enhancedCodeIn(text),
    provider,
    retry_hint_seconds: hintMs === null ? null : hintMs / 1000,
  };
}

export interface ClassifyCheck {
  ok: boolean;
  problems: readonly string[];
  providers: number;
  rules: number;
  enhanced_codes: number;
  /** Bounce formats that follow no standard. */
  bounce_formats: number;
  /** Attribution lines above quotes. */
  attributions: number;
}

/** Reports whether the files are valid, with every mistake. Throws if a file cannot be read. */
export function checkClassify(files: RuleFiles = {}): ClassifyCheck {
  const problems: string[] = [];
  const providers = orProblems(() => readProviders(files), problems);
  // If the names of the providers are unknown, only other mistakes of the rules are found.
  const rules = orProblems(() => readRules(files, providers), problems);
  const dsnRules = orProblems(() => readDsnRules(files), problems);
  const replyRules = orProblems(() => readReplyRules(files), problems);
  return {
    ok: problems.length === 0,
    problems,
    providers: providers?.names.size ?? 0,
    rules: rules ? rules.first.length + rules.texts.length + rules.doubts.length : 0,
    enhanced_codes: rules?.enhanced.size ?? 0,
    bounce_formats: dsnRules?.formats.length ?? 0,
    attributions: replyRules?.attributions.length ?? 0,
  };
}

function orProblems<T>(read: () => T, problems: string[]): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DataProblems)) throw error;
    problems.push(...error.problems);
    return null;
  }
}

export function readProviders({ providers }: RuleFiles): Providers {
  return compileProviders(given(providers, 'providers'));
}

export function readRules({ rules }: RuleFiles, providers: Providers | null): BounceRules {
  return compileBounceRules(given(rules, 'bounce-rules'), providers);
}

export function readDsnRules({ dsnRules }: RuleFiles): DsnRules {
  return compileDsnRules(given(dsnRules, 'dsn-rules'));
}

export function readReplyRules({ replyRules }: RuleFiles): ReplyRules {
  return compileReplyRules(given(replyRules, 'reply-rules'));
}

function given(file: string | undefined, shipped: ShippedFile): unknown {
  return file === undefined ? readShipped(shipped) : readJson(file);
}

function readJson(file: string): unknown {
  const text = readFileSync(file, 'utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new DataProblems([
      `${file} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    ]);
  }
}

function providerIn({ provider, mxHosts }: ReplyQuestion, providers: Providers): string | null {
  if (provider === undefined) return findProvider(mxHosts ?? [], providers);
  if (providers.names.has(provider)) return provider;
  throw new Error(`Unknown provider: ${provider}. Known providers: ${[...providers.names].join(', ')}.`);
}
