// Charts, loaded when a page needs one. A table shows their values for screen readers and copying.
import { Group, Skeleton, VisuallyHidden } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { common } from '../texts/common.js';
import { useTexts } from '../texts/texts.js';

const Drawn = lazy(() => import('./chart-drawn.js').then(({ ChartDrawn }) => ({ default: ChartDrawn })));

export interface Series {
  name: string;
  label: string;
  /** A colour of Mantine, such as `post.7`. */
  color: string;
}

/** A line across, such as a limit. */
export interface ChartLevel {
  at: number;
  label: string;
  /** A colour of Mantine, or a custom property such as `var(--mk-warn)`. */
  color: string;
}

export interface ChartProps {
  label: string;
  kind: 'area' | 'bar' | 'line';
  rows: readonly ({ at: string } & Record<string, number | string>)[];
  series: readonly Series[];
  height?: number;
  isStacked?: boolean;
  levels?: readonly ChartLevel[];
  /** Unit of the values; without one they are counts. */
  unit?: 'percent';
}

/** `endsNow`: the period of the last row has not ended yet. */
export function Chart({ endsNow = false, ...props }: ChartProps & { endsNow?: boolean }) {
  const { soFar } = useTexts(common).range;
  const { label, rows, series, height = 220 } = props;
  return (
    <figure style={{ margin: 0 }} aria-label={label}>
      <div aria-hidden="true">
        <Suspense fallback={<Skeleton height={height} data-loading />}>
          <Drawn {...props} height={height} {...(endsNow ? { unfinished: soFar } : {})} />
        </Suspense>
      </div>
      <VisuallyHidden>
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{label}</th>
              {series.map(({ name, label: title }) => (
                <th key={name} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.at}>
                <th scope="row">{row.at}</th>
                {series.map(({ name }) => (
                  <td key={name}>{row[name]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
      <Group gap="md" mt={6} aria-hidden="true">
        {series.map(({ name, label: title, color }) => (
          <Group key={name} gap={6}>
            <span
              style={{
                width: 10,
                height: 10,
                borderRadius: 2,
                background: `var(--mantine-color-${color.replace('.', '-')})`,
              }}
            />
            <span style={{ fontSize: '0.75rem' }}>{title}</span>
          </Group>
        ))}
      </Group>
    </figure>
  );
}
