// Templates that were made of blocks: the blocks beside the html that was made from them.
import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('ALTER TABLE template_versions ADD COLUMN design TEXT').execute(db);
}
