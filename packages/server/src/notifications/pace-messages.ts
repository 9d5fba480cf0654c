import type { Tx } from '../store/store.ts'
import type { Step } from './notification-protocol.ts'
import { lockPaceRows, savePaceRows } from './pace-rows.ts'
import { budgetsOf, holdPaces, takeTurn } from './pace-rules.ts'
import type { NotificationRow } from './rows.ts'

/** Why a message waits for its turn. */
const waiting = 'paced'

interface PacedStep {
  readonly step: Step
  readonly channelId: string
}

/** The row as it waits for its turn, which all nodes take together; `undefined`: it is its turn, and that is paid for. */
export async function awaitTurn(
  tx: Tx,
  orgId: string,
  row: NotificationRow,
  { step, channelId, now }: PacedStep & { readonly now: Date },
): Promise<NotificationRow | undefined> {
  const budgets = budgetsOf(step, channelId)
  const resources = budgets.map(({ resource }) => resource)
  const paces = await lockPaceRows(tx, orgId, resources)
  // What entered the channel a moment ago goes on before others, and has to be known by that.
  const isPromised = row.reason === waiting || row.reason === 'joined'
  const turn = takeTurn(budgets, paces, { now, isPromised })
  savePaceRows(tx, orgId, turn.paces)
  if (turn.waitUntil === undefined) return undefined
  const reason = isPromised ? row.reason : waiting
  return { ...row, reason, holdUntil: turn.waitUntil }
}

/** The provider asked for a pause: no message of the kind is sent until then, on any node. */
export async function holdTurns(
  tx: Tx,
  orgId: string,
  { step, channelId }: PacedStep,
  until: Date,
): Promise<void> {
  const budgets = budgetsOf(step, channelId)
  const resources = budgets.map(({ resource }) => resource)
  const paces = await lockPaceRows(tx, orgId, resources)
  savePaceRows(tx, orgId, holdPaces(budgets, paces, until))
}
