/** Lists what an agent token may do: `read` only reads and proposes, `write` applies proposals as well. */
export const agentScopes = ['read', 'write'] as const

/** Names what an agent token may do. */
export type AgentScope = (typeof agentScopes)[number]
