// A public page as recipients will see it, in small: head, a sentence, a button, foot.
import { settings } from '../../texts/settings.js';
import { useTexts } from '../../texts/texts.js';
import './branding-preview.css';

const ACCENT = '#3538cd';
const HEX = /^#[0-9a-f]{6}$/i;

/** White or black, whichever can be read on the colour. */
function inkOn(color: string): string {
  const part = (from: number): number => {
    const value = Number.parseInt(color.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
  return luminance > 0.179 ? '#000000' : '#ffffff';
}

export interface BrandingPreviewProps {
  name: string | null;
  /** As it was typed; one that is not whole yet is not shown. */
  color: string;
  logoUrl: string | null;
  address: string | null;
}

export function BrandingPreview({ name, color, logoUrl, address }: BrandingPreviewProps) {
  const { pages: t } = useTexts(settings);
  const ground = HEX.test(color) ? color : ACCENT;
  return (
    <div className="ph-brand-preview" role="img" aria-label={t.preview}>
      {logoUrl === null && name === null ? null : (
        <div className="ph-brand-head">
          {logoUrl === null ? <strong>{name}</strong> : <img src={logoUrl} alt="" />}
        </div>
      )}
      <div className="ph-brand-card">
        <strong>{t.previewTitle}</strong>
        <span>{t.previewText}</span>
        <span className="ph-brand-button" style={{ background: ground, color: inkOn(ground) }}>
          {t.previewButton}
        </span>
      </div>
      {address === null ? null : <div className="ph-brand-foot">{address}</div>}
    </div>
  );
}
