// Messages note whether a vendor API accepted them: that mail gets no reply address of the service.
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE messages ADD COLUMN from_vendor_api INTEGER NOT NULL DEFAULT 0`.execute(db);
}
