/**
 * Lists every problem of the service by its stable code. A code is never renamed and never reused. Each has a section
 * in `docs/problems.md`, which `type` links to.
 *
 * @see RFC 9457
 */
export const problems = {
  invalid_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_encoding: { status: 400, title: 'The body is not valid UTF-8' },
  invalid_path: { status: 400, title: 'The path is invalid' },
  invalid_header: { status: 400, title: 'A header is invalid' },
  invalid_query: { status: 400, title: 'A query parameter is invalid' },
  invalid_cursor: { status: 400, title: 'The cursor is invalid' },
  schema_required: { status: 400, title: 'The request must name a schema' },
  key_in_url: { status: 400, title: 'Only browser keys may be part of a URL' },
  missing_credentials: { status: 401, title: 'Credentials are missing' },
  invalid_credentials: { status: 401, title: 'The credentials are not valid' },
  expired_credentials: { status: 401, title: 'The credentials have expired' },
  revoked_credentials: { status: 401, title: 'The credentials were revoked' },
  second_factor_required: { status: 401, title: 'The second-factor code is missing' },
  invalid_signature: { status: 401, title: 'The signature is missing or wrong' },
  key_kind_forbidden: { status: 403, title: 'This kind of API key is not allowed to do this' },
  key_scope_forbidden: {
    status: 403,
    title: 'The API key is restricted to other environments or schemas',
  },
  key_read_only: { status: 403, title: 'The API key only reads' },
  agent_token_forbidden: { status: 403, title: 'Agent tokens work at /mcp only' },
  insufficient_scope: { status: 403, title: 'The assistant needs more access' },
  assistant_forbidden: { status: 403, title: 'The organization does not let this assistant in' },
  person_required: { status: 403, title: 'A person must apply this change' },
  role_forbidden: { status: 403, title: 'Your role does not allow this' },
  own_request: { status: 403, title: 'Somebody else must review your request' },
  session_required: { status: 403, title: 'Only a signed-in person may do this' },
  step_up_required: { status: 403, title: 'Confirm your password first' },
  second_factor_off: { status: 403, title: 'The organization requires a second factor' },
  token_life_forbidden: {
    status: 403,
    title: 'The token works for longer than the organization allows',
  },
  csrf_failed: { status: 403, title: 'The request did not come from the dashboard' },
  origin_forbidden: { status: 403, title: 'The API key is not allowed from this origin' },
  network_forbidden: { status: 403, title: 'The API key is not allowed from this address' },
  setup_forbidden: { status: 403, title: 'The setup link is not valid' },
  invitation_for_other: { status: 403, title: 'The invitation is for another address' },
  domain_unverified: {
    status: 403,
    title: 'The organization has not verified the domain of the address',
  },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  conflict: { status: 409, title: 'The change conflicts with stored data' },
  already_exists: { status: 409, title: 'The name or address is already taken' },
  last_owner: { status: 409, title: 'This member is the last owner' },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request with this Idempotency-Key is still running',
  },
  integration_exists: { status: 409, title: 'The account is connected to another organization' },
  provider_not_set_up: { status: 409, title: 'The provider is not set up on this server' },
  integration_not_connected: { status: 409, title: 'The integration is not connected' },
  workflow_not_dispatchable: { status: 409, title: 'The workflow cannot be started' },
  environment_in_use: { status: 409, title: 'The environment is in use' },
  signal_in_use: { status: 409, title: 'A policy names the signal' },
  segment_in_use: { status: 409, title: 'The segment is in use' },
  schema_in_use: { status: 409, title: 'The schema is in use' },
  confirmation_required: { status: 409, title: 'The environment requires a confirmation' },
  comment_required: { status: 409, title: 'The environment requires a comment' },
  approval_required: { status: 409, title: 'Other people must approve this change' },
  breaking_change: { status: 409, title: 'The change breaks stored values' },
  invitation_ended: { status: 410, title: 'The invitation has ended' },
  setup_closed: { status: 410, title: 'This server is already set up' },
  environment_archived: { status: 410, title: 'The preview has ended' },
  revision_mismatch: { status: 412, title: 'Somebody else has changed this' },
  body_too_large: { status: 413, title: 'The body is too large' },
  value_too_large: { status: 413, title: 'The value is too large' },
  url_too_long: { status: 414, title: 'The URL is too long' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  unsupported_encoding: { status: 415, title: 'The content encoding is not supported' },
  validation_failed: { status: 422, title: 'The request is not valid' },
  no_possible_approver: { status: 422, title: 'Too few members could approve' },
  unknown_field: { status: 422, title: 'The request names an unknown field' },
  unknown_key: { status: 422, title: 'The schema has no such key' },
  unknown_segment: { status: 422, title: 'The organization has no such segment' },
  too_many_rules: { status: 422, title: 'The rules of a flag are too many' },
  type_mismatch: { status: 422, title: 'The value has the wrong type' },
  schema_violation: { status: 422, title: 'The value breaks a constraint of the schema' },
  looks_like_secret: { status: 422, title: 'A value that everybody may read looks like a secret' },
  reserved_key: { status: 422, title: 'The key name is reserved or malformed' },
  tier_mismatch: { status: 422, title: 'The tier does not fit the key' },
  duplicate_key: { status: 422, title: 'A key appears twice' },
  number_out_of_range: { status: 422, title: 'The number cannot be represented exactly' },
  ill_formed_text: { status: 422, title: 'The text is not well-formed' },
  too_deep: { status: 422, title: 'The JSON is nested too deeply' },
  too_many_items: { status: 422, title: 'There are too many items' },
  invalid_report: { status: 422, title: 'The test report cannot be read' },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for another request',
  },
  unusable_variable: {
    status: 422,
    title: 'Two keys become the same environment variable',
  },
  provider_error: { status: 424, title: 'The provider returned an error' },
  assistant_unverified: {
    status: 424,
    title: 'The description of the assistant cannot be used',
  },
  reauth_required: {
    status: 424,
    title: 'The integration needs to be connected again',
  },
  renewal_refused: {
    status: 424,
    title: 'The provider refuses to renew the access',
  },
  channel_unreachable: { status: 424, title: 'The channel cannot be reached' },
  ref_not_found: { status: 424, title: 'The branch or tag does not exist' },
  quota_exceeded: { status: 409, title: 'The limit is reached' },
  rate_limited: { status: 429, title: 'Too many requests' },
  too_many_streams: { status: 429, title: 'Too many open streams' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  internal: { status: 500, title: 'Something went wrong on the server' },
  overloaded: { status: 503, title: 'The service is overloaded' },
  db_unavailable: { status: 503, title: 'The database cannot be reached' },
  upstream_unavailable: { status: 503, title: 'The upstream of this node cannot be reached' },
  read_only: { status: 503, title: 'The service is read-only at the moment' },
  draining: { status: 503, title: 'The service is stopping' },
  sealed: { status: 503, title: 'This node cannot open secrets' },
  storage_full: { status: 507, title: 'The storage is full' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>

export type ProblemCode = keyof typeof problems

/** Describes one violation of the request. `pointer` is a JSON pointer into the body, or `?name` for a query parameter. */
export interface ProblemLocation {
  readonly pointer: string
  readonly code: ProblemCode
  /** Explains the violation and what to do. It never repeats the value, which may be a secret. */
  readonly detail: string
  /** Names the key of the schema, of an open value that looks like a secret: a promotion of all keys points at none. */
  readonly key?: string
}

/** Describes the body of every rejection, sent as `application/problem+json`. */
export interface ProblemDocument {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly code: ProblemCode
  readonly detail: string
  /** Holds the request id, as in `X-Request-Id`. */
  readonly instance: string
  readonly errors?: readonly ProblemLocation[]
}

/** Describes the members of a problem besides its code and detail. */
export interface ProblemOptions {
  readonly errors?: readonly ProblemLocation[]
  /** Seconds until a retry makes sense, sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
  /** Holds further members of the document, such as `report`. Never a secret. */
  readonly extensions?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** Signals an error that the caller can act on. Any other error is a bug and becomes `internal`. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly errors: readonly ProblemLocation[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly extensions: Readonly<Record<string, unknown>>

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, options.cause === undefined ? {} : { cause: options.cause })
    this.code = code
    this.errors = options.errors
    this.retryAfterSeconds = options.retryAfterSeconds
    this.extensions = options.extensions ?? {}
  }

  get status(): number {
    return problems[this.code].status
  }
}

/**
 * Holds the beginning of `type`: the same for every installation, so that it can be compared (RFC 9457 §3.1.1). The
 * service serves the same page at the same path.
 */
export const problemTypeBase = 'https://signalbox.dev/docs/problems#'

/** Returns the document of `problem` for the request `requestId`. */
export function toProblemDocument(problem: Problem, requestId: string): ProblemDocument {
  const { status, title } = problems[problem.code]
  return {
    type: `${problemTypeBase}${problem.code}`,
    title,
    status,
    code: problem.code,
    detail: problem.message,
    instance: requestId,
    ...(problem.errors === undefined ? {} : { errors: problem.errors }),
    ...problem.extensions,
  }
}
