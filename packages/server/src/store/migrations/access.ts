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
function keepToOwn(table: string, own: string): string {
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

/** Lets requests do everything with the rows for which `own` holds, and maintenance with all. */
export function ofOwn(table: string, own: string): string {
  const roles = ['signalbox_app', 'signalbox_maintenance'] as const
  return [keepToOwn(table, own), ...roles.map((role) => grantAll(table, role))].join('\n')
}

/** Keeps a table to the organization of each row for requests, and opens all of it to maintenance. */
export function ofOrganization(table: string): string {
  return ofOwn(table, `org_id = ${orgId}`)
}

/** Keeps a table to the person of each row for requests, and opens all of it to maintenance. */
export function ofUser(table: string): string {
  return ofOwn(table, `user_id = ${userId}`)
}

/** Opens a table of the server itself to maintenance alone. */
export function ofServer(table: string): string {
  return isolate(table) + grantAll(table, 'signalbox_maintenance')
}

/** Lets the delivery read a table of every organization, and find the rows that changed since it has read last. */
export function published(table: string): string {
  const policy =
    table === 'signing_keys'
      ? ''
      : `create policy delivery on ${table} for select to signalbox_delivery using (true);`
  return `
${policy}
grant select on ${table} to signalbox_delivery;
create trigger changed_in before update on ${table} for each row execute function set_changed_in();
create index ${table}_changed_in on ${table} (changed_in);
`
}

/** Lets a function do what maintenance may, for one role that calls it, with the names of its tables pinned to their schema. */
export function runAsMaintenance(
  name: string,
  caller: 'signalbox_app' | 'signalbox_delivery',
): string {
  return `
revoke all on function ${name} from public;
grant execute on function ${name} to ${caller}, signalbox_maintenance;
do $$
begin
  execute format('grant create on schema %I to signalbox_maintenance', current_schema());
  alter function ${name} owner to signalbox_maintenance;
  execute format('alter function ${name} set search_path = %I, pg_temp', current_schema());
  execute format('revoke create on schema %I from signalbox_maintenance', current_schema());
end $$;
`
}
