import { Problem } from '@signalbox/contract'
import { configMatrixEndpoints } from '@signalbox/contract/rest'
import { describe, expect, it } from 'vitest'
import { toCallEndpoint, type ToolCaller } from './call-endpoint.ts'
import { createCursors } from './input/cursors.ts'

const { changeConfig } = configMatrixEndpoints
const ids = { schemaId: `sch_${'0'.repeat(26)}`, environmentId: `env_${'0'.repeat(26)}` }
const change = { schemaId: ids.schemaId, changes: [{ environmentId: ids.environmentId, set: {} }] }

/** Calls the change of configuration as an assistant whose token has `scope`, and returns its code. */
async function callAs(scope: 'read' | 'write', body: object): Promise<unknown> {
  const call = toCallEndpoint({ cursors: createCursors(Buffer.alloc(32)) }, changeConfig, {
    handle: () => Promise.resolve('handled'),
    present: () => ({ handled: true }),
  } as never)
  const caller = {
    actor: { type: 'agent', userId: 'usr_1', name: 'Ada', client: 'claude-code', scope },
    organization: { id: 'org_1', name: 'Acme', slug: 'acme' },
    role: 'owner',
    permissions: [],
  } as unknown as ToolCaller
  try {
    return await call(caller, { body })
  } catch (error) {
    return error instanceof Problem ? error.code : error
  }
}

describe('an endpoint that writes and has a dry run', () => {
  it('admits an assistant that reads with a dry run alone, whatever its tool asks for', async () => {
    expect(await callAs('read', { ...change, dryRun: true })).toEqual({ handled: true })
    for (const dryRun of [undefined, false, 'true', 1]) {
      expect(await callAs('read', { ...change, dryRun })).toBe('agent_token_forbidden')
    }
  })

  it('admits one that writes', async () => {
    expect(await callAs('write', change)).toEqual({ handled: true })
  })
})
