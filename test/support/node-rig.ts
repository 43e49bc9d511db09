// Several nodes of one installation on one PostgreSQL database, each with a folder and ports of its own; from each other they have the
// master key.
import { copyFileSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAppliance, type Answer, type Appliance } from './appliance.js';
import { startMailRig, type MailRig } from './mail-rig.js';
import type { PostgresServer } from './postgres-server.js';
import { layered } from './tuning.js';
import { waitFor } from './wait.js';

export interface NodeRigOptions {
  server: PostgresServer;
  mxPort: number;
  /** A port of loopback that leads to the server, in place of its own. */
  through?: number;
  /** Of all nodes. */
  env?: Record<string, string>;
  /** Of the first node; `own` where it is killed. */
  process?: 'own' | 'shared';
}

/** A node as GET /v1/nodes shows it. */
export interface ShownNode {
  id: string;
  status: string;
  is_this: boolean;
  path_leases: number;
  rooms: string[];
  roles: string[];
}

export type NodeRig = Awaited<ReturnType<typeof startNodeRig>>;

/** The first node, with a verified sub-tenant. */
export async function startNodeRig(options: NodeRigOptions) {
  const { server, mxPort, through, env = {} } = options;
  const made = await server.makeDatabase();
  const database =
    through === undefined ? made : { ...made, url: made.url.replace(/:\d+\//, `:${through}/`) };
  const shared = { MAILKEEL_DATABASE_URL: database.url, ...env };
  const rig: MailRig = await startMailRig({ mxPort, env: shared, process: options.process ?? 'shared' });
  const first = rig.appliance;
  const nodes: Appliance[] = [first];
  const folders: string[] = [];

  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'mailkeel-node-'));
    folders.push(folder);
    return folder;
  }

  /** Another node, in the process of the test unless it has one of its own; not started. */
  async function newNode(
    own: Record<string, string> = {},
    process: 'own' | 'shared' = 'shared',
    within: readonly string[] = [],
  ): Promise<Appliance> {
    const masterKey = join(newFolder(), 'master.key');
    copyFileSync(join(first.dataDir, 'keys', 'master.json'), masterKey);
    const common = { ...first.env };
    delete common['MAILKEEL_DATA_DIR'];
    delete common['MAILKEEL_HTTP_PORT'];
    const node = await createAppliance({
      dataDir: newFolder(),
      env: layered(common, { MAILKEEL_MASTER_KEY_FILE: masterKey }, own),
      keys: first.keys,
      ...{ process, within },
    });
    nodes.push(node);
    return node;
  }

  /** Asked of one that runs. */
  async function shown(by: Appliance = first): Promise<ShownNode[]> {
    const { json } = await by.api('GET', '/v1/nodes');
    return (json as { data: ShownNode[] }).data;
  }

  return {
    ...rig,
    database,
    first,
    newNode,
    shown,
    /** Once so many nodes share the leases of one source, each has some, and none is to be had. */
    settled: (count: number, by: Appliance = first): Promise<ShownNode[]> =>
      waitFor(
        `${count} nodes to share the leases`,
        () => shown(by),
        (found) =>
          found.length === count &&
          found.every(({ path_leases: leases }) => leases > 0) &&
          found.reduce((sum, { path_leases: leases }) => sum + leases, 0) === 64,
        60_000,
      ),
    /** By one of the nodes. */
    submit: (node: Appliance, to: string, more: Record<string, unknown> = {}): Promise<Answer> =>
      node.api('POST', '/v1/messages', { body: rig.draft(to, more) }),
    async close(): Promise<void> {
      for (const node of nodes.slice(1)) await node.close();
      await rig.close();
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
}
