// Texts of the request log.
import { catalogue } from './texts.js';

const en = {
  title: 'Request log',
  about: 'API requests and responses in this environment.',
  sample:
    'Sampled: up to 300 failures, 60 changes and 30 reads per minute are kept, for 30 days unless the operator changed this. Text is shown as its length and addresses as their domain.',
  request: 'Request',
  method: 'Method',
  path: 'Path starts with',
  status: 'Status',
  code: 'Error code',
  by: 'Made by',
  byOf: { keys: 'API keys', people: 'People', all: 'All' },
  actor: 'API key or person',
  duration: 'Duration',
  at: 'Time',
  classes: {
    '2xx': 'Succeeded (2xx)',
    '4xx': 'Client errors (4xx)',
    '5xx': 'Server errors (5xx)',
  },
  exact: 'Status code',
  people: 'People',
  keys: 'API keys',
  operation: 'Operation',
  param: 'Parameter',
  requestId: 'Request ID',
  subTenant: 'Sub-tenant',
  query: 'Query',
  body: 'Body',
  reference: 'View error reference',
  emptyTitle: 'No requests yet',
  empty:
    'Requests made with an API key in this environment appear here. Select People to see requests made from the dashboard.',
};

export const requests = catalogue(en, () => import('./de/requests.js').then(({ de }) => de));
export type RequestsTexts = typeof en;
