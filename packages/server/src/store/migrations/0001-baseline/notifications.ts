import { ofOrganization } from '../access.ts'

/** Creates the routes of messages, the messages to chats, and outgoing webhooks with theirs. */
export const notificationsSql = `
create table notification_routes (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  channel_id text not null,
  channel_name text not null,
  match json not null,
  events text[] not null,
  broadcast_failures boolean not null default false,
  health_state text not null default 'ok',
  health_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Null: nobody knows yet whether the channel takes messages.
  last_delivered_at timestamptz,
  primary key (org_id, id)
);
${ofOrganization('notification_routes')}

-- What a message is to say, not what to send: a message that is behind catches up with one update.
create table notifications (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  -- What it is about, and for a deployment which part of it: the message, its details, its failure.
  subject_kind text not null,
  subject_id text not null,
  -- Empty: the default channel.
  route_id text not null default '',
  desired_rev integer not null default 1,
  sent_rev integer not null default 0,
  -- Of what it is to say. Another hash is another revision.
  content_hash text not null default '',
  state text not null default 'wanted' check (state in ('wanted', 'sending', 'live', 'held', 'broken', 'gone')),
  reason text,
  channel_id text,
  message_id text,
  -- A post was sent and nobody knows whether it arrived.
  ambiguous boolean not null default false,
  -- Grows when a message that a person deleted is posted again.
  generation integer not null default 1,
  -- compact: the provider refused the whole message for its size.
  form text not null default 'full' check (form in ('full', 'compact')),
  -- The provider lets nobody change the message any more: what changes goes to its thread.
  frozen boolean not null default false,
  -- Whether a message that said so was sent.
  reported_failure boolean not null default false,
  failures integer not null default 0,
  -- The sender holds the lease. The fence grows with each one: a node that lost it writes nothing.
  fence integer not null default 0,
  lease_until timestamptz,
  -- Not before.
  hold_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Where people read the message, as the provider says once it is posted.
  message_url text,
  lease_holder text,
  -- When it was first posted without a known outcome: chats remember the key of a post for a while.
  first_tried_at timestamptz,
  first_sent_at timestamptz,
  state_since timestamptz,
  primary key (org_id, id),
  unique (org_id, subject_kind, subject_id, route_id)
);
create index notifications_subject on notifications (org_id, subject_id);
create index notifications_behind on notifications (hold_until) where desired_rev > sent_rev and state in ('wanted', 'sending', 'live');
create index notifications_waiting on notifications (org_id, updated_at) where state in ('held', 'broken');
${ofOrganization('notifications')}

create table outgoing_webhooks (
  org_id text not null references organizations (id) on delete cascade,
  id text not null,
  name text not null,
  url text not null,
  events text[] not null,
  format text not null check (format in ('generic', 'grafana')),
  enabled boolean not null,
  -- Sealed: { secret, previous, authorization }.
  sealed_secrets bytea not null,
  has_authorization boolean not null,
  -- Until then the previous secret signs too.
  overlap_ends_at timestamptz,
  health_reason text,
  failing_since timestamptz,
  last_sent_at timestamptz,
  created_at timestamptz not null,
  created_by json,
  primary key (org_id, id)
);
${ofOrganization('outgoing_webhooks')}

create table outgoing_messages (
  org_id text not null,
  id text not null,
  webhook_id text not null,
  type text not null,
  data json not null,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed')),
  attempts integer not null default 0,
  status integer,
  reason text,
  -- Null: there is none. While a node sends the message, the moment at which another may try.
  next_attempt_at timestamptz,
  sent_at timestamptz,
  created_at timestamptz not null,
  primary key (org_id, webhook_id, id),
  foreign key (org_id, webhook_id) references outgoing_webhooks (org_id, id) on delete cascade
);
create index outgoing_messages_due on outgoing_messages (next_attempt_at) where state = 'waiting';
create index outgoing_messages_old on outgoing_messages (created_at);
${ofOrganization('outgoing_messages')}
`
