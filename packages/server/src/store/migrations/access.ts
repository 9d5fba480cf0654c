/**
 * Reads a setting of the request. `nullif`, because after a `SET LOCAL` has ended the setting is an empty string, not
 * null.
 */
const setting = (name: string) => `(select nullif(current_setting('app.${name}', true), ''))`

/** Reads the organization of the request, as an SQL expression; null for none. */
export const orgId = setting('org_id')
/** Reads the user of the request, as an SQL expression; null for none. */
export const userId = setting('user_id')
/** Reads the credential of the request, as an SQL expression; null for none. */
export const credentialId = setting('credential_id')

/** Hides every row from all roles except maintenance, which sees all. */
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

/**
 * Lets requests do everything with the rows of their organization, by the column `org_id`, and nothing with the others.
 */
export function keepToOrganization(table: string): string {
  return keepToOwn(table, `org_id = ${orgId}`)
}

/** Shows requests further rows that they cannot write. A policy for everything would also check what is written. */
export function showToo(table: string, visible: string): string {
  return `create policy app_reads on ${table} for select to signalbox_app using (${visible});`
}

/** Lets a role read and write the rows that its policies show it. */
export function grantAll(table: string, role: 'signalbox_app' | 'signalbox_maintenance'): string {
  return `grant select, insert, update, delete on ${table} to ${role};`
}
