// A field for html, text or JSON with lines and colours; its code is loaded when a page has one.
import { Input, Skeleton } from '@mantine/core';
import { lazy, Suspense, useId, type ReactNode } from 'react';

const Drawn = lazy(() =>
  import('./code-editor-drawn.js').then(({ CodeEditorDrawn }) => ({ default: CodeEditorDrawn })),
);

export interface CodeMark {
  /** From one. */
  line: number;
  column?: number;
  message: string;
}

export interface CodeEditorProps {
  label: string;
  kind: 'html' | 'text' | 'json';
  value: string;
  onChange: (value: string) => void;
  /** Names that are offered after `{{`. */
  names?: readonly string[];
  /** Where something is wrong. */
  mark?: CodeMark | null;
  /** Pixels. */
  height?: number;
  isReadOnly?: boolean;
}

export function CodeEditor({
  description,
  error,
  height = 360,
  ...editor
}: CodeEditorProps & { description?: ReactNode; error?: ReactNode }) {
  const id = useId();
  return (
    <Input.Wrapper
      label={<span id={id}>{editor.label}</span>}
      labelElement="div"
      description={description}
      error={error}
    >
      <div className="mk-editor" style={{ height }}>
        <Suspense fallback={<Skeleton height={height} data-loading />}>
          <Drawn {...editor} height={height} />
        </Suspense>
      </div>
    </Input.Wrapper>
  );
}
