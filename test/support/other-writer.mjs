// Another process that writes to a database for some milliseconds, as a command does while the server runs.
const [, , file, ms] = process.argv;
const driver = new URL('../../dist/modules/database/engine/sqlite-driver.js', import.meta.url);
const { Database } = await import(driver.href);

const database = new Database(file, { timeout: 5_000 });
const insert = database.prepare('INSERT INTO notes (text) VALUES (randomblob(600))');
for (const until = Date.now() + Number(ms); Date.now() < until;) {
  insert.run();
  await new Promise((resolve) => setTimeout(resolve, 1));
}
database.close();
