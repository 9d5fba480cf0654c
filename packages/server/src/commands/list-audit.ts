import { auditActions, serverChain } from '../audit/audit-event.ts'
import { presentEvent } from '../audit/present-event.ts'
import { listEventRows, type AuditEventRow } from '../audit/rows.ts'
import { UsageError, type Command } from './command.ts'
import { openCommandStore } from './open-command-store.ts'

/** Lists the newest events of one chain, by default the server's own: sign-ins, personal tokens, root keys. */
export const listAudit: Command = async ({ settings, json, terminal, events }) => {
  const { chain = serverChain, action, limit = '50' } = events
  if (!/^[1-9]\d{0,4}$/.test(limit))
    throw new UsageError('--limit must be a number from 1 to 99999.')
  if (action !== undefined && !auditActions.some((known) => known === action)) {
    throw new UsageError(`There is no action ${action}.`, `One of: ${auditActions.join(', ')}`)
  }
  const store = await openCommandStore(settings())
  try {
    const page = { beforeSequence: undefined, limit: Number(limit) }
    const rows = await store.maintenance((tx) => listEventRows(tx, chain, { action }, page))
    if (json) terminal.out(JSON.stringify({ chain, events: rows.map(presentEvent) }))
    else for (const row of rows) terminal.out(renderEvent(row))
    if (!json && rows.length === 0) terminal.err(`The chain ${chain} has no such events.`)
    return 0
  } finally {
    await store.close()
  }
}

function renderEvent({ at, action, actor, target, ip }: AuditEventRow): string {
  const what = target.name ?? target.id ?? target.type
  return [at.toISOString(), action, actor.id ?? actor.name, what, ip ?? '-'].map(oneLine).join('  ')
}

/** Names are what people gave: no terminal is to obey them, and no line to be forged. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?')
}
