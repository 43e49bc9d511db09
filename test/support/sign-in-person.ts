// A person who is signed in to a running program as with a browser.
export async function signInPerson(
  url: string,
  person: { email: string; password: string },
  environment: 'live' | 'test' = 'live',
) {
  const answer = await fetch(`${url}/v1/auth/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(person),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const { csrf_token: csrf } = (await answer.json()) as { csrf_token: string };
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  /** Sends requests to a node; the session is valid on all of them. */
  return async (method: string, path: string, body?: unknown, node = url) => {
    const response = await fetch(`${node}${path}`, {
      method,
      headers: {
        ...{ cookie, 'x-csrf-token': csrf, 'x-environment': environment },
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as Record<string, unknown> };
  };
}
