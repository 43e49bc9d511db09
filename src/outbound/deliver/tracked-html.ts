// Puts tracking into the html of a message as it is composed: what is stored, previewed and hashed stays without.
import type { TokenKey } from '../../lib/tokens/signed-token.js';
import { trackHtml } from '../../tracking/tracking-links.rules.js';
import { clickUrl, openUrl, trackingBase } from '../../tracking/tracking-tokens.rules.js';
import type { Flag } from '../../store/tables/columns.js';

export interface TrackedMail {
  message: { public_id: string; track_opens: Flag; track_clicks: Flag };
  /** The click domain that leads to us; null: that of the service. */
  host: string | null;
}

export interface TrackedHtmlSettings {
  /** Without a slash at the end. */
  publicUrl: string;
  /** True when absent. */
  tenantTrackingDomains?: boolean;
  tokenKey: TokenKey;
}

/** The html with what the message asks for, under its sender's click domain where that leads to us. */
export function trackedHtml(
  html: string,
  { message, host }: TrackedMail,
  { publicUrl, tenantTrackingDomains = true, tokenKey: key }: TrackedHtmlSettings,
): string {
  const base = trackingBase(publicUrl, tenantTrackingDomains ? host : null);
  const named = { base, messageId: message.public_id, key };
  return trackHtml(html, {
    pixelUrl: message.track_opens === 1 ? openUrl(named) : null,
    clickUrl: message.track_clicks === 1 ? (link) => clickUrl(named, link) : null,
    publicUrl,
  });
}
