// The groups of operations in the OpenAPI document, in the order in which a reference shows them. The first part of an
// operationId is its group's name in camelCase.

interface Tag {
  name: string;
  description: string;
}

export const TAGS: readonly Tag[] = [
  { name: 'Messages', description: 'Send a mail to one recipient, and follow what becomes of it.' },
  { name: 'Threads', description: 'Conversations: sent messages and the replies that came back to them.' },
  { name: 'Templates', description: 'Handlebars templates with versions, sent by their slug or id.' },
  { name: 'Contacts', description: 'People who are written to, with their fields, tags and activity.' },
  { name: 'Lists', description: 'Audiences: lists that contacts join and leave, and segments by filter.' },
  { name: 'Suppressions', description: 'Addresses that get no mail, and why.' },
  { name: 'Campaigns', description: 'One mail to an audience, with variants, preview and overrides.' },
  { name: 'Sequences', description: 'Mails that follow each other, for each contact by itself.' },
  { name: 'Imports', description: 'Contacts read from a CSV or JSON file in the background.' },
  { name: 'Exports', description: 'Files of your data, written in the background.' },
  {
    name: 'Bulk actions',
    description: 'Resend, cancel, tag, suppress or delete all that a filter finds, after a dry run.',
  },
  { name: 'Events', description: 'Everything that happened, as pages and as a live stream.' },
  { name: 'Webhook endpoints', description: 'Where events are posted to, with delivery logs and replays.' },
  { name: 'Senders', description: 'From addresses that are proved by a mail.' },
  {
    name: 'Sub-tenants',
    description: 'Customers of a platform: domain, DKIM key and reputation of their own.',
  },
  {
    name: 'Share links',
    description: 'Pages for people without a key: the DNS records of a domain, or what became of a message.',
  },
  { name: 'Search', description: 'Find anything of the workspace by a text or an id.' },
  { name: 'Bounces', description: 'Mail that was refused: what for, where, and whose fault it was.' },
  { name: 'Analytics', description: 'Sums of what was sent and what became of it, by hour or by day.' },
  { name: 'Proofs', description: 'Signed evidence of what happened to a message, checked by anybody.' },
  { name: 'Queue', description: 'Mail that waits, by destination, and the limits that hold it back.' },
  { name: 'Sources', description: 'The addresses and smarthosts that mail leaves by, for the operator.' },
  { name: 'Health', description: 'Whether the service works, and whether its host is fit to send mail.' },
  { name: 'System', description: 'The release, its ports and its limits.' },
  { name: 'Usage', description: 'What the plan allows and what has been used of it.' },
  { name: 'Organization', description: 'Settings that all workspaces of the account share.' },
  {
    name: 'Workspaces',
    description: 'Separate parts of an organization, each with a live and a test environment.',
  },
  { name: 'Me', description: 'Who is asking: the key or the person, and what it may do.' },
  { name: 'API keys', description: 'Keys of programs: permission, sub-tenant, addresses, expiry, rotation.' },
  { name: 'Members', description: 'People of the organization and their roles.' },
  { name: 'Invitations', description: 'Ask somebody to join the organization, and answer such a mail.' },
  { name: 'Auth', description: 'Sign in and out, sessions, password and second factor of a person.' },
  { name: 'Requests', description: 'What was asked of the API lately, and how it was answered.' },
  { name: 'Audit log', description: 'Who changed what, and from where.' },
];
