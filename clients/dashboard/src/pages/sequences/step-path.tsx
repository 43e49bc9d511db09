// The way through the steps as a drawing: a line from step to step, and arcs where a branch leaps.
import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';

export interface PathStep {
  id: string;
  type: 'send' | 'wait' | 'branch' | 'exit' | 'removed';
  /** Where a branch goes when its event happens. */
  nextId: string | null;
  content: ReactNode;
}

/** Pixels. */
const WIDTH = 96;
const AXIS = 26;
const RADIUS = 9;

const SHAPES: Record<PathStep['type'], string> = {
  // An envelope, a clock's hands, a fork, a stop.
  send: 'M-5-3.5h10v7h-10zM-5-3.5 0 .8 5-3.5',
  wait: 'M0-5V0l3 2.2',
  branch: 'M0-5V0L-4 5M0 0l4 5',
  exit: 'M-3.5-3.5h7v7h-7z',
  removed: 'M-4-4 4 4M4-4-4 4',
};

/** The list says the same in words; the drawing is decoration. */
export function StepPath({ label, steps }: { label: string; steps: readonly PathStep[] }) {
  const list = useRef<HTMLOListElement>(null);
  const [rows, setRows] = useState<{ middles: number[]; height: number }>({ middles: [], height: 0 });
  useLayoutEffect(() => {
    const shown = list.current;
    if (shown === null) return undefined;
    const watcher = new ResizeObserver(() => {
      const items = [...shown.children].filter((item) => item instanceof HTMLElement);
      setRows({
        middles: items.map((item) => item.offsetTop + item.offsetHeight / 2),
        height: shown.offsetHeight,
      });
    });
    watcher.observe(shown);
    for (const item of shown.children) watcher.observe(item);
    return () => watcher.disconnect();
  }, [steps.length]);
  const middle = (at: number) => rows.middles[at] ?? 0;
  const drawn = rows.middles.length === steps.length ? steps : [];
  const arcs = drawn.flatMap(({ nextId }, from) => {
    const to = nextId === null ? -1 : steps.findIndex(({ id }) => id === nextId);
    return to === -1 ? [] : [{ from, to }];
  });
  return (
    <div className="ph-path">
      <svg width={WIDTH} height={rows.height} aria-hidden="true">
        <defs>
          <marker
            id="ph-tip"
            viewBox="0 0 6 6"
            refX="5"
            refY="3"
            markerWidth="6"
            markerHeight="6"
            orient="auto"
          >
            <path d="M0 0 6 3 0 6z" fill="var(--ph-accent)" />
          </marker>
        </defs>
        {drawn.map(({ id, type }, at) =>
          type === 'exit' || at === steps.length - 1 ? null : (
            <line
              key={id}
              x1={AXIS}
              x2={AXIS}
              y1={middle(at) + RADIUS}
              y2={middle(at + 1) - RADIUS}
              stroke="var(--ph-edge)"
              strokeWidth={2}
            />
          ),
        )}
        {arcs.map(({ from, to }, at) => {
          const x = AXIS + RADIUS + 2;
          const reach = Math.min(WIDTH - 6, x + 14 + at * 12 + Math.abs(to - from) * 6);
          const [y1, y2] = [middle(from), middle(to)];
          return (
            <path
              key={`${from}-${to}`}
              d={`M${x} ${y1}C${reach} ${y1} ${reach} ${y2} ${x + 1} ${y2}`}
              fill="none"
              stroke="var(--ph-accent)"
              strokeWidth={2}
              strokeDasharray="4 3"
              markerEnd="url(#ph-tip)"
            />
          );
        })}
        {drawn.map(({ id, type }, at) => (
          <g key={id} transform={`translate(${AXIS} ${middle(at)})`}>
            <circle r={RADIUS + 3} fill="var(--mantine-color-body)" stroke="var(--ph-edge)" strokeWidth={2} />
            <path d={SHAPES[type]} fill="none" stroke="var(--ph-accent)" strokeWidth={1.5} />
          </g>
        ))}
      </svg>
      <ol aria-label={label} ref={list}>
        {steps.map(({ id, content }) => (
          <li key={id}>{content}</li>
        ))}
      </ol>
    </div>
  );
}
