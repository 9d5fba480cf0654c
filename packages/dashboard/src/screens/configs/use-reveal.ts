import type { ConfigValue } from '@signalbox/contract'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { ApiProblem } from '../../api/problem.ts'
import { showRejection } from '../../components/show-rejection.ts'
import { showToast } from '../../components/toasts.tsx'
import { useOrganization } from '../../session/organization.ts'
import type { CellStore } from './cell-store.ts'
import { annotate, type CellNotes } from './grid/grid-model.ts'
import { toCellId, type CellRef } from './matrix.ts'

const shownForMs = 30_000

/** Describes the secret that was revealed last. */
export interface Revealed {
  readonly cellRef: CellRef
  readonly value: ConfigValue
  /** Holds the moment at which it is hidden, in milliseconds. */
  readonly until: number
}

/**
 * Shows one secret for 30 seconds, or until the page is left. Each secret is requested by itself, which the audit log
 * records, and only the screen holds it.
 */
export function useReveal(notes: CellStore<CellNotes>, schemaId: string) {
  const { id: orgId } = useOrganization()
  const [revealed, setRevealed] = useState<Revealed>()
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())

  const hide = useCallback(
    (id: string) => {
      clearTimeout(timers.current.get(id))
      timers.current.delete(id)
      annotate(notes, id, { revealed: undefined })
      setRevealed((last) => (last !== undefined && idOf(last) === id ? undefined : last))
    },
    [notes],
  )
  const reveal = useCallback(
    async (cellRef: CellRef) => {
      const { row, environment } = cellRef
      const id = toCellId(environment.id, row.key)
      try {
        const { values } = await call('GET /organizations/{org_id}/config-values', {
          params: { org_id: orgId },
          query: { schemaId, environmentId: environment.id, reveal: 'true', key: row.key },
        })
        const value = values[row.key]?.value
        if (value === undefined) {
          showToast({ text: `${row.key} has no value in ${environment.name}.` })
          return
        }
        for (const other of timers.current.keys()) hide(other)
        annotate(notes, id, { revealed: true })
        setRevealed({ cellRef, value, until: Date.now() + shownForMs })
        timers.current.set(
          id,
          setTimeout(() => hide(id), shownForMs),
        )
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error
        showRejection(`show ${row.key}`, error)
      }
    },
    [hide, notes, orgId, schemaId],
  )
  useEffect(() => {
    const running = timers.current
    const hideAll = () => {
      for (const id of running.keys()) hide(id)
    }
    addEventListener('blur', hideAll)
    document.addEventListener('visibilitychange', hideAll)
    return () => {
      hideAll()
      removeEventListener('blur', hideAll)
      document.removeEventListener('visibilitychange', hideAll)
    }
  }, [hide])
  return { reveal, hide, revealed }
}

function idOf({ cellRef: { row, environment } }: Revealed): string {
  return toCellId(environment.id, row.key)
}
