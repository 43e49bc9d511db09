// The content of a template while it is being edited.
import { ApiError, type Template } from '@mailkeel/sdk';
import type { CodeMark } from '../../ui/code-editor.js';
import { designOf, type Design } from './blocks/design.js';
import { htmlOf } from './blocks/render.js';

export interface TemplateDraft {
  subject: string;
  /** `null` if there is none. */
  html: string | null;
  /** `null` to derive it from the HTML. */
  text: string | null;
  inlineCss: boolean;
  /** `null` for handwritten HTML. */
  design: Design | null;
}

export function draftOf(template: Template): TemplateDraft {
  return {
    subject: template.subject ?? '',
    html: template.html,
    text: template.text,
    inlineCss: template.inline_css,
    design: designOf(template.design),
  };
}

export function contentOf({ subject, html, text, inlineCss, design }: TemplateDraft) {
  return {
    subject: subject === '' ? null : subject,
    html: design === null ? html : htmlOf(design),
    text,
    inline_css: inlineCss,
  };
}

export function updateOf(draft: TemplateDraft) {
  return { ...contentOf(draft), design: draft.design === null ? null : { ...draft.design } };
}

/** Returns the position of a syntax error in a part of the content; null if the error is not about that part. */
export function markOf(error: unknown, part: 'subject' | 'html' | 'text'): CodeMark | null {
  if (!(error instanceof ApiError) || error.code !== 'template_invalid') return null;
  const { part: wrong, line } = error.details;
  if (wrong !== part) return null;
  return { line: typeof line === 'number' ? line : 1, message: error.sentence };
}
