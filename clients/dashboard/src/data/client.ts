// The SDK as a signed-in person uses it: the cookie by the browser, workspace and environment by the page.
import { ApiError, Posthorn, type Environment, type SignedIn } from '@posthorn/sdk';

export interface PlaceOfCalls {
  csrfToken: string;
  workspace?: string;
  environment?: Environment;
}

/** One more try for what passes by itself; more would keep people waiting. */
const RETRIES = 1;

export function clientFor({ csrfToken, workspace, environment }: PlaceOfCalls): Posthorn {
  return new Posthorn({
    baseUrl: location.origin,
    session: { csrfToken },
    maxRetries: RETRIES,
    ...(workspace === undefined ? {} : { workspace }),
    ...(environment === undefined ? {} : { environment }),
  });
}

/** Null when nobody is signed in. */
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
