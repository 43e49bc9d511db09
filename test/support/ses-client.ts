// Builds requests as clients of Amazon SES do, signed by an implementation of Signature Version 4 that is not the server's.
import { AwsV4Signer } from 'aws4fetch';
import type { CompatRoute } from '../../src/compat/route.js';
import type { Appliance } from './appliance.js';

export interface SesCredentials {
  access_key_id: string;
  secret_access_key: string;
}

export interface SesRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string | undefined;
}

interface Signing {
  /** Epoch ms; now by default. */
  at?: number;
  region?: string;
  service?: string;
  sessionToken?: string;
}

/** The headers of a request, with its signature. */
export async function signSes(
  { access_key_id: accessKeyId, secret_access_key: secretAccessKey }: SesCredentials,
  { method, url, headers = {}, body }: SesRequest,
  { at = Date.now(), region = 'eu-central-1', service = 'ses', sessionToken }: Signing = {},
): Promise<Record<string, string>> {
  const datetime = new Date(at).toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
  const signer = new AwsV4Signer({
    ...{ accessKeyId, secretAccessKey, region, service, datetime, method, url, headers },
    ...(body === undefined ? {} : { body }),
    ...(sessionToken === undefined ? {} : { sessionToken }),
  });
  const signed = await signer.sign();
  return Object.fromEntries(new Headers(signed.headers));
}

/** Creates the SES credentials of a key that may do so itself. */
export async function createSesCredentials(appliance: Appliance, key: string): Promise<SesCredentials> {
  const { json } = await appliance.api('GET', '/v1/api-keys?limit=100', { key });
  const { data } = json as { data: { id: string; key_prefix: string }[] };
  const id = data.find(({ key_prefix: prefix }) => key.startsWith(prefix))?.id ?? '';
  const made = await appliance.api('POST', `/v1/api-keys/${id}/ses-credentials`, { key });
  return made.json as SesCredentials;
}

export const FORM = 'application/x-www-form-urlencoded; charset=utf-8';

/** An action of API v1 in a form: `Destination.ToAddresses.member.1=…`. */
export function formOfAction(action: string, parameters: unknown): string {
  const form = new URLSearchParams({ Action: action, Version: '2010-12-01' });
  const add = (name: string, value: unknown): void => {
    if (Array.isArray(value)) value.forEach((one, at) => add(`${name}.member.${at + 1}`, one));
    else if (typeof value === 'object' && value !== null) {
      for (const [part, one] of Object.entries(value)) add(name === '' ? part : `${name}.${part}`, one);
    } else if (typeof value === 'string' || typeof value === 'number') form.append(name, String(value));
  };
  add('', parameters);
  return form.toString();
}

/** The body of an operation and its type, in the form of its API. */
export function sesBody(route: Pick<CompatRoute, 'path'> & { action?: string }, body: unknown) {
  return route.action === undefined
    ? { body: body === undefined ? undefined : JSON.stringify(body), type: 'application/json' }
    : { body: formOfAction(route.action, body ?? {}), type: FORM };
}
