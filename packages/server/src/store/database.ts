import type { ColumnType, Generated } from 'kysely'

/** Written by the database when left out; read as a date. */
type WrittenAt = ColumnType<Date, Date | undefined, Date>
/** Written as JSON text, read as what it holds. */
type Json<T> = ColumnType<T, string, string>
/** Set by a trigger: the transaction that last wrote the row. */
type ChangedIn = ColumnType<string, never, never>

export interface RootKeysTable {
  id: string
  state: 'active' | 'retiring'
  created_at: WrittenAt
}

export interface SigningKeysTable {
  id: string
  public_jwk: Json<Record<string, unknown>>
  created_at: WrittenAt
  retired_at: Date | null
  changed_in: ChangedIn
}

export interface SetupTable {
  singleton: Generated<boolean>
  token_hash: Buffer
  completed_at: Date | null
  first_org_id: string | null
}

export interface UsersTable {
  id: string
  email: string
  name: string
  password_hash: string | null
  created_at: WrittenAt
}

export interface OrganizationsTable {
  id: string
  slug: string
  name: string
  created_at: WrittenAt
  deleted_at: Date | null
  changed_in: ChangedIn
}

export interface DataKeysTable {
  org_id: string
  version: number
  wrapped: Buffer
  root_key_id: string
  seals: Generated<number>
  created_at: WrittenAt
  changed_in: ChangedIn
}

export interface MembersTable {
  org_id: string
  user_id: string
  role: 'owner' | 'admin' | 'developer' | 'viewer'
  created_at: WrittenAt
}

export interface SessionsTable {
  token_hash: Buffer
  user_id: string
  created_at: WrittenAt
  authenticated_at: WrittenAt
  used_at: WrittenAt
  expires_at: Date
  user_agent: string | null
  ip: string | null
}

export interface PersonalAccessTokensTable {
  id: string
  user_id: string
  name: string
  handle: string
  hash: Buffer
  created_at: WrittenAt
  expires_at: Date | null
  revoked_at: Date | null
  last_used_at: Date | null
}

/** What is accepted, withdrawn or replaced is gone. */
export interface InvitationsTable {
  org_id: string
  id: string
  email: string
  role: MembersTable['role']
  token_hash: Buffer
  invited_by: Json<AuthorColumn>
  created_at: Date
  expires_at: Date
}

export interface SecondFactorsTable {
  user_id: string
  sealed: Buffer
  created_at: Date
  confirmed_at: Date | null
  last_step: Generated<number>
  failures: Generated<number>
  failed_at: Date | null
}

export interface RecoveryCodesTable {
  user_id: string
  hash: Buffer
}

/** An author as stored with what he made. Example: `{ type: 'user', id: 'usr_…', name: 'Ada' }`. */
export interface AuthorColumn {
  type: 'user' | 'api_key' | 'bootstrap' | 'system'
  id: string | null
  name: string
}

export interface ApiKeysTable {
  org_id: string
  id: string
  name: string
  kind: 'b2m' | 'm2m'
  environment_ids: string[] | null
  schema_ids: string[] | null
  allowed_origins: string[] | null
  expires_at: Date | null
  revoked_at: Date | null
  created_at: WrittenAt
  created_by: Json<AuthorColumn>
  changed_in: ChangedIn
}

export interface ApiKeySecretsTable {
  org_id: string
  key_id: string
  handle: string
  hash: Buffer
  created_at: WrittenAt
  expires_at: Date | null
  changed_in: ChangedIn
}

export interface ApiKeyUsesTable {
  org_id: string
  key_id: string
  last_used_at: Date
}

export interface IdempotencyKeysTable {
  /** Empty: about no organization. */
  org_id: string
  credential_id: string
  route: string
  key: string
  request_hash: string
  status: number | null
  body: Json<unknown> | null
  created_at: WrittenAt
}

export interface EnvironmentsTable {
  org_id: string
  id: string
  name: string
  description: Generated<string>
  production: Generated<boolean>
  confirm_changes: Generated<boolean>
  comment_changes: Generated<boolean>
  parent_id: string | null
  revision: Generated<number>
  created_at: WrittenAt
  updated_at: WrittenAt
}

export interface ConfigSchemasTable {
  org_id: string
  id: string
  name: string
  description: Generated<string>
  revision: Generated<number>
  definition: Json<Record<string, unknown>>
  secret_defaults: Json<Record<string, string>>
  created_at: WrittenAt
  updated_at: WrittenAt
}

export interface ConfigHeadsTable {
  org_id: string
  schema_id: string
  environment_id: string
  version: Generated<number>
  browser_version: Generated<number>
  open_values: Json<Record<string, unknown>>
  secret_values: Json<Record<string, unknown>>
}

export interface ConfigVersionsTable {
  org_id: string
  schema_id: string
  environment_id: string
  version: number
  id: string
  kind: 'write' | 'restore' | 'promote' | 'schema' | 'inherited' | 'renamed'
  author: Json<AuthorColumn>
  comment: string | null
  changes: Json<readonly unknown[]>
  changed_keys: Generated<string[]>
  open_values: Json<Record<string, unknown>>
  secret_values: Json<Record<string, unknown>>
  created_at: WrittenAt
}

interface SnapshotColumns {
  org_id: string
  schema_id: string
  environment_id: string
  version: number
  schema_name: string
  environment_name: string
  etag: string
  /** Null: the schema or the environment was deleted. */
  body: string | null
  created_at: WrittenAt
  changed_in: ChangedIn
}

export interface BrowserSnapshotsTable extends SnapshotColumns {
  flag_sources: Json<Record<string, unknown>>
  flag_rules: Json<Record<string, unknown>>
}

export interface ServerSnapshotsTable extends SnapshotColumns {
  sealed_secrets: Buffer | null
}

export interface AuditHeadsTable {
  org_id: string
  sequence: number
  hash: Buffer
}

export interface AuditEventsTable {
  org_id: string
  sequence: number
  id: string
  at: Date
  actor: Json<AuthorColumn>
  action: string
  target: Json<{ type: string; id: string | null; name: string | null }>
  detail: Json<Record<string, unknown>>
  request_id: string | null
  ip: string | null
  user_agent: string | null
  previous_hash: Buffer
  hash: Buffer
}

/** Every table, by its name. A feature's `rows.ts` is the only place that touches its own. */
export interface Database {
  root_keys: RootKeysTable
  signing_keys: SigningKeysTable
  setup: SetupTable
  users: UsersTable
  organizations: OrganizationsTable
  data_keys: DataKeysTable
  members: MembersTable
  sessions: SessionsTable
  personal_access_tokens: PersonalAccessTokensTable
  invitations: InvitationsTable
  second_factors: SecondFactorsTable
  recovery_codes: RecoveryCodesTable
  api_keys: ApiKeysTable
  api_key_secrets: ApiKeySecretsTable
  api_key_uses: ApiKeyUsesTable
  idempotency_keys: IdempotencyKeysTable
  environments: EnvironmentsTable
  config_schemas: ConfigSchemasTable
  config_heads: ConfigHeadsTable
  config_versions: ConfigVersionsTable
  browser_snapshots: BrowserSnapshotsTable
  server_snapshots: ServerSnapshotsTable
  audit_heads: AuditHeadsTable
  audit_events: AuditEventsTable
}
