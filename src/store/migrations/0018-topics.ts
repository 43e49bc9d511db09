// The list that a single message stands for: whoever has unsubscribed from it is not sent the message.
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE messages ADD COLUMN topic_id TEXT').execute(db);
}
