// The network that a program asked to be signed in from: a client has very many addresses of IPv6.
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE device_sign_ins ADD COLUMN network TEXT`.execute(db);
}
