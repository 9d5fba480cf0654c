import { z } from 'zod/v4'
import { limits } from '../../limits.ts'
import type { Access } from '../endpoint.ts'
import { declareEndpoints } from '../endpoint.ts'

/** Admits agent tokens and personal access tokens. */
const assistant = { kind: 'assistant' } as const satisfies Access

export const assistantEndpoints = declareEndpoints({ tag: 'Assistants' })({
  callTools: {
    method: 'POST',
    path: '/mcp',
    summary: 'The tools of assistants: Model Context Protocol over Streamable HTTP.',
    description:
      'Takes one JSON-RPC message, of the revisions 2026-07-28 and 2025-11-25 and before. Send an agent token, or a personal access token, which only reads here. With a personal access token of several organizations, name one with `?organization=`. No tool reads or writes a secret, or changes production or a protected environment.',
    access: assistant,
    query: z.strictObject({ organization: z.string().max(100).optional() }),
    bodyLimitBytes: limits.assistantBodyBytes,
    response: {
      status: 200,
      contentType: 'application/json',
      also: {
        status: 200,
        contentType: 'text/event-stream',
        when: 'For clients before 2026-07-28.',
      },
    },
    // A tool may change configuration, and the use case that does announces it.
    topics: [],
  },
})
