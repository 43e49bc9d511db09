// Shows the HTML of a mail without any effects: no scripts, no forms, no links that leave the page, and no external images unless
// the person asks for them.
import { useMemo } from 'react';

/** `embedded` images come with the mail; `all` lets the mail's author see that it was opened. */
export type Images = 'embedded' | 'all';

const OWN_RULES = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:";

/**
 * Elements that make browsers contact another host under any policy, such as `preconnect`, which would reveal that the mail was
 * opened.
 */
const CALLING = 'link, iframe, frame, object, embed';

function withoutCalling(html: string): string {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  for (const element of parsed.querySelectorAll(CALLING)) element.remove();
  return parsed.documentElement.outerHTML;
}

export function MailFrame({
  html,
  title,
  images = 'embedded',
  width,
  height = 480,
  isDark = false,
}: {
  html: string;
  title: string;
  images?: Images;
  /** Pixels; that of the page unless given. */
  width?: number;
  height?: number;
  /** Simulates a client that inverts colors. */
  isDark?: boolean;
}) {
  const document = useMemo(() => {
    const rules = images === 'all' ? `${OWN_RULES} https: http:` : OWN_RULES;
    const scheme = isDark ? '<style>:root{color-scheme:dark}html{background:#121212;color:#eee}</style>' : '';
    return `<!doctype html><meta http-equiv="Content-Security-Policy" content="${rules}"><meta charset="utf-8"><base target="_blank">${scheme}${withoutCalling(html)}`;
  }, [html, images, isDark]);
  return (
    <iframe
      className="mk-frame"
      title={title}
      sandbox=""
      referrerPolicy="no-referrer"
      srcDoc={document}
      style={{ height, ...(width === undefined ? {} : { width, maxWidth: '100%', margin: '0 auto' }) }}
    />
  );
}
