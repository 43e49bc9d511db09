// Fills a message's subject, html and text with variables, in worker threads that bound what a template may cost.

import { createHash } from 'node:crypto';

import {
  MAX_SUBSTITUTION_WORK,
  oneLine,
  OUTPUT_LIMITS,
  substitute,
  type Substitution,
  type SubstitutionBounds,
  type SubstitutionExcess,
  type Variables,
  variablesProblem,
} from '../../lib/templating/index.js';
import { type Broken, createBoundedPool } from '../../lib/threads/index.js';
import { workerUrl } from '../../lib/runtime/index.js';
import type { ContentDiff, TemplateContent } from '../diff.rules.js';
import { PARTS, type Part, type Sources } from './parts.rules.js';
import type { Job, JobAnswer, RenderJob } from './render-work.js';

export type RendererOptions = {
  /** Worker threads. With one, a bad template can delay every tenant by up to `wallLimitMs`. */
  threads?: number;
  wallLimitMs?: number;
  memoryLimitMb?: number;
  maxQueue?: number;
};

export type RenderRequest = {
  /** Handlebars sources; a null text is derived from the rendered html, an empty one is none. */
  subject: string;
  html: string | null;
  text: string | null;
  variables: Variables;
  /** False: the sources are taken as they stand; default true. */
  fills?: boolean;
  /** Copies the rules of the rendered html's style elements into style attributes; default false. */
  inlineCss?: boolean;
  /** The owner of the work, for fairness: a workspace or a sub-tenant. */
  owner: string;
};
export type CheckRequest = {
  subject: string | null;
  html: string | null;
  text: string | null;
  inlineCss?: boolean;
  owner: string;
};
export type CompareRequest = { from: TemplateContent; to: TemplateContent; owner: string };

/** `limitBytes`: octets of the filled texts of all copies. */
export type SubstitutionRequest = Substitution & { limitBytes: number; owner: string };

/** `line` and `column` count from 1; part `template` when the part is not known. */
export type RenderProblem = {
  kind: 'problem';
  part: Part | 'variables' | 'template';
  line?: number;
  column?: number;
  message: string;
};
/** `missing`: names whose placeholders were reached and had nothing to show. */
export type RenderedParts = {
  kind: 'rendered';
  subject: string;
  html: string | null;
  text: string | null;
  missing: string[];
};
/** Too much work waits already, or the renderer is closing: the same request may succeed later. */
export type RendererBusy = { kind: 'busy' };

export type Renderer = {
  render: (request: RenderRequest) => Promise<RenderedParts | RenderProblem | RendererBusy>;
  /** Whether a template can be saved; `variables` are the names that it reads. */
  check: (
    request: CheckRequest,
  ) => Promise<{ kind: 'valid'; variables: string[] } | RenderProblem | RendererBusy>;
  /** The changes from one version of a template to another. */
  compare: (
    request: CompareRequest,
  ) => Promise<{ kind: 'compared'; diff: ContentDiff } | RenderProblem | RendererBusy>;
  /** Literal keys replaced by the values of each copy; what takes more than a few milliseconds is done in a thread. */
  substitute: (
    request: SubstitutionRequest,
  ) => Promise<Record<string, unknown>[] | SubstitutionExcess | RenderProblem | RendererBusy>;
  close: () => Promise<void>;
};

/** Largest substitution that the calling thread does itself. */
const SMALL_SUBSTITUTION = { octets: 128 * 1024, work: 1024 * 1024 };
/** Octets of common parts, times copies, of one job: short enough to share a thread with templates. */
const SUBSTITUTION_JOB_OCTETS = 1024 * 1024;

/** Starts no thread before the first request with a placeholder, with html and no text, or with CSS to inline. */
export function createRenderer(options: RendererOptions = {}): Renderer {
  const { threads = 2, wallLimitMs = 2_000, memoryLimitMb = 192, maxQueue = 2_000 } = options;
  const pool = createBoundedPool<Job, JobAnswer>({
    entry: workerUrl('templates/rendering/render-worker.js'),
    size: threads,
    wallLimitMs,
    memoryLimitMb,
    maxQueue,
  });

  const run = async (job: Job, owner: string): Promise<JobAnswer | RenderProblem | RendererBusy> => {
    const result = await pool.run(job, { owner, key: () => keyOf(job) });
    if (result.kind === 'done') return result.value;
    if (result.kind === 'busy' || (result.kind === 'crashed' && result.reason === 'closed'))
      return { kind: 'busy' };
    return { kind: 'problem', part: 'template', message: brokenSentence(result, wallLimitMs, memoryLimitMb) };
  };

  return {
    render: async (request) => {
      const job = renderJob(request);
      if (job === null) return plain(request, request, []);
      const wrong = variablesProblem(request.variables);
      if (wrong !== null) return { kind: 'problem', part: 'variables', message: wrong };
      const answer = await run(job, request.owner);
      return answer.kind === 'rendered'
        ? plain(request, answer.parts, answer.missing ?? [])
        : refused(answer);
    },
    check: async ({ subject, html, text, inlineCss = false, owner }) => {
      const answer = await run({ kind: 'check', sources: { subject, html, text }, inlineCss }, owner);
      return answer.kind === 'valid' ? answer : refused(answer);
    },
    compare: async ({ from, to, owner }) => {
      const answer = await run({ kind: 'compare', from, to }, owner);
      return answer.kind === 'compared' ? answer : refused(answer);
    },
    substitute: async ({ owner, limitBytes, ...substitution }) => {
      const atOnce = substitute(substitution, {
        ...SMALL_SUBSTITUTION,
        octets: Math.min(SMALL_SUBSTITUTION.octets, limitBytes),
      });
      if (atOnce.kind === 'substituted') return atOnce.copies;
      const { common, copies } = substitution;
      const made: Record<string, unknown>[] = [];
      let bounds: SubstitutionBounds = { octets: limitBytes, work: MAX_SUBSTITUTION_WORK };
      const step = Math.max(1, Math.floor(SUBSTITUTION_JOB_OCTETS / (1 + JSON.stringify(common).length)));
      for (let at = 0; at < copies.length; at += step) {
        const part = { common, copies: copies.slice(at, at + step) };
        const answer = await run({ kind: 'substitute', substitution: part, bounds }, owner);
        if (answer.kind === 'excess') return answer;
        if (answer.kind !== 'substituted') return refused(answer);
        bounds = answer.left;
        made.push(...answer.copies);
      }
      return made;
    },
    close: () => pool.close(),
  };
}

function refused(answer: JobAnswer | RenderProblem | RendererBusy): RenderProblem | RendererBusy {
  if (answer.kind === 'problem' || answer.kind === 'busy') return answer;
  throw new Error(`unexpected answer ${answer.kind}`);
}

/** The work of a request that needs a thread, or null. */
function renderJob(request: RenderRequest): RenderJob | null {
  const { subject, html, text, variables, inlineCss = false, fills = true } = request;
  const sources: Sources = fills
    ? { subject: ifTemplate(subject), html: ifTemplate(html), text: ifTemplate(text) }
    : { subject: null, html: null, text: null };
  const isTextDerived = html !== null && text === null;
  const isInlined = html !== null && inlineCss;
  if (!isTextDerived && !isInlined && PARTS.every((part) => sources[part] === null)) return null;
  const plainHtml = (isTextDerived || isInlined) && sources.html === null ? html : null;
  return { kind: 'render', sources, variables, plainHtml, isTextDerived, inlineCss: isInlined };
}

function ifTemplate(source: string | null): string | null {
  return source?.includes('{{') === true ? source : null;
}

/** The request's parts, those that were rendered in place of their sources. */
function plain(
  request: RenderRequest,
  rendered: Readonly<Record<Part, string | null>>,
  missing: string[],
): RenderedParts | RenderProblem {
  const subject = oneLine(rendered.subject ?? request.subject);
  if (subject.length > OUTPUT_LIMITS.subject) {
    const message = `The subject exceeds ${OUTPUT_LIMITS.subject} characters.`;
    return { kind: 'problem', part: 'subject', line: 1, message };
  }
  return {
    kind: 'rendered',
    subject,
    html: rendered.html ?? request.html,
    text: rendered.text ?? request.text,
    missing,
  };
}

// Without the variables: what takes too long is the source, and one recipient's odd data is stopped by counting.
function keyOf(job: Job): string {
  const hash = createHash('sha256').update(job.kind);
  if (job.kind === 'substitute') return hash.update(JSON.stringify(job.substitution)).digest('base64');
  if (job.kind === 'compare') {
    for (const { subject, html, text } of [job.from, job.to])
      hash.update(JSON.stringify([subject, html, text]));
    return hash.digest('base64');
  }
  hash.update(String(job.inlineCss));
  for (const part of PARTS) hash.update(JSON.stringify(job.sources[part]));
  if (job.kind === 'render' && job.plainHtml !== null) hash.update(job.plainHtml);
  return hash.digest('base64');
}

function brokenSentence(broken: Broken, wallLimitMs: number, memoryLimitMb: number): string {
  if (broken.kind === 'timeout') return `The template takes longer than ${wallLimitMs} ms to process.`;
  return broken.reason === 'memory'
    ? `The template needs more than ${memoryLimitMb} MB of memory to process.`
    : 'The template could not be processed.';
}
