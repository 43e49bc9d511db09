// An Amazon SES account for tests: an HTTP server that checks signatures and responds as the service model of the API v2 says.
import { isSignedBy, parseAuthorization, sha256 } from '../../src/compat/ses/signature.rules.js';
import type { ReceivedRequest, ScriptedReply } from './http-receiver.js';
import { ACCESS_KEY, json, NOT_FOUND, startVendor, type VendorAccount } from './vendor-accounts.js';

export interface SesData {
  suppressed?: { email: string; reason: string }[];
  lists?: Record<
    string,
    {
      topics?: { name: string; default: string }[];
      contacts: { email: string; topics?: Record<string, string>; hasLeft?: boolean; attributes?: string }[];
    }
  >;
  templates?: { name: string; subject?: string; html?: string; text?: string }[];
  identities?: { name: string; type: string }[];
}

function isSigned({ method, url, headers, rawBody }: ReceivedRequest): boolean {
  const authorization = parseAuthorization(String(headers.authorization));
  if (
    authorization?.accessKeyId !== ACCESS_KEY.access_key_id ||
    authorization.region !== ACCESS_KEY.aws_region
  ) {
    return false;
  }
  const [path = '', query = ''] = url.split('?');
  return isSignedBy(ACCESS_KEY.secret_access_key, authorization, {
    ...{ method, path, query, bodyHash: sha256(rawBody), amzDate: String(headers['x-amz-date']) },
    headerValues: (name) => [headers[name] ?? []].flat(),
  });
}

export function startSes({
  suppressed = [],
  lists = {},
  templates = [],
  identities = [],
}: SesData): Promise<VendorAccount> {
  const page = (name: string, rows: readonly object[], size: number, token: string | null): ScriptedReply => {
    const from = Number(token ?? 0);
    const end = from + size;
    return json({ [name]: rows.slice(from, end), ...(end < rows.length ? { NextToken: String(end) } : {}) });
  };
  return startVendor(
    () => true,
    (url, request) => {
      if (!isSigned(request)) {
        return { status: 403, headers: { 'x-amzn-errortype': 'InvalidSignatureException:' }, body: '{}' };
      }
      const { rawBody } = request;
      const [, , , noun, id, part, name] = url.pathname.split('/').map(decodeURIComponent);
      const size = Number(url.searchParams.get('PageSize'));
      const token = url.searchParams.get('NextToken');
      const list = lists[id ?? ''];
      switch (`${noun}${id === undefined ? '' : ' :id'}${part === undefined ? '' : ` ${part}`}`) {
        case 'suppression :id': {
          const rows = suppressed.map(({ email, reason }) => ({
            EmailAddress: email,
            Reason: reason,
            LastUpdateTime: 1,
          }));
          return page('SuppressedDestinationSummaries', rows, size, token);
        }
        case 'contact-lists':
          return page(
            'ContactLists',
            Object.keys(lists).map((one) => ({ ContactListName: one })),
            size,
            token,
          );
        case 'contact-lists :id': {
          const Topics = list?.topics?.map((one) => ({
            ...{
              TopicName: one.name,
              DisplayName: `The ${one.name}`,
              DefaultSubscriptionStatus: one.default,
            },
          }));
          return list ? json({ ContactListName: id, ...(Topics ? { Topics } : {}) }) : NOT_FOUND;
        }
        case 'contact-lists :id contacts': {
          if (name === 'list') {
            const { PageSize, NextToken = null } = JSON.parse(rawBody.toString()) as {
              PageSize: number;
              NextToken?: string;
            };
            const rows = (list?.contacts ?? []).map(({ email }) => ({
              EmailAddress: email,
              UnsubscribeAll: false,
            }));
            return page('Contacts', rows, PageSize, NextToken);
          }
          const found = list?.contacts.find(({ email }) => email === name);
          if (!found) return NOT_FOUND;
          const { email, topics = {}, hasLeft = false, attributes } = found;
          const preferences = Object.entries(topics).map(([TopicName, SubscriptionStatus]) => ({
            ...{ TopicName, SubscriptionStatus },
          }));
          const defaults = list?.topics?.map((one) => ({
            TopicName: one.name,
            SubscriptionStatus: one.default,
          }));
          return json({
            ...{ ContactListName: id, EmailAddress: email, UnsubscribeAll: hasLeft },
            ...{ TopicPreferences: preferences, TopicDefaultPreferences: defaults ?? [] },
            ...(attributes === undefined ? {} : { AttributesData: attributes }),
          });
        }
        case 'templates':
          return page(
            'TemplatesMetadata',
            templates.map((one) => ({ TemplateName: one.name, CreatedTimestamp: 1 })),
            size,
            token,
          );
        case 'templates :id': {
          const found = templates.find((one) => one.name === id);
          const { subject, html, text } = found ?? {};
          const TemplateContent = { Subject: subject, Html: html, Text: text };
          return found ? json({ TemplateName: id, TemplateContent }) : NOT_FOUND;
        }
        case 'identities':
          return page(
            'EmailIdentities',
            identities.map((one) => ({
              IdentityName: one.name,
              IdentityType: one.type,
              SendingEnabled: true,
            })),
            size,
            token,
          );
        default:
          return NOT_FOUND;
      }
    },
  );
}
