// Fills subject, HTML and text with variables, in worker threads that limit the time and memory of a template.

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

type RendererOptions = {
  /** Number of worker threads. With one, a slow template can delay every tenant by up to `wallLimitMs`. */
  threads?: number;
  wallLimitMs?: number;
  memoryLimitMb?: number;
  maxQueue?: number;
};

export type RenderRequest = {
  /** Handlebars sources. If `text` is `null`, it is derived from the rendered HTML; an empty string omits it. */
  subject: string;
  html: string | null;
  text: string | null;
  variables: Variables;
  /** Whether placeholders are filled. Default true. */
  fills?: boolean;
  /** Whether to copy the rules of style elements into style attributes. Default false. */
  inlineCss?: boolean;
  /** Workspace or sub-tenant whose share of the rendering capacity is used. */
  owner: string;
};
type CheckRequest = {
  subject: string | null;
  html: string | null;
  text: string | null;
  inlineCss?: boolean;
  owner: string;
};
type CompareRequest = { from: TemplateContent; to: TemplateContent; owner: string };

/** `limitBytes`: limit for the filled texts of all copies, in octets. */
type SubstitutionRequest = Substitution & { limitBytes: number; owner: string };

/** `line` and `column` count from 1. The part is `template` if it is unknown. */
type RenderProblem = {
  kind: 'problem';
  part: Part | 'variables' | 'template';
  line?: number;
  column?: number;
  message: string;
};
/** `missing`: names of rendered placeholders without a value. */
type RenderedParts = {
  kind: 'rendered';
  subject: string;
  html: string | null;
  text: string | null;
  missing: string[];
};
/** Too many jobs wait, or the renderer is closing. The request may succeed later. */
type RendererBusy = { kind: 'busy' };

export type Renderer = {
  render: (request: RenderRequest) => Promise<RenderedParts | RenderProblem | RendererBusy>;
  /** Checks a template before it is saved. `variables` are the names that it reads. */
  check: (
    request: CheckRequest,
  ) => Promise<{ kind: 'valid'; variables: string[] } | RenderProblem | RendererBusy>;
  /** Compares two versions of a template. */
  compare: (
    request: CompareRequest,
  ) => Promise<{ kind: 'compared'; diff: ContentDiff } | RenderProblem | RendererBusy>;
  /** Replaces literal keys with the values of each copy. Large substitutions run in a thread. */
  substitute: (
    request: SubstitutionRequest,
  ) => Promise<Record<string, unknown>[] | SubstitutionExcess | RenderProblem | RendererBusy>;
  close: () => Promise<void>;
};

/** Largest substitution that runs in the calling thread. */
const SMALL_SUBSTITUTION = { octets: 128 * 1024, work: 1024 * 1024 };
/** Octets of the common parts times the number of copies in one job, so that templates don't wait long for a thread. */
const SUBSTITUTION_JOB_OCTETS = 1024 * 1024;

/** Creates a renderer. Its threads start with the first request that needs one (`renderJob`). */
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

/** Returns the job of a request; `null` if it has no placeholders, no text to derive and no CSS to inline. */
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

/** Combines rendered parts with the request's other parts. */
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

/** Identifies a job for the pool's limits. Variables are omitted, because the sources determine how long a job takes. */
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
