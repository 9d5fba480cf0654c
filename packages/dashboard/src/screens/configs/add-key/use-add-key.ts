import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { ConfigValue, KeyDefinition } from '@signalbox/contract'
import { call } from '../../../api/call.ts'
import { refreshAfterWrite } from '../../../api/invalidate.ts'
import { toApiProblem, type ApiProblem } from '../../../api/problem.ts'
import { useOrganization } from '../../../session/organization.ts'
import { findCell } from '../matrix.ts'
import type { ConfigSchema } from '../schema-picker.tsx'
import type { StagedChanges } from '../staged-store.ts'
import { toStaged } from '../staged.ts'
import { toBody, type Confirmation } from '../use-save.ts'
import { toPutBody } from './to-put-body.ts'

/** Describes a key to add, with its values by the ids of their environments. */
export interface NewKey {
  readonly name: string
  readonly definition: KeyDefinition
  readonly values: ReadonlyMap<string, ConfigValue>
}

/** Names the end of an attempt: `staged` when the key exists and its values still need a review. */
export type Added = 'added' | 'staged' | 'refused'

/**
 * Adds a key and then saves its values in all environments together. Values that the server refuses are staged in the
 * matrix, where each shows its problem. The request is held by no cache, because its values may be secret.
 */
export function useAddKey(schema: ConfigSchema, staged: StagedChanges) {
  const { id: orgId } = useOrganization()
  const client = useQueryClient()
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const params = { org_id: orgId }

  const saveValues = async ({ name, values }: NewKey, confirmation: Confirmation) => {
    const changes = [...values].map(([environmentId, value]) => ({
      environmentId,
      set: { [name]: value },
    }))
    const body = { schemaId: schema.id, changes, ...toBody(confirmation) }
    await call('POST /organizations/{org_id}/config-changes', { params, body })
  }
  const putStagedValues = async ({ name, values }: NewKey) => {
    const query = { schemaId: schema.id }
    const matrix = await call('GET /organizations/{org_id}/config-matrix', { params, query })
    const changes = [...values].flatMap(([environmentId, value]) => {
      const cellRef = findCell(matrix, { environmentId, key: name })
      return (cellRef && toStaged(cellRef, { kind: 'set', value })) ?? []
    })
    staged.put(changes)
  }
  const attempt = async (key: NewKey, confirmation: Confirmation): Promise<Added> => {
    await call('PUT /organizations/{org_id}/config-schemas/{schema_id}', {
      params: { ...params, schema_id: schema.id },
      body: { ...toPutBody(schema, key.name, key.definition), ...toBody(confirmation) },
      ifMatch: schema.revision,
    })
    if (key.values.size === 0) return 'added'
    try {
      await saveValues(key, confirmation)
      return 'added'
    } catch {
      await putStagedValues(key)
      return 'staged'
    }
  }
  const add = async (key: NewKey, confirmation: Confirmation): Promise<Added> => {
    setPending(true)
    setProblem(null)
    try {
      return await attempt(key, confirmation)
    } catch (error) {
      setProblem(toApiProblem(error))
      return 'refused'
    } finally {
      await refreshAfterWrite(client, 'PUT /organizations/{org_id}/config-schemas/{schema_id}')
      setPending(false)
    }
  }
  return { add, pending, problem }
}
