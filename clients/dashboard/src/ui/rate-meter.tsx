// A rate against its levels: the bar, and below it each level at its place.
import { Meter, type MeterMark } from './meter.js';
import './rate-meter.css';
import type { Tone } from './status.js';

export function RateMeter({
  label,
  value,
  marks,
  tone,
  scale,
}: {
  /** The whole sentence. */
  label: string;
  value: number;
  /** In the unit of the value. */
  marks: readonly MeterMark[];
  tone: Tone;
  /** The most that the bar can show; more fills it. */
  scale: number;
}) {
  return (
    <div className="mk-rate">
      <Meter label={label} value={Math.min(value, scale)} max={scale} marks={marks} tone={tone} />
      <div className="mk-rate-levels" aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark.label} style={{ left: `${(mark.at / scale) * 100}%` }}>
            {mark.label}
          </span>
        ))}
      </div>
    </div>
  );
}
