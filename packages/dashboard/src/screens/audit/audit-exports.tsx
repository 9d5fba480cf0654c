import { useEffect, useRef, useState } from 'react'
import { callFile } from '../../api/call.ts'
import { toApiProblem, type ApiProblem } from '../../api/problem.ts'
import type { RequestOf } from '../../api/routes.ts'
import { Button } from '../../components/button.tsx'
import { saveFile } from '../../browser/save-file.ts'
import { useOrganization } from '../../session/organization.ts'

const route = 'GET /organizations/{org_id}/audit-events/export'
const formats = [
  { format: 'csv', label: 'Export CSV' },
  { format: 'jsonl', label: 'Export JSON Lines' },
] as const

type Format = (typeof formats)[number]['format']

/** Describes an export that can be started, and its progress. */
export interface AuditExport {
  /** Names the format that is being exported. */
  readonly pending: Format | undefined
  readonly problem: ApiProblem | null
  readonly start: (format: Format) => void
}

/** Exports the events of a query to a file. Leaving the screen cancels it. */
export function useAuditExport(query: RequestOf<typeof route>['query']): AuditExport {
  const { params } = useOrganization()
  const [pending, setPending] = useState<Format>()
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])
  const fetchAndSave = async (format: Format) => {
    const { signal } = leaving.current
    setPending(format)
    setProblem(null)
    try {
      const { name, content } = await callFile(
        route,
        { params, query: { ...query, format } },
        signal,
      )
      if (!signal.aborted) saveFile(name, content)
    } catch (error) {
      if (!signal.aborted) setProblem(toApiProblem(error))
    } finally {
      if (!signal.aborted) setPending(undefined)
    }
  }
  return { pending, problem, start: (format) => void fetchAndSave(format) }
}

/** Shows one button for each format of an export. */
export function AuditExportButtons({ pending, start }: AuditExport) {
  return formats.map(({ format, label }) => (
    <Button
      key={format}
      pending={pending === format}
      disabled={pending !== undefined && pending !== format}
      onClick={() => start(format)}
    >
      {label}
    </Button>
  ))
}
