// The code editor itself, with its library.
import {
  autocompletion,
  closeBrackets,
  completionKeymap,
  type CompletionContext,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { html } from '@codemirror/lang-html';
import { json } from '@codemirror/lang-json';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import type { CodeEditorProps, CodeMark } from './code-editor.js';

/** Colors as variables, so that both color schemes have enough contrast. */
const COLOURS = HighlightStyle.define([
  { tag: [tags.tagName, tags.keyword], color: 'var(--mk-accent)' },
  { tag: [tags.attributeName, tags.propertyName], color: 'var(--mk-warn)' },
  { tag: [tags.attributeValue, tags.string], color: 'var(--mk-good)' },
  { tag: [tags.comment, tags.meta, tags.angleBracket], color: 'var(--mantine-color-dimmed)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--mk-bad)' },
]);

const LOOK = EditorView.theme({
  '&': {
    height: '100%',
    fontSize: '0.8rem',
    backgroundColor: 'transparent',
    color: 'var(--mantine-color-text)',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.55' },
  '.cm-gutters': {
    backgroundColor: 'var(--mk-raised)',
    color: 'var(--mantine-color-dimmed)',
    borderRight: '1px solid var(--mk-line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--mk-quiet-soft)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'var(--mk-accent-soft) !important',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--mantine-color-body)',
    color: 'var(--mantine-color-text)',
    border: '1px solid var(--mk-line)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--mk-accent-soft)',
    color: 'var(--mk-accent)',
  },
});

const LANGUAGES: Record<CodeEditorProps['kind'], () => Extension> = {
  html: () => html({ autoCloseTags: true }),
  json: () => json(),
  text: () => [],
};

/** Offers names of placeholders after `{{`. */
function namesAfterBraces(names: () => readonly string[]) {
  return (context: CompletionContext) => {
    const before = context.matchBefore(/\{\{[#/]?\s*[\w.]*/);
    if (before === null) return null;
    const from = before.from + (/^\{\{[#/]?\s*/.exec(before.text)?.[0].length ?? 2);
    return { from, options: names().map((label) => ({ label, type: 'variable' })), validFor: /^[\w.]*$/ };
  };
}

export function CodeEditorDrawn({
  label,
  kind,
  value,
  onChange,
  names = [],
  mark = null,
  isReadOnly = false,
}: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef({ onChange, names, value });
  const access = useRef(new Compartment());
  useEffect(() => {
    latest.current = { onChange, names, value };
  });

  useEffect(() => {
    if (host.current === null) return;
    const made = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          ...[
            lineNumbers(),
            history(),
            drawSelection(),
            bracketMatching(),
            closeBrackets(),
            highlightActiveLine(),
          ],
          ...[LANGUAGES[kind](), syntaxHighlighting(COLOURS), LOOK, lintGutter(), EditorView.lineWrapping],
          autocompletion({ override: [namesAfterBraces(() => latest.current.names)] }),
          // Tab moves to the next field, so that keyboard users can leave the editor.
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          EditorView.contentAttributes.of({ 'aria-label': label }),
          access.current.of([]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = made;
    return () => {
      made.destroy();
      view.current = null;
    };
  }, [kind, label]);

  // A value from elsewhere, such as a version that was restored.
  useEffect(() => {
    const shown = view.current;
    if (shown === null || shown.state.doc.toString() === value) return;
    shown.dispatch({ changes: { from: 0, to: shown.state.doc.length, insert: value } });
  }, [value]);
  useEffect(() => {
    view.current?.dispatch({
      effects: access.current.reconfigure(isReadOnly ? EditorState.readOnly.of(true) : []),
    });
  }, [isReadOnly]);
  useEffect(() => {
    if (view.current !== null) show(view.current, mark);
  }, [mark]);
  return <div ref={host} style={{ height: '100%' }} />;
}

function show(view: EditorView, mark: CodeMark | null): void {
  const { doc } = view.state;
  if (mark === null || mark.line < 1 || mark.line > doc.lines) {
    view.dispatch(setDiagnostics(view.state, []));
    return;
  }
  const { from, to } = doc.line(mark.line);
  view.dispatch(setDiagnostics(view.state, [{ from, to, severity: 'error', message: mark.message }]));
}
