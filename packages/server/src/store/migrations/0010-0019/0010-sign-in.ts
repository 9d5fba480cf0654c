import { grantAll, keepToOwn, showToo, userId } from '../access.ts'
import type { Migration } from '../migration.ts'

/** Creates sign-in with an OpenID provider, and on a device without a browser. */
export const signIn: Migration = {
  name: '0010-sign-in',
  sql: `
-- Who somebody is at the OpenID provider. The address is shown and decides nothing.
create table oidc_identities (
  issuer text not null,
  subject text not null,
  user_id text not null unique references users (id) on delete cascade,
  email text,
  created_at timestamptz not null,
  primary key (issuer, subject)
);

-- Ways to the provider that were begun. The code verifier and the nonce are not here: they follow from the cookie.
create table oidc_attempts (
  state_hash bytea primary key,
  cookie_hash bytea not null,
  purpose text not null check (purpose in ('sign_in', 'link', 'confirm')),
  -- Who links or confirms; nobody yet when it is to sign in.
  user_id text references users (id) on delete cascade,
  return_to text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((purpose = 'sign_in') = (user_id is null))
);
create index oidc_attempts_expiry on oidc_attempts (expires_at);

-- Devices that ask to be let in (RFC 8628).
create table device_authorizations (
  device_code_hash bytea primary key,
  -- Under a key of the server: the code is short enough to be guessed from a plain hash.
  user_code_hash bytea not null unique,
  device_name text not null,
  ip text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  interval_seconds integer not null,
  polled_at timestamptz,
  -- Whoever looked at it first, and can answer it.
  user_id text references users (id) on delete cascade,
  decision text check (decision in ('approved', 'denied')),
  -- When the device took its token.
  redeemed_at timestamptz,
  check (decision is null or user_id is not null),
  check (redeemed_at is null or decision = 'approved')
);
create index device_authorizations_expiry on device_authorizations (expires_at);

-- Whether anybody invited an address is asked when it signs in with the provider for the first time.
create index invitations_email on invitations (email);

${keepToOwn('oidc_identities', `user_id = ${userId}`)}
${showToo('oidc_identities', 'true')}
${
  // A person who returns from the provider is not signed in yet. The row is found by a hash of 256 bits that only their
  // browser has.
  keepToOwn('oidc_attempts', 'true')
}
${keepToOwn('device_authorizations', `user_id is null or user_id = ${userId}`)}
${
  // A device that polls for its token is not signed in, and needs the row of its future user.
  showToo('device_authorizations', 'true')
}
${['oidc_identities', 'oidc_attempts', 'device_authorizations']
  .flatMap((table) => [grantAll(table, 'signalbox_app'), grantAll(table, 'signalbox_maintenance')])
  .join('\n')}
`,
}
