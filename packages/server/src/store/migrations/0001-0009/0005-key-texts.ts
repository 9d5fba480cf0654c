import type { Migration } from '../migration.ts'

/** Adds the texts that issue keys of a deployment are read from. */
export const keyTexts: Migration = {
  name: '0005-key-texts',
  sql: `
-- [{ source, sha, text }]. What names issue keys and stands nowhere else: payloads, and messages that a pipeline reported.
alter table deployments add column key_texts jsonb;
`,
}
