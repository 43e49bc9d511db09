// The client, which has its options and a resource for each tag of the API.
import { readOptions, type Config, type Environment, type MailkeelOptions } from './config.js';
import { AccountImports } from './resources/account-imports.js';
import { AnalyticsResource } from './resources/analytics.js';
import { ApiKeys } from './resources/api-keys.js';
import { Approvals } from './resources/approvals.js';
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
import { RouteShares } from './resources/route-shares.js';
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
import { Drafts } from './resources/drafts.js';
import { Inboxes } from './resources/inboxes.js';
import { Threads } from './resources/threads.js';
import { UsageResource } from './resources/usage.js';
import { WebhookEndpoints } from './resources/webhook-endpoints.js';
import { Workspaces } from './resources/workspaces.js';

/**
 * Client for the API of one Mailkeel server, authenticated with an API key or a user session. Methods have the
 * names of API operations: the operation `messages.create` is `mailkeel.messages.create`. Fields have the same
 * names as in the API.
 *
 * @example
 * const mailkeel = new Mailkeel({ apiKey: 'svc_test_…', baseUrl: 'https://mail.example.com' });
 * const message = await mailkeel.messages.create({ to: 'ann@example.com', subject: 'Hello', text: 'Hello Ann' });
 */
export class Mailkeel {
  /** Send, find and inspect messages. */
  readonly messages: Messages;
  /** Review messages that are waiting for approval, and decide as a signed-in person. */
  readonly approvals: Approvals;
  /** Read and reply to conversations. */
  readonly threads: Threads;
  /** Write replies, and let someone else change and send them. */
  readonly drafts: Drafts;
  readonly inboxes: Inboxes;
  /** Manage versioned email templates with Handlebars placeholders. */
  readonly templates: Templates;
  /** Manage blocks of template designs that can be reused in other templates. */
  readonly savedBlocks: SavedBlocks;
  /** Manage contacts, the recipients of marketing and sales messages. */
  readonly contacts: Contacts;
  /** Manage contact lists and segments, which are lists defined by a filter. */
  readonly lists: Lists;
  /** Send one email to many contacts, with a personalized copy for each recipient. */
  readonly campaigns: Campaigns;
  /** Send a series of messages triggered by contact activity. */
  readonly sequences: Sequences;
  /** Import an account of another vendor in the background. */
  readonly accountImports: AccountImports;
  /** Import contacts in the background. */
  readonly imports: Imports;
  /** Export data to files in the background. */
  readonly exports: Exports;
  /** Manage the suppression list: addresses that Mailkeel does not send to. */
  readonly suppressions: Suppressions;
  /** Manage sender addresses and domains. */
  readonly senders: Senders;
  /** Manage sub-tenants, the customers of a platform, each with its own domain, keys and reputation. */
  readonly subTenants: SubTenants;
  /** Manage webhook endpoints and inspect their delivery logs. */
  readonly webhookEndpoints: WebhookEndpoints;
  /** List or stream the events of messages, sub-tenants and other records. */
  readonly events: Events;
  /** Verify signed proofs of delivery. */
  readonly proofs: Proofs;
  /** View delivery and engagement statistics. */
  readonly analytics: AnalyticsResource;
  /** List bounces with the replies of recipient servers. */
  readonly bounces: Bounces;
  /** Inspect and manage the delivery queue. */
  readonly queue: QueueResource;
  /** Manage delivery routes that take precedence over the egress file. */
  readonly routes: Routes;
  /** Compare and change the share of a route that leaves directly. */
  readonly routeShares: RouteShares;
  /** List, suspend and resume sending sources: local addresses and smarthosts. */
  readonly sources: Sources;
  /** Apply one action to all objects that match a filter, in the background. */
  readonly bulkActions: BulkActions;
  /** View DMARC reports from receivers about your domains. */
  readonly dmarcReports: DmarcReports;
  /** View TLS reports from senders about your mail servers. */
  readonly tlsReports: TlsReports;
  /** Check the workspace's own mail against the bulk sender requirements of large mailbox providers. */
  readonly bulkRules: BulkRules;
  /**
   * Create links to pages that show one message or the DNS records of one domain. Anyone with the link can open the
   * page.
   */
  readonly shareLinks: ShareLinks;
  /** Search all objects of the workspace. */
  readonly search: SearchResource;
  /** View plan usage. */
  readonly usage: UsageResource;
  /** View and update the organization. */
  readonly organization: OrganizationResource;
  /** Manage workspaces, each with a live and a test environment. */
  readonly workspaces: Workspaces;
  /** Manage API keys. */
  readonly apiKeys: ApiKeys;
  /** Manage members of the organization. */
  readonly members: Members;
  /** Manage invitations to the organization. */
  readonly invitations: Invitations;
  /**
   * Sign users in and manage their sessions. Pass the result of `signIn` as the `session` option. These methods do
   * not accept an idempotency key.
   */
  readonly auth: Auth;
  /** Show the current API key or user. */
  readonly me: MeResource;
  /** View the audit log. */
  readonly auditLog: AuditLog;
  /** View a sample of the API request log. */
  readonly requests: Requests;
  /** List the nodes of a PostgreSQL cluster. */
  readonly nodes: Nodes;
  /** View and manage the server. */
  readonly system: SystemResource;
  /** Check whether the server is up and ready to send. */
  readonly health: HealthResource;
  readonly #options: MailkeelOptions;

  /** Creates a client. Pass the API key or an options object. Throws InputError if an option is invalid. */
  constructor(options: string | MailkeelOptions = {}) {
    this.#options = typeof options === 'string' ? { apiKey: options } : { ...options };
    const config: Config = readOptions(this.#options);
    this.messages = new Messages(config);
    this.approvals = new Approvals(config);
    this.threads = new Threads(config);
    this.drafts = new Drafts(config);
    this.inboxes = new Inboxes(config);
    this.templates = new Templates(config);
    this.savedBlocks = new SavedBlocks(config);
    this.contacts = new Contacts(config);
    this.lists = new Lists(config);
    this.campaigns = new Campaigns(config);
    this.sequences = new Sequences(config);
    this.accountImports = new AccountImports(config);
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
    this.routeShares = new RouteShares(config);
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
   * Returns a client that acts for one sub-tenant, by ID or by `external:` and your ID.
   *
   * @example
   * await mailkeel.withSubTenant('external:4711').messages.create({ to: 'ann@example.com', template: 'welcome' });
   */
  withSubTenant(id: string): Mailkeel {
    return new Mailkeel({ ...this.#options, subTenant: id });
  }

  /**
   * Returns a client that uses the same session in another environment. Throws InputError if an API key belongs to
   * the other environment.
   *
   * @example
   * const sandbox = mailkeel.withEnvironment('test');
   */
  withEnvironment(environment: Environment): Mailkeel {
    return new Mailkeel({ ...this.#options, environment });
  }

  /**
   * Returns a client that uses the same session in another workspace. Throws InputError for an API key, which always
   * belongs to one workspace.
   *
   * @example
   * const shop = mailkeel.withWorkspace('ws_01kdyak3se4w5amvgkazjzkvb7');
   */
  withWorkspace(id: string): Mailkeel {
    return new Mailkeel({ ...this.#options, workspace: id });
  }
}
