import { z } from 'zod/v4'
import { agentScopes } from '../../agent-scopes.ts'
import { open, org, person, viewer } from '../access.ts'
import { declareEndpoints } from '../endpoint.ts'

/** Accepts a parameter of OAuth as an assistant sends it. What is wrong with it is said where it is used. */
const parameter = z.string().max(2_000)

/** Describes the parameters of `/oauth/authorize` as the page of the dashboard passes them on. */
export const agentAuthorizationRequest = z.strictObject({
  responseType: parameter.optional(),
  clientId: parameter,
  redirectUri: parameter,
  codeChallenge: parameter.optional(),
  codeChallengeMethod: parameter.optional(),
  state: parameter.optional(),
  scope: parameter.optional(),
  resource: parameter.optional(),
})

const goOn = z.object({
  /** Holds the address of the assistant that the browser opens next. */
  redirectTo: z.string(),
})

const protectedResource = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  resource_name: z.string(),
  resource_documentation: z.string(),
})

/** Declares the endpoints with which a member connects a remote assistant by OAuth. */
export const agentAuthorizationEndpoints = declareEndpoints({ tag: 'Assistants' })({
  getProtectedResource: {
    method: 'GET',
    path: '/.well-known/oauth-protected-resource',
    summary: 'Who issues tokens for `/mcp`, and which scopes there are (RFC 9728).',
    access: open,
    rateClass: 'open',
    response: { status: 200, body: protectedResource },
    // Follows from the address of the server.
    topics: [],
  },
  getProtectedTools: {
    method: 'GET',
    path: '/.well-known/oauth-protected-resource/mcp',
    summary: 'The same, at the address that RFC 9728 §3.1 forms of `/mcp`.',
    access: open,
    rateClass: 'open',
    response: { status: 200, body: protectedResource },
    // Follows from the address of the server.
    topics: [],
  },
  getAuthorizationServer: {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    summary: 'How an assistant asks for access (RFC 8414).',
    access: open,
    rateClass: 'open',
    response: {
      status: 200,
      body: z.object({
        issuer: z.string(),
        authorization_endpoint: z.string(),
        token_endpoint: z.string(),
        revocation_endpoint: z.string(),
        response_types_supported: z.array(z.string()),
        response_modes_supported: z.array(z.string()),
        grant_types_supported: z.array(z.string()),
        code_challenge_methods_supported: z.array(z.string()),
        token_endpoint_auth_methods_supported: z.array(z.string()),
        revocation_endpoint_auth_methods_supported: z.array(z.string()),
        scopes_supported: z.array(z.string()),
        client_id_metadata_document_supported: z.boolean(),
        authorization_response_iss_parameter_supported: z.boolean(),
        service_documentation: z.string(),
      }),
    },
    // Follows from the address of the server.
    topics: [],
  },
  beginAgentAuthorization: {
    method: 'GET',
    path: '/oauth/authorize',
    summary: 'Redirect the browser to the page where a member allows or refuses an assistant.',
    description:
      'RFC 6749 §4.1 with PKCE (`S256`). `client_id` is the https address of a Client ID Metadata Document, `resource` the address of `/mcp`, `scope` is `read` or `read write`. Nothing is checked or stored here: the page does it for a person who has signed in.',
    access: open,
    rateClass: 'open',
    query: z.object({
      response_type: parameter.optional(),
      client_id: parameter.optional(),
      redirect_uri: parameter.optional(),
      code_challenge: parameter.optional(),
      code_challenge_method: parameter.optional(),
      state: parameter.optional(),
      scope: parameter.optional(),
      resource: parameter.optional(),
    }),
    response: { status: 303 },
    // Opened by the browser, and shown by nobody.
    topics: [],
  },
  reviewAgent: {
    method: 'POST',
    path: '/oauth/authorize/review',
    summary: 'The assistant that asks for access, as the host of its `client_id` describes it.',
    description:
      'Reads the Client ID Metadata Document through the egress guard. Needs a session: strangers make this server read nothing.',
    access: person,
    rateClass: 'signIn',
    readsWithBody: true,
    body: agentAuthorizationRequest,
    response: {
      status: 200,
      body: z.object({
        /** Holds the host of the `client_id`. The document there decides where the code is sent. */
        clientHost: z.string(),
        /** Holds the name that the document gives the assistant. Nobody has verified it. */
        clientName: z.string().nullable(),
        /** Holds the host that the browser is sent back to. */
        redirectHost: z.string(),
        /** Says that the browser is sent to a program on the person's own computer, which may be any. */
        isLocal: z.boolean(),
        scope: z.enum(agentScopes),
        /** Holds what is wrong with the request, and where the browser takes that to the assistant. `null`: nothing. */
        refusal: z.object({ detail: z.string(), redirectTo: z.string() }).nullable(),
      }),
    },
    // Everything that the person sees is in the request or at the host of the assistant.
    topics: [],
    problems: ['assistant_unverified', 'session_required', 'role_forbidden'],
  },
  allowAgent: {
    method: 'POST',
    path: `${org}/agent-tokens/allow`,
    summary: 'Allow an assistant to act for the member in this organization.',
    description:
      'Answers the address with a code that works once, within a minute, for this assistant, address and PKCE challenge. The assistant exchanges it for an agent token of 30 days, whose access tokens last 15 minutes. `scope` may be less than the assistant asks for, and never more.',
    access: viewer,
    stepUp: true,
    body: z.strictObject({ request: agentAuthorizationRequest, scope: z.enum(agentScopes) }),
    response: { status: 200, body: goOn },
    // The agent token is made when the assistant exchanges the code.
    topics: [],
    problems: ['assistant_unverified', 'quota_exceeded', 'session_required'],
  },
  refuseAgent: {
    method: 'POST',
    path: '/oauth/authorize/refuse',
    summary: 'Refuse an assistant. Answers the address that tells it so.',
    access: person,
    rateClass: 'signIn',
    readsWithBody: true,
    body: z.strictObject({ request: agentAuthorizationRequest }),
    response: { status: 200, body: goOn },
    // A refusal leaves nothing to show.
    topics: [],
    problems: ['assistant_unverified', 'session_required', 'role_forbidden'],
  },
  revokeAgent: {
    method: 'POST',
    path: '/oauth/revoke',
    summary: 'End the agent token of an access token or refresh token (RFC 7009).',
    description:
      'For assistants that are signed out: form fields or JSON with `token` and `client_id`. Answers 200 for a token that is unknown or has ended, too.',
    access: open,
    rateClass: 'open',
    response: { status: 200 },
    topics: ['api_key'],
  },
})
