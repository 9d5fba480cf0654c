import type { Migration } from '../migrations/migration.ts'

/**
 * Adds what the next release uses, beside what it replaces: nodes of the release before go on. A trigger keeps both columns, until no
 * such node is left.
 */
export const exampleExpansion: Migration = {
  name: '9001-example-expansion',
  sql: `
alter table environments add column summary text;
create function copy_environment_summary() returns trigger language plpgsql as $$
begin
  new.summary := coalesce(new.summary, new.description);
  return new;
end $$;
create trigger copy_environment_summary before insert or update on environments
  for each row execute function copy_environment_summary();
alter table environments add constraint environments_summary_check check (length(summary) < 10000) not valid;
create table example_notes (org_id text not null, id text not null, primary key (org_id, id));
`,
  indexes: [{ name: 'config_versions_example', on: 'config_versions (org_id, created_at)' }],
}

/** Takes away what the release before the expansion uses. So it names the expansion: a release that does not know that one is refused. */
export const exampleContraction: Migration = {
  name: '9002-example-contraction',
  compatibleFrom: exampleExpansion.name,
  sql: `
drop trigger copy_environment_summary on environments;
drop function copy_environment_summary();
alter table environments drop column description;
`,
}
