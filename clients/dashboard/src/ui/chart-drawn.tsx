// The drawn part of a chart, with the library that draws it.
import { AreaChart, BarChart, LineChart } from '@mantine/charts';
import '@mantine/charts/styles.css';
import type { ChartProps } from './chart.js';

export function ChartDrawn({
  kind,
  rows,
  series,
  height,
  isStacked = false,
  levels = [],
  format,
}: ChartProps) {
  const common = {
    h: height ?? 220,
    data: rows.map((row) => ({ ...row })),
    dataKey: 'at',
    series: series.map(({ name, label, color }) => ({ name, label, color })),
    withLegend: false,
    tickLine: 'none' as const,
    gridAxis: 'x' as const,
    referenceLines: levels.map(({ at, label, color }) => ({ y: at, label, color })),
    ...(format === undefined ? {} : { valueFormatter: format }),
  };
  // The figures stand in a table beside it; keys would lead into what is hidden.
  const drawn = { accessibilityLayer: false };
  if (kind === 'bar')
    return <BarChart {...common} barChartProps={drawn} type={isStacked ? 'stacked' : 'default'} />;
  if (kind === 'line')
    return <LineChart {...common} lineChartProps={drawn} curveType="monotone" withDots={rows.length < 40} />;
  return (
    <AreaChart
      {...common}
      areaChartProps={drawn}
      type={isStacked ? 'stacked' : 'default'}
      curveType="monotone"
      withDots={false}
    />
  );
}
