// Shows a value and its limits as a bar with marks. Its text says the same.
import type { Tone } from './status.js';

export interface MeterMark {
  /** In the unit of the value. */
  at: number;
  label: string;
}

export function Meter({
  label,
  value,
  max,
  marks = [],
  tone = 'busy',
}: {
  /** The complete sentence: what, how much, of what. */
  label: string;
  value: number;
  max: number;
  marks?: readonly MeterMark[];
  tone?: Tone;
}) {
  const share = (part: number) => `${Math.min(100, Math.max(0, (part / max) * 100))}%`;
  return (
    <div
      className="mk-meter"
      data-tone={tone}
      role="meter"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={max}
    >
      <div className="mk-meter-bar" style={{ width: share(value) }} />
      {marks.map((mark) => (
        <div key={mark.label} className="mk-meter-mark" style={{ left: share(mark.at) }} title={mark.label} />
      ))}
    </div>
  );
}
