import { toolsAddress } from './authorization-request.ts'

const documentation = '/docs/guide/assistants'

/** Returns who issues tokens for the tools (RFC 9728 §2). */
export function renderProtectedResource(publicUrl: string) {
  return {
    resource: toolsAddress(publicUrl),
    authorization_servers: [publicUrl],
    scopes_supported: ['read', 'write'],
    bearer_methods_supported: ['header'],
    resource_name: 'Signalbox',
    resource_documentation: publicUrl + documentation,
  }
}

/** Returns how an assistant asks for access (RFC 8414 §2). There is no registration: a client describes itself. */
export function renderAuthorizationServer(publicUrl: string) {
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}/oauth/authorize`,
    token_endpoint: `${publicUrl}/oauth/token`,
    revocation_endpoint: `${publicUrl}/oauth/revoke`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    scopes_supported: ['read', 'write'],
    client_id_metadata_document_supported: true,
    authorization_response_iss_parameter_supported: true,
    service_documentation: publicUrl + documentation,
  }
}
