/**
 * Creates three roles besides the owner. None can log in: connections take one at their start.
 *
 * - `signalbox_app` serves requests: the rows of one organization, named by `app.org_id`, and the others that its policies show.
 * - `signalbox_delivery` reads only what is published, of every organization. It writes when keys were used and what nodes report,
 *   each through a function, and nothing else.
 * - `signalbox_maintenance` does the work that crosses organizations: retention, export, rotation of the root key.
 */
export const rolesSql = `
do $$
declare role_name text;
begin
  foreach role_name in array array['signalbox_app', 'signalbox_delivery', 'signalbox_maintenance'] loop
    begin
      if not exists (select from pg_roles where rolname = role_name) then
        execute format('create role %I nologin', role_name);
      end if;
    exception when duplicate_object or unique_violation then
      null; -- another database of the same cluster is being set up at the same moment
    end;
    -- Since PostgreSQL 16 the maker of a role is a member of it and still may not take it on.
    if not pg_has_role(current_user, role_name,
        case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end) then
      execute format('grant %I to current_user', role_name);
    end if;
  end loop;
  execute format('grant usage on schema %I to signalbox_app, signalbox_delivery, signalbox_maintenance', current_schema());
end $$;

-- Stamps a published row with the transaction that wrote it, because nodes read the rows that changed since their last poll.
create function set_changed_in() returns trigger language plpgsql as $$
begin
  new.changed_in := pg_current_xact_id();
  return new;
end $$;
`
