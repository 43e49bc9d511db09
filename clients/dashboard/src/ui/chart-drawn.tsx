// Draws a chart as SVG. A chart library would add a third to the overview's size.
import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import './chart-drawn.css';
import type { ChartLevel, ChartProps } from './chart.js';
import { useFormat } from './format.js';

/** Room (px) between the labels of the y axis and the drawing. */
const GAP = 8;
/** Widest digit (px) of a label. */
const DIGIT_WIDTH = 7.5;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 24;
const TICKS = 4;
/** In percent: the labels of rates have one decimal. */
const LEAST_RATE_STEP = 0.1;
/** Width (px) of a time label. */
const LABEL_WIDTH = 84;
/** Least distance (px) between the labels of two levels. */
const LEVEL_LABEL_HEIGHT = 14;
/** Share of its place that a bar, or a group of bars, fills. */
const BAR_SHARE = 0.7;
/** Number of rows from which dots would hide the line. */
const MOST_DOTS = 40;

type Point = readonly [x: number, y: number];

/** From the bottom to the top of a shape, as values. */
interface Span {
  from: number;
  to: number;
}

type DrawnProps = ChartProps & {
  /** Marks the last row, whose period has not ended yet. */
  unfinished?: string;
};

export function ChartDrawn(props: DrawnProps) {
  const { rows, series, kind, height = 220, levels = [], unit, unfinished } = props;
  const { ref, width } = useElementSize();
  const [shown, setShown] = useState<number | null>(null);
  const spans = spansOf(props);
  const top = Math.max(0, ...spans.flat().map(({ to }) => to), ...levels.map(({ at }) => at));
  const { count, percent, rate } = useFormat();
  const isRate = unit === 'percent';
  const ticks = ticksOf(top, isRate ? LEAST_RATE_STEP : 1);
  const tickLabel = (value: number): string => (isRate ? percent(value / 100, 1) : count(value));
  const left = GAP + DIGIT_WIDTH * Math.max(...ticks.map((tick) => tickLabel(tick).length));
  const most = ticks.at(-1) ?? 1;
  const place =
    Math.max(width - left - RIGHT, 1) / Math.max(kind === 'bar' ? rows.length : rows.length - 1, 1);
  const x = (index: number): number =>
    rows.length === 1 && kind !== 'bar'
      ? (width + left - RIGHT) / 2
      : left + place * (kind === 'bar' ? index + 0.5 : index);
  const y = (value: number): number => height - BOTTOM - (value / most) * (height - TOP - BOTTOM);
  const levelLabels = levelLabelsOf(levels, y);
  const step = Math.max(1, Math.ceil((rows.length * LABEL_WIDTH) / Math.max(width - left, 1)));
  const row = shown === null ? undefined : rows[shown];

  function point(clientX: number, box: DOMRect): void {
    const at = (clientX - box.left - left) / place - (kind === 'bar' ? 0.5 : 0);
    setShown(rows.length === 0 ? null : Math.min(Math.max(Math.round(at), 0), rows.length - 1));
  }

  return (
    <div ref={ref} className="chart" style={{ height }}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          onPointerMove={(event) => point(event.clientX, event.currentTarget.getBoundingClientRect())}
          onPointerLeave={() => setShown(null)}
        >
          {ticks.map((tick) => (
            <g key={tick}>
              <line className="chart-grid" x1={left} x2={width - RIGHT} y1={y(tick)} y2={y(tick)} />
              <text
                className="chart-text"
                x={left - GAP}
                y={y(tick)}
                textAnchor="end"
                dominantBaseline="middle"
              >
                {tickLabel(tick)}
              </text>
            </g>
          ))}
          {rows.map(
            ({ at }, index) =>
              index % step === 0 && (
                <text
                  key={at}
                  className="chart-text"
                  y={height - 6}
                  {...labelPlaceOf(x(index), rows.length, { left, right: width - RIGHT })}
                >
                  {at}
                </text>
              ),
          )}
          {series.map(({ name, color }, index) => (
            <Shape key={name} {...{ props, color, x, y, place, index }} spans={spans[index] ?? []} />
          ))}
          {levelLabels.map(({ at, label, color, labelY }) => (
            <g key={label}>
              <line
                x1={left}
                x2={width - RIGHT}
                y1={y(at)}
                y2={y(at)}
                stroke={cssOf(color)}
                strokeDasharray="4 3"
              />
              <text className="chart-text chart-level" x={left + 4} y={labelY}>
                {label}
              </text>
            </g>
          ))}
          {unfinished !== undefined && rows.length > 1 && (
            <g>
              <line
                className="chart-grid"
                strokeDasharray="3 3"
                x1={x(rows.length - 1)}
                x2={x(rows.length - 1)}
                y1={TOP}
                y2={height - BOTTOM}
              />
              <text className="chart-text" x={x(rows.length - 1) - 4} y={TOP + 8} textAnchor="end">
                {unfinished}
              </text>
            </g>
          )}
          {shown !== null && (
            <line className="chart-grid" x1={x(shown)} x2={x(shown)} y1={TOP} y2={height - BOTTOM} />
          )}
        </svg>
      )}
      {row !== undefined && shown !== null && (
        <div
          className="chart-tip"
          style={x(shown) > width / 2 ? { right: width - x(shown) + 10 } : { left: x(shown) + 10 }}
        >
          <strong>{row.at}</strong>
          {series.map(({ name, label, color }) => (
            <div key={name}>
              <span style={{ background: cssOf(color) }} />
              {label}: {isRate ? rate(Number(row[name] ?? 0) / 100) : count(Number(row[name] ?? 0))}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

interface ShapeProps {
  props: ChartProps;
  color: string;
  /** Of this series, by row. */
  spans: readonly Span[];
  index: number;
  x: (row: number) => number;
  y: (value: number) => number;
  /** Width (px) of a row's place. */
  place: number;
}

/** Draws one series: bars, a line, or a line with the area below it. */
function Shape({
  props: { kind, series, rows, isStacked = false },
  color,
  spans,
  index,
  x,
  y,
  place,
}: ShapeProps) {
  const fill = cssOf(color);
  if (kind === 'bar') {
    const groups = isStacked ? 1 : series.length;
    const width = Math.max((place * BAR_SHARE) / groups, 1);
    return spans.map(({ from, to }, row) => (
      <rect
        key={rows[row]?.at}
        x={x(row) - (place * BAR_SHARE) / 2 + (isStacked ? 0 : index * width)}
        y={y(to)}
        width={width}
        height={Math.max(y(from) - y(to), 0)}
        fill={fill}
      />
    ));
  }
  const upper = spans.map(({ to }, row): Point => [x(row), y(to)]);
  const lower = spans.map(({ from }, row): Point => [x(row), y(from)]);
  const dots = kind === 'line' && rows.length < MOST_DOTS ? upper : upper.length === 1 ? upper : [];
  return (
    <g>
      {kind === 'area' && (
        <path d={pathOf([...upper, ...lower.toReversed()])} fill={fill} fillOpacity={0.2} />
      )}
      <path d={pathOf(upper)} fill="none" stroke={fill} strokeWidth={2} strokeLinejoin="round" />
      {dots.map(([cx, cy]) => (
        <circle key={cx} cx={cx} cy={cy} r={3} fill={fill} />
      ))}
    </g>
  );
}

/** Returns the spans of each series by row: on top of each other if stacked, otherwise each from 0. */
function spansOf({ rows, series, isStacked = false }: ChartProps): Span[][] {
  const bases = rows.map(() => 0);
  return series.map(({ name }) =>
    rows.map((row, index) => {
      const from = isStacked ? (bases[index] ?? 0) : 0;
      const to = from + Number(row[name] ?? 0);
      bases[index] = to;
      return { from, to };
    }),
  );
}

/** Round figures from 0 to at least `top`: steps of 1, 2, 2.5 or 5 and a power of ten, in multiples of `least`. */
function ticksOf(top: number, least: number): number[] {
  if (top <= 0) return [0, 1];
  const raw = top / TICKS;
  const power = 10 ** Math.floor(Math.log10(raw));
  const round = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= raw) ?? 10;
  // The quotient of 0.3 and 0.1 is more than 3.
  const step = least * Math.max(1, Math.ceil(Number(((round * power) / least).toFixed(6))));
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, index) => index * step);
}

function pathOf(points: readonly Point[]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}

/** The labels of the time stay within the drawing. */
function labelPlaceOf(
  x: number,
  count: number,
  { left, right }: { left: number; right: number },
): { x: number; textAnchor: 'start' | 'middle' | 'end' } {
  const isAlone = count === 1;
  if (!isAlone && x - left < LABEL_WIDTH / 2) return { x: left, textAnchor: 'start' };
  if (!isAlone && right - x < LABEL_WIDTH / 2) return { x: right, textAnchor: 'end' };
  return { x, textAnchor: 'middle' };
}

/** Each level with the place of its label: above its line, and above the label of the level below it. */
function levelLabelsOf(levels: readonly ChartLevel[], y: (value: number) => number) {
  let below = Infinity;
  return levels
    .toSorted((a, b) => a.at - b.at)
    .map((level) => {
      below = Math.min(y(level.at) - 4, below - LEVEL_LABEL_HEIGHT);
      return { ...level, labelY: below };
    });
}

/** A color of Mantine, or a custom property. */
function cssOf(color: string): string {
  if (color.startsWith('var(')) return color;
  return `var(--mantine-color-${color.replace('.', '-')})`;
}
