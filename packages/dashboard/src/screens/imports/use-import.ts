import { joinPlans } from '@signalbox/cli/importers'
import type { ImportDocument, ImportPlan } from '@signalbox/contract/rest'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import type { RequestOf } from '../../api/routes.ts'
import { refreshAfterWrite } from '../../api/invalidate.ts'
import { toApiProblem, type ApiProblem } from '../../api/problem.ts'
import { useOrganization } from '../../session/organization.ts'
import { noConfirmation, toBody, type Confirmation } from '../configs/use-save.ts'
import { sendDocument } from './send-document.ts'

const route = 'POST /organizations/{org_id}/config-imports'

/** Describes how far an import is. */
export interface ImportState {
  readonly phase: 'none' | 'planning' | 'planned' | 'importing' | 'imported'
  /** Counts the parts that the server has answered. */
  readonly part: number
  readonly parts: number
  /** Holds the plan: of the dry run, and after the import what has become of each key. */
  readonly plan: ImportPlan | undefined
  /** Holds the rejection that stopped the import. Parts that were stored before stay, and another try continues. */
  readonly problem: ApiProblem | undefined
}

const nothing: ImportState = {
  phase: 'none',
  part: 0,
  parts: 0,
  plan: undefined,
  problem: undefined,
}

export interface ImportOrder {
  readonly schema: string
  readonly documents: readonly ImportDocument[]
  /** Lists the existing keys that may change. */
  readonly update: readonly string[]
  /** Lists the keys that are no secrets, although their values look like some. */
  readonly allowPlain: readonly string[]
  readonly confirmation: Confirmation
}

/** Plans an import and stores it, part by part. */
export function useImport() {
  const { params } = useOrganization()
  const client = useQueryClient()
  const [state, setState] = useState<ImportState>(nothing)
  /** Counts the runs, so that the answers of one that was given up change nothing. */
  const run = useRef(0)

  const start = async (order: ImportOrder, dryRun: boolean) => {
    run.current += 1
    const own = run.current
    const show = (next: Partial<ImportState>) => {
      if (run.current === own) setState((now) => ({ ...now, ...next }))
    }
    show({
      phase: dryRun ? 'planning' : 'importing',
      part: 0,
      parts: order.documents.length,
      ...(dryRun && { plan: undefined }),
      problem: undefined,
    })
    try {
      const plan = await sendAll(order, {
        send: (body) => call(route, { params, body: { ...body, ...(dryRun && { dryRun }) } }),
        isGivenUp: () => run.current !== own,
        onPart: (part) => show({ part }),
      })
      show({ phase: dryRun ? 'planned' : 'imported', plan })
    } catch (error) {
      show({ phase: dryRun ? 'none' : 'planned', problem: toApiProblem(error) })
    } finally {
      if (!dryRun) await refreshAfterWrite(client, route)
    }
  }

  return {
    state,
    plan: (order: Pick<ImportOrder, 'schema' | 'documents' | 'allowPlain'>) =>
      void start({ ...order, update: [], confirmation: noConfirmation }, true),
    store: (order: ImportOrder) => void start(order, false),
    /** Drops the plan, because what it is about has changed. */
    reset: () => {
      run.current += 1
      setState(nothing)
    },
  }
}

type Body = NonNullable<RequestOf<typeof route>['body']>

interface SendAll {
  readonly send: (body: Body) => Promise<ImportPlan>
  /** Returns whether nobody waits for the rest any more. */
  readonly isGivenUp: () => boolean
  readonly onPart: (part: number) => void
}

/** Sends the parts one after the other. @throws {ApiProblem} at the first that is refused */
async function sendAll(
  { schema, documents, update, allowPlain, confirmation }: ImportOrder,
  { send, isGivenUp, onPart }: SendAll,
): Promise<ImportPlan | undefined> {
  const plans: ImportPlan[] = []
  const options = {
    ...(update.length > 0 && { update: [...update] }),
    ...(allowPlain.length > 0 && { allowPlain: [...allowPlain] }),
    ...toBody(confirmation),
  }
  for (const document of documents) {
    if (isGivenUp()) return undefined
    plans.push(await sendDocument((part) => send({ schema, document: part, ...options }), document))
    onPart(plans.length)
  }
  return joinPlans(plans)
}
