// The client: what it was made with, and a resource for each tag of the API.
import { readOptions, type Config, type Environment, type MailkeelOptions } from './config.js';
import { AnalyticsResource } from './resources/analytics.js';
import { ApiKeys } from './resources/api-keys.js';
import { AuditLog } from './resources/audit-log.js';
import { Auth } from './resources/auth.js';
import { Bounces } from './resources/bounces.js';
import { BulkActions } from './resources/bulk-actions.js';
import { BulkRules } from './resources/bulk-rules.js';
import { Campaigns } from './resources/campaigns.js';
import { Contacts } from './resources/contacts.js';
import { Events } from './resources/events.js';
import { Exports } from './resources/exports.js';
import { HealthResource } from './resources/health.js';
import { Imports } from './resources/imports.js';
import { Invitations } from './resources/invitations.js';
import { Lists } from './resources/lists.js';
import { MeResource } from './resources/me.js';
import { Members } from './resources/members.js';
import { Messages } from './resources/messages.js';
import { Nodes } from './resources/nodes.js';
import { OrganizationResource } from './resources/organization.js';
import { Proofs } from './resources/proofs.js';
import { QueueResource } from './resources/queue.js';
import { Requests } from './resources/requests.js';
import { Routes } from './resources/routes.js';
import { SearchResource } from './resources/search.js';
import { Senders } from './resources/senders.js';
import { Sequences } from './resources/sequences.js';
import { DmarcReports } from './resources/dmarc-reports.js';
import { TlsReports } from './resources/tls-reports.js';
import { ShareLinks } from './resources/share-links.js';
import { Sources } from './resources/sources.js';
import { SubTenants } from './resources/sub-tenants.js';
import { Suppressions } from './resources/suppressions.js';
import { SystemResource } from './resources/system.js';
import { SavedBlocks } from './resources/saved-blocks.js';
import { Templates } from './resources/templates.js';
import { Threads } from './resources/threads.js';
import { UsageResource } from './resources/usage.js';
import { WebhookEndpoints } from './resources/webhook-endpoints.js';
import { Workspaces } from './resources/workspaces.js';

/**
 * The API of one appliance, as one key or one person uses it. Its methods are named for the operations of the API's document:
 * `messages.create` is `mailkeel.messages.create`. Names of fields are those of the wire.
 *
 * @example
 * const mailkeel = new Mailkeel({ apiKey: 'svc_test_…', baseUrl: 'https://mail.example.com' });
 * const message = await mailkeel.messages.create({ to: 'ann@example.com', subject: 'Hello', text: 'Hello Ann' });
 */
export class Mailkeel {
  /** Messages: send them, find them, and read what became of them. */
  readonly messages: Messages;
  /** Threads: the conversations that replies belong to. */
  readonly threads: Threads;
  /** Templates with Handlebars placeholders, in versions. */
  readonly templates: Templates;
  /** Blocks of template designs, saved for other templates. */
  readonly savedBlocks: SavedBlocks;
  /** Contacts: the people that marketing and sales mail may go to. */
  readonly contacts: Contacts;
  /** Lists of contacts, and segments, which are lists made by a filter. */
  readonly lists: Lists;
  /** Campaigns: one email to an audience, each recipient with a copy of their own. */
  readonly campaigns: Campaigns;
  /** Sequences: mail in steps, begun by what a contact does. */
  readonly sequences: Sequences;
  /** Imports of contacts, in the background. */
  readonly imports: Imports;
  /** Exports into files, in the background. */
  readonly exports: Exports;
  /** Suppressions: addresses that get no more mail. */
  readonly suppressions: Suppressions;
  /** Senders: addresses and domains that mail may come from. */
  readonly senders: Senders;
  /** Sub-tenants: the customers of a platform, each with a domain, keys and reputation of its own. */
  readonly subTenants: SubTenants;
  /** Webhook endpoints: where events are posted to, with a log of every delivery. */
  readonly webhookEndpoints: WebhookEndpoints;
  /** Events: everything that happens to messages and sub-tenants, as a list and as a stream. */
  readonly events: Events;
  /** Proofs: what was sent and what became of it, signed, for anyone to check. */
  readonly proofs: Proofs;
  /** Analytics: what became of the mail of a time. */
  readonly analytics: AnalyticsResource;
  /** Bounces, with what the servers said. */
  readonly bounces: Bounces;
  /** The queue: what waits, for whom, and why. */
  readonly queue: QueueResource;
  /** Routes: ways that the operator gives to mail before those of the egress file. */
  readonly routes: Routes;
  /** Sources: the addresses and smarthosts that mail leaves by. */
  readonly sources: Sources;
  /** Bulk actions: one action on everything that a filter finds, in the background. */
  readonly bulkActions: BulkActions;
  /** DMARC reports: what receivers saw in the name of your domains. */
  readonly dmarcReports: DmarcReports;
  /** TLS reports: what senders met at your mail servers. */
  readonly tlsReports: TlsReports;
  /** What large providers ask of bulk senders, and how the workspace's own mail stands. */
  readonly bulkRules: BulkRules;
  /** Share links: pages that show one message, or the DNS records of one domain, to whoever has the link. */
  readonly shareLinks: ShareLinks;
  /** Search over everything of the workspace. */
  readonly search: SearchResource;
  /** Usage of the plan. */
  readonly usage: UsageResource;
  /** The organization. */
  readonly organization: OrganizationResource;
  /** Workspaces, each with a live and a test environment. */
  readonly workspaces: Workspaces;
  /** API keys. */
  readonly apiKeys: ApiKeys;
  /** The people of the organization. */
  readonly members: Members;
  /** Invitations into the organization. */
  readonly invitations: Invitations;
  /** Signing in, for programs that act for a person: the `session` option takes what `signIn` answers. None of these takes an idempotency key. */
  readonly auth: Auth;
  /** The caller: the key or person that asks. */
  readonly me: MeResource;
  /** The audit log: who changed what. */
  readonly auditLog: AuditLog;
  /** The request log of the API, a sample. */
  readonly requests: Requests;
  /** Nodes: the servers that work on one PostgreSQL database. */
  readonly nodes: Nodes;
  /** The appliance itself. */
  readonly system: SystemResource;
  /** Health: is the appliance up, and fit to send? */
  readonly health: HealthResource;
  readonly #options: MailkeelOptions;

  /** `options` may be the API key alone. Throws InputError for a key or URL of the wrong form. */
  constructor(options: string | MailkeelOptions = {}) {
    this.#options = typeof options === 'string' ? { apiKey: options } : { ...options };
    const config: Config = readOptions(this.#options);
    this.messages = new Messages(config);
    this.threads = new Threads(config);
    this.templates = new Templates(config);
    this.savedBlocks = new SavedBlocks(config);
    this.contacts = new Contacts(config);
    this.lists = new Lists(config);
    this.campaigns = new Campaigns(config);
    this.sequences = new Sequences(config);
    this.imports = new Imports(config);
    this.exports = new Exports(config);
    this.suppressions = new Suppressions(config);
    this.senders = new Senders(config);
    this.subTenants = new SubTenants(config);
    this.webhookEndpoints = new WebhookEndpoints(config);
    this.events = new Events(config);
    this.proofs = new Proofs(config);
    this.analytics = new AnalyticsResource(config);
    this.bounces = new Bounces(config);
    this.queue = new QueueResource(config);
    this.routes = new Routes(config);
    this.sources = new Sources(config);
    this.bulkActions = new BulkActions(config);
    this.dmarcReports = new DmarcReports(config);
    this.tlsReports = new TlsReports(config);
    this.bulkRules = new BulkRules(config);
    this.shareLinks = new ShareLinks(config);
    this.search = new SearchResource(config);
    this.usage = new UsageResource(config);
    this.organization = new OrganizationResource(config);
    this.workspaces = new Workspaces(config);
    this.apiKeys = new ApiKeys(config);
    this.members = new Members(config);
    this.invitations = new Invitations(config);
    this.auth = new Auth(config);
    this.me = new MeResource(config);
    this.auditLog = new AuditLog(config);
    this.requests = new Requests(config);
    this.nodes = new Nodes(config);
    this.system = new SystemResource(config);
    this.health = new HealthResource(config);
  }

  /**
   * The same client, narrowed to one sub-tenant: by its id, or as `external:` and its external id.
   *
   * @example
   * await mailkeel.withSubTenant('external:4711').messages.create({ to: 'ann@example.com', template: 'welcome' });
   */
  withSubTenant(id: string): Mailkeel {
    return new Mailkeel({ ...this.#options, subTenant: id });
  }

  /**
   * The same session in another environment. A key has one environment of its own: naming the other throws InputError.
   *
   * @example
   * const sandbox = mailkeel.withEnvironment('test');
   */
  withEnvironment(environment: Environment): Mailkeel {
    return new Mailkeel({ ...this.#options, environment });
  }

  /**
   * The same session in another workspace. A key has one workspace of its own: naming one throws InputError.
   *
   * @example
   * const shop = mailkeel.withWorkspace('ws_01kdyak3se4w5amvgkazjzkvb7');
   */
  withWorkspace(id: string): Mailkeel {
    return new Mailkeel({ ...this.#options, workspace: id });
  }
}
