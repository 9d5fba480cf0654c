/** Lists what an agent token may do: `read` only reads and proposes, `write` applies proposals as well. */
export const agentScopes = ['read', 'write'] as const

/** Names what an agent token may do. */
export type AgentScope = (typeof agentScopes)[number]

/** Maps what an agent token may do to the scopes of OAuth. A call that needs `write` names both (RFC 6750 §3.1). */
export const oauthScopes = { read: 'read', write: 'read write' } as const satisfies Record<
  AgentScope,
  string
>

/**
 * Lists which assistants an organization lets in. `none`: none. `read`: each one reads, and those on the list write. `listed`:
 * those on the list alone. `any`: each one, with what its member allows.
 */
export const assistantRules = ['none', 'read', 'listed', 'any'] as const

/** Names which assistants an organization lets in. */
export type AssistantRule = (typeof assistantRules)[number]
