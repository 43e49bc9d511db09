// The html of a mail, where it can do nothing: no scripts, no forms, no links that lead the page away, no images from elsewhere
// unless the person asks for them.
import { useMemo } from 'react';

/** `embedded` images come with the mail; `all` lets the mail's author see that it was opened. */
export type Images = 'embedded' | 'all';

const OWN_RULES = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; img-src data:";

/** What makes browsers look up or call another host under any policy, such as `preconnect`: that tells of the opening. */
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
  /** As a client shows it that turns colours around. */
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
