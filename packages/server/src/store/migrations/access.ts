/** `nullif`: after a `SET LOCAL` has ended the setting is an empty string, not null. */
const setting = (name: string) => `(select nullif(current_setting('app.${name}', true), ''))`

/** What a request says of itself, as SQL. */
export const orgId = setting('org_id')
export const userId = setting('user_id')
export const credentialId = setting('credential_id')

/** Shows no row to anybody but maintenance, which sees all. */
export function isolate(table: string): string {
  return `
alter table ${table} enable row level security;
alter table ${table} force row level security;
create policy maintenance on ${table} for all to signalbox_maintenance using (true) with check (true);
`
}

/** Lets requests do everything with the rows for which `own` holds, and nothing with the others. */
export function keepToOwn(table: string, own: string): string {
  return `
${isolate(table)}
create policy app on ${table} for all to signalbox_app using (${own}) with check (${own});
`
}

/** The same where the rows of a table belong to the organization of its `org_id`. */
export function keepToOrganization(table: string): string {
  return keepToOwn(table, `org_id = ${orgId}`)
}

/** Further rows that requests read and never write. A policy for everything would be the check of what is written, too. */
export function showToo(table: string, visible: string): string {
  return `create policy app_reads on ${table} for select to signalbox_app using (${visible});`
}

/** Lets a role read and write the rows that its policies show it. */
export function grantAll(table: string, role: 'signalbox_app' | 'signalbox_maintenance'): string {
  return `grant select, insert, update, delete on ${table} to ${role};`
}
