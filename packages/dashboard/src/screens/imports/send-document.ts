import type { ImportDocument, ImportPlan, PlannedKey } from '@signalbox/contract/rest'
import { ApiProblem } from '../../api/problem.ts'

/** Sends one part of an import. @throws {ApiProblem} */
export type SendPart = (document: ImportDocument) => Promise<ImportPlan>

/**
 * Sends one part of an import. A key whose shape the server refuses would refuse all of the part, so it is taken out, becomes a
 * failed key of the plan with the server's reason, and the part is sent again.
 *
 * @throws {ApiProblem} for every other rejection
 */
export async function sendDocument(send: SendPart, document: ImportDocument): Promise<ImportPlan> {
  try {
    return await send(document)
  } catch (error) {
    const refused = error instanceof ApiProblem ? findRefused(error) : new Map<number, string>()
    const keys = document.keys.filter((_, index) => !refused.has(index))
    // Without progress the rejection is about something else.
    if (keys.length === document.keys.length) throw error
    const failed = document.keys.flatMap((key, index) => {
      const detail = refused.get(index)
      return detail === undefined ? [] : [toFailed(key, detail)]
    })
    return addFailed(await sendDocument(send, { ...document, keys }), failed)
  }
}

/** Returns the refused keys by their place, with the reason. Empty: the rejection is about more than keys. */
function findRefused({ code, errors }: ApiProblem): ReadonlyMap<number, string> {
  const none = new Map<number, string>()
  if (code !== 'validation_failed') return none
  const refused = new Map<number, string>()
  for (const { pointer, detail } of errors) {
    const match = /^\/document\/keys\/(\d+)(?:\/(.*))?$/.exec(pointer)
    if (match === null) return none
    const [, index, member] = match
    if (!refused.has(Number(index))) {
      refused.set(Number(index), member === undefined ? detail : `${member}: ${detail}`)
    }
  }
  return refused
}

function toFailed({ key, from, verdict, issues }: ImportDocument['keys'][number], detail: string) {
  return {
    key,
    from,
    verdict,
    action: 'failed',
    environments: [],
    issues,
    problems: [detail],
  } satisfies PlannedKey
}

function addFailed(plan: ImportPlan, failed: readonly PlannedKey[]): ImportPlan {
  const { counts, keys } = plan
  const of = (verdict: PlannedKey['verdict']) =>
    failed.filter((one) => one.verdict === verdict).length
  return {
    ...plan,
    keys: [...keys, ...failed],
    counts: {
      ...counts,
      exact: counts.exact + of('exact'),
      differs: counts.differs + of('differs'),
      failed: counts.failed + failed.length,
    },
  }
}
