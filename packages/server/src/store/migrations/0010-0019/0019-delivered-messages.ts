import type { Migration } from '../migration.ts'

/**
 * Records when a message last arrived by a route, and in the default channel: until then nobody knows whether the channel
 * takes messages. Routes and channels that have delivered before get the time of their newest message.
 */
export const deliveredMessages: Migration = {
  name: '0019-delivered-messages',
  sql: `
alter table notification_routes add column last_delivered_at timestamptz;
set local role signalbox_maintenance;
update notification_routes r set last_delivered_at = (
  select max(n.updated_at) from notifications n
  where n.org_id = r.org_id and n.route_id = r.id and n.channel_id = r.channel_id and n.message_id is not null);
update integrations i
set settings = (settings::jsonb || jsonb_build_object('defaultChannelDeliveredAt', (
  select to_char(max(n.updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') from notifications n
  where n.org_id = i.org_id and n.route_id = '' and n.channel_id = i.settings ->> 'defaultChannelId'
    and n.message_id is not null)))::json
where kind = 'chat' and settings ->> 'defaultChannelId' is not null;
reset role;
`,
}
