// The SDK as a signed-in person uses it: the cookie by the browser, workspace and environment by the page.
import { ApiError, Mailkeel, type Environment, type SignedIn } from '@mailkeel/sdk';

export interface PlaceOfCalls {
  csrfToken: string;
  /** Who is signed in: a change is sent again with the token of a newer session of the same person. */
  userId?: string;
  workspace?: string;
  environment?: Environment;
}

/** One retry for temporary failures. More would keep people waiting. */
const RETRIES = 1;
const CSRF_HEADER = 'x-csrf-token';

export function clientFor({ csrfToken, userId, workspace, environment }: PlaceOfCalls): Mailkeel {
  return new Mailkeel({
    baseUrl: location.origin,
    session: { csrfToken },
    maxRetries: RETRIES,
    fetch: userId === undefined ? fetchInLanguage : fetchOf(userId),
    ...(workspace === undefined ? {} : { workspace }),
    ...(environment === undefined ? {} : { environment }),
  });
}

/** Asks for sentences in the language of the page, which is not always that of the browser. */
const fetchInLanguage: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers);
  headers.set('accept-language', document.documentElement.lang);
  return fetch(input, { ...init, headers });
};

/**
 * Repeats a change that was refused because of its CSRF token, after the person has signed in again in another tab. Never uses
 * another person's session.
 */
function fetchOf(userId: string): typeof fetch {
  let newer: string | null = null;
  const send: typeof fetch = async (input, init) => {
    if (newer === null) return fetchInLanguage(input, init);
    const headers = new Headers(init?.headers);
    if (headers.has(CSRF_HEADER)) headers.set(CSRF_HEADER, newer);
    return fetchInLanguage(input, { ...init, headers });
  };
  return async (input, init) => {
    const answer = await send(input, init);
    if (answer.status !== 403 || !(await answer.clone().text()).includes('csrf_token_invalid')) return answer;
    const session = await readSession().catch(() => null);
    if (session?.user.id !== userId) return answer;
    newer = session.csrf_token;
    return send(input, init);
  };
}

/** `null` if no one is signed in. */
export async function readSession(): Promise<SignedIn | null> {
  try {
    return await clientFor({ csrfToken: '' }).auth.getSession();
  } catch (error) {
    if (isSignedOut(error)) return null;
    throw error;
  }
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}
